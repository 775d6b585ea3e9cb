"""The tree to read: where a tree is the choice, its complexity table is not found twice."""

import numpy as np
import pytest
from tests.studies.test_study import table

from hedgerow.candidates import entrants
from hedgerow.candidates.entrant import Need
from hedgerow.studies.asked import Asked
from hedgerow.studies.take_in import take_in
from hedgerow.studies.told import whole as place
from hedgerow.studies.told.columns import columns_told
from hedgerow.studies.told.whole import whole_of, whole_told


@pytest.mark.parametrize("target", ["kept", "price"])
@pytest.mark.parametrize("weights", [None, "noise"])
def test_a_known_table_is_the_one_that_would_be_found(target, weights, monkeypatch):
    frame = table().drop({"kept", "price"} - {target}).with_columns(noise=np.arange(150) % 3 + 1.0)
    taken = take_in(frame, Asked(target, weights=weights))
    train, goal = taken.rows, taken.goal
    model = entrants(("tree",), goal.task)["tree"].estimator(Need(goal.task, 150, 4, 2, 0))
    model.fit(train.table, goal.labels, sample_weight=train.weight)
    found = whole_of(train, goal, 1)
    monkeypatch.delattr(place.CostComplexity, "table")  # nothing is cross-validated again
    known = whole_of(train, goal, 1, model.cp_table_)
    columns = columns_told(train.table, {})
    assert whole_told(known, goal, columns, target) == whole_told(found, goal, columns, target)
