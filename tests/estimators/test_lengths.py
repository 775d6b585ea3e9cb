"""Lengths are compared before cells are read: a target one row short is said at once, not after the cells."""

import numpy as np
import pytest

import hedgerow

NAMES = (
    "DecisionTreeClassifier",
    "RandomForestRegressor",
    "BaggingClassifier",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "RuleListClassifier",
    "OptimalTreeClassifier",
    "BoostedNeuronsClassifier",
    "HistGradientBoostingClassifier",
    "WeightedVotingClassifier",
)


def make(name):
    kind = getattr(hedgerow, name)
    return kind([("one", hedgerow.DecisionTreeClassifier())]) if name.startswith("Weighted") else kind()


@pytest.mark.parametrize("name", NAMES)
def test_lengths_before_cells(name):
    X = np.full((7, 2), "not a number", dtype=object)  # which would be refused, or read cell by cell
    X[3, 1] = object()
    with pytest.raises(ValueError, match=r"y has 6 entries, but X has 7 rows"):
        make(name).fit(X, np.arange(6) % 2)
    with pytest.raises(ValueError, match=r"sample_weight.*8 entries, but X has 7 rows"):
        make(name).fit(X, np.arange(7) % 2, sample_weight=np.ones(8))
