"""The tree to read: where a tree is the choice, its complexity table is not found twice; its questions have bands."""

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from tests.studies.test_study import table

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, study
from hedgerow.candidate import TaskSpec, load_candidate
from hedgerow.estimators.delegating import unwrap
from hedgerow.fitting.stability import draw_weights
from hedgerow.prune import CostComplexity
from hedgerow.studies.load import load_data
from hedgerow.studies.options import StudyOptions
from hedgerow.studies.summarize.data import profile_columns
from hedgerow.studies.summarize.stability import summarize_stability
from hedgerow.studies.summarize.tree import grow_full_tree, make_target, summarize_tree
from hedgerow.tree.cut import cut


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


def test_where_the_absolute_error_decides_the_tree_is_one_of_medians(tmp_path):
    """The tree that is shown is the one that was compared."""
    frame = table().drop("kept", "day")
    result = study(frame, "price", models=["tree"], scoring="mae", folds=3, repeats=1, folder=tmp_path)
    tree = result.explanation.tree
    assert tree.error_title == "mean absolute error"
    held_out = pl.read_csv(tmp_path / "holdout.csv")["row"].to_numpy()
    assert tree.nodes[0].values == (np.median(np.delete(frame["price"].to_numpy(), held_out)),)
    fitted = unwrap(result.model).cp_table_
    assert tree.steps[tree.chosen].n_leaves == fitted.nsplit[fitted.chosen] + 1
    assert len(tree.stability.nodes) == len(tree.nodes)


@pytest.mark.parametrize("target", ["kept", pytest.param("price", marks=pytest.mark.slow)])
def test_the_stability_of_its_questions_is_that_of_the_tree_of_the_chosen_size(target):
    loaded = load_data(table().drop({"kept", "price"} - {target}), StudyOptions(target))
    train, goal = loaded.rows, loaded.goal
    full = grow_full_tree(train, goal, 1)
    found = summarize_stability(full, train, goal)
    record = summarize_tree(full, goal, profile_columns(train.table, {}), target)
    chosen = cut(full.tree, full.table.mask(full.tree, full.table.chosen))
    n = found.n_replicas
    kind = DecisionTreeClassifier if target == "kept" else DecisionTreeRegressor
    y = train.target if goal.classes is None else goal.classes[train.target]
    model = kind(max_depth=int(chosen.depth.max())).fit(train.table, y)
    plain = [
        clone(model).fit(train.table, y, weight).hedgerow_tree_.feature[0]
        for weight in draw_weights(make_target(train, goal), len(train), n, 0)
    ]
    assert found.nodes[0].same_column == plain.count(chosen.feature[0])
    assert len(found.nodes) == len(record.nodes)
    shown = [one for one in found.nodes if one is not None]
    assert len(shown) == chosen.n_leaves - 1
    assert all(one.same_column + one.rival <= n for one in shown)
