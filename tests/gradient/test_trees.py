"""Sums of trees: 64 rows at a time, one by one and tree by tree are the same bits."""

import numpy as np
import pytest
from tests.estimators.test_hist_gradient_boosting import mixed

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from hedgerow.gradient.trees import MANY_ROWS
from hedgerow.tree.predict import values


def fitted(kind):
    frame, y = mixed(700)
    frame.loc[::11, "town"] = None
    if kind == "two":
        return HistGradientBoostingClassifier(max_iter=20).fit(frame, y), frame
    if kind == "three":
        return HistGradientBoostingClassifier(max_iter=7).fit(frame, np.arange(700) % 3), frame
    if kind == "many leaves":  # more than 256 in a tree
        many = {"max_leaf_nodes": None, "min_samples_leaf": 1, "max_iter": 2}
        return HistGradientBoostingRegressor(**many).fit(
            frame, frame["age"].fillna(3.0) + np.arange(700)
        ), frame
    return HistGradientBoostingRegressor(max_iter=15).fit(frame, frame["age"].fillna(3.0)), frame


@pytest.mark.parametrize("kind", ["two", "three", "numbers", "many leaves"])
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("n", [1, 7, MANY_ROWS, 64, 200, 700])
def test_every_way_to_sum_gives_the_same_bits(kind, dtype, n):
    model, frame = fitted(kind)
    rows = np.asarray(model._rows(frame)[0], dtype)[:n]
    trees = model.trees_
    expected = np.tile(trees.baseline, (n, 1))
    for t, tree in enumerate(trees.trees()):
        expected[:, t % trees.n_outputs] += values(tree, rows)[:, 0]
    np.testing.assert_array_equal(trees.raw(rows), expected)
    np.testing.assert_array_equal(trees.raw(rows, threads=3), expected)
    *_, last = trees.staged_raw(rows)
    np.testing.assert_array_equal(last, expected)


def test_the_first_rounds_are_those_of_a_shorter_fit():
    model, frame = fitted("two")
    short = HistGradientBoostingClassifier(max_iter=6).fit(*_training(frame))
    long = HistGradientBoostingClassifier(max_iter=20).fit(*_training(frame))
    rows, _ = long._rows(frame)
    np.testing.assert_array_equal(long.trees_.head(6).raw(rows), short.trees_.raw(rows))
    assert model.trees_.head(0).n_trees == 0


def _training(frame):
    return frame, np.arange(len(frame)) % 2
