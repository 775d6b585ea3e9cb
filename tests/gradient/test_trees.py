"""Sums of trees: 64 rows at a time, one by one and tree by tree are the same bits."""

import numpy as np
import pytest
from tests.estimators.test_hist_gradient_boosting import mixed

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from hedgerow.encode import matrix
from hedgerow.estimators.gradient_columns import read_numbers, read_table
from hedgerow.gradient.trees import MANY_ROWS, number_leaves
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


@pytest.mark.parametrize("spread", ["even", "skewed", "far", "equal"])
def test_a_number_is_found_among_the_thresholds_however_they_lie(spread):
    rng = np.random.default_rng(3)
    x = rng.normal(size=(900, 3))
    if spread == "skewed":
        x = np.exp(4 * x)
    elif spread == "far":
        x[:2] = [[-1e300] * 3, [1e300] * 3]
    elif spread == "equal":
        x = np.round(x)
    model = HistGradientBoostingRegressor(max_iter=40, min_samples_leaf=1).fit(x, rng.normal(size=900))
    edges = model.trees_.threshold[model.trees_.column >= 0]
    rows = np.concatenate([x, np.stack([edges, np.nextafter(edges, np.inf), -edges], axis=1)])
    rows[::13, 1] = np.nan
    expected = np.concatenate([model.trees_.raw(row[None]) for row in rows])
    np.testing.assert_array_equal(model.trees_.raw(rows), expected)


def test_leaves_are_numbered_from_left_to_right():
    #          0             0
    #        1   2         1   2
    #           3 4
    start, first_child = np.array([0, 5, 8, 9]), np.array([1, -1, 3, -1, -1, 1, -1, -1, -1], np.int32)
    found = number_leaves(start, first_child)
    assert found.order.tolist() == [1, 3, 4, 6, 7, 8]
    assert found.leaf_start.tolist() == [0, 3, 5]
    assert found.inner_start.tolist() == [0, 2, 3, 3]
    assert found.n_below.tolist() == [3, 1, 2, 1, 1, 2, 1, 1, 1]
    assert found.child_slots[:, [0, 2, 5]].tolist() == [[2, 2, 1], [1, 2, 1]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_categories_of_an_array_of_numbers_are_read_as_a_table_reads_them(dtype):
    rng = np.random.default_rng(5)
    X = rng.integers(0, 9, size=(300, 4)).astype(dtype)
    X[:, 0] = rng.normal(size=300)
    X[::17, 2] = np.nan
    y = (X[:, 1] > 4) ^ (X[:, 3] < 3)
    model = HistGradientBoostingClassifier(max_iter=5, categorical_features=[1, 2, 3]).fit(X, y)
    other = X.copy()
    other[:9, 3] = [-1, 2.5, 99, 1e5, np.nan, -0.0, 8, 9, 1e17]
    for rows in (other[:8], np.asfortranarray(other[:8]), other[3:4]):
        found = read_numbers(model, rows, model.schema_, 2)
        np.testing.assert_array_equal(found, matrix(model.schema_, read_table(model, rows, model.schema_)))
    assert read_numbers(model, other.tolist(), model.schema_, 1) is None
    model.predict(other)  # 1e17 cannot be a level of these
    text = HistGradientBoostingClassifier(max_iter=2, categorical_features=[1]).fit(X + 0.5, y)
    assert read_numbers(text, X, text.schema_, 1) is None  # levels such as 2.5


def test_the_first_rounds_are_those_of_a_shorter_fit():
    model, frame = fitted("two")
    short = HistGradientBoostingClassifier(max_iter=6).fit(*_training(frame))
    long = HistGradientBoostingClassifier(max_iter=20).fit(*_training(frame))
    rows, _ = long._rows(frame)
    np.testing.assert_array_equal(long.trees_.head(6).raw(rows), short.trees_.raw(rows))
    assert model.trees_.head(0).n_trees == 0


def _training(frame):
    return frame, np.arange(len(frame)) % 2
