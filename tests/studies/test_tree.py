"""The tree to read: where a tree is the choice, its complexity table is not found twice."""

import numpy as np
import pytest
from tests.studies.test_study import table

from hedgerow.candidate import TaskSpec, load_candidate
from hedgerow.prune import CostComplexity
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.summarize.data import profile_columns
from hedgerow.studies.summarize.tree import grow_full_tree, summarize_tree


@pytest.mark.parametrize("target", ["kept", "price"])
@pytest.mark.parametrize("weights", [None, "noise"])
def test_a_known_table_is_the_one_that_would_be_found(target, weights, monkeypatch):
    frame = table().drop({"kept", "price"} - {target}).with_columns(noise=np.arange(150) % 3 + 1.0)
    loaded = load_data(frame, StudyOptions(target, weights=weights))
    train, goal = loaded.rows, loaded.goal
    model = load_candidate("tree").make_estimator(TaskSpec(goal.task, 150, 4, 2), {})
    model.fit(train.table, goal.labels, sample_weight=train.weight)
    found = grow_full_tree(train, goal, 1)
    monkeypatch.delattr(CostComplexity, "table")  # nothing is cross-validated again
    known = grow_full_tree(train, goal, 1, model.cp_table_)
    columns = profile_columns(train.table, {})
    assert summarize_tree(known, goal, columns, target) == summarize_tree(found, goal, columns, target)
