"""Constraints hold everywhere: on random tables with gaps and categories, for every loss, at every cell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor
from hedgerow.gradient import loss_names
from hedgerow.tree.tree import LEAF

LOSSES = loss_names("numbers")


def table(seed, n=160):
    """Two numbers, a category of seven levels, a number of few values; gaps in all of them."""
    rng = np.random.default_rng(seed)
    X = np.column_stack(
        [rng.normal(size=n), rng.standard_t(2, size=n), rng.integers(0, 7, n), rng.integers(0, 3, n)]
    )
    y = np.sin(3 * X[:, 0]) + X[:, 1] * (X[:, 2] > 3) - X[:, 3] + rng.normal(size=n)
    X[rng.random(X.shape) < 0.1] = np.nan
    return X, y


def curves(model, X, column, predict):
    """Predictions over a fine grid of one column, a line a row."""
    known = X[~np.isnan(X[:, column]), column]
    grid = np.unique(np.concatenate([known, np.linspace(known.min() - 1, known.max() + 1, 30)]))
    varied = np.repeat(X[:25], len(grid), axis=0)
    varied[:, column] = np.tile(grid, 25)
    return predict(varied).reshape(25, len(grid))


@settings(max_examples=25, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(LOSSES),
    st.sampled_from(["leaf", "level"]),
    st.sampled_from([1.0, 0.6]),
    st.sampled_from([0.1, 1.0]),
)
def test_predictions_are_monotone_on_random_tables(seed, loss, growth, subsample, learning_rate):
    X, y = table(seed)
    y = np.exp(y / 4) if loss in ("poisson", "gamma", "tweedie") else y
    model = HistGradientBoostingRegressor(
        loss,
        quantile=0.3,
        monotonic_cst=[1, -1, 0, 0],
        categorical_features=[2],
        max_iter=6,
        min_samples_leaf=2,
        growth=growth,
        subsample=subsample,
        learning_rate=learning_rate,
        random_state=0,
    )
    model.fit(X, y)
    for column, way in ((0, 1), (1, -1)):
        found = curves(model, X, column, model.predict)
        assert (way * np.diff(found, axis=1)).min() >= -1e-9 * max(1.0, np.abs(found).max())


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(["log_loss", "exponential"]))
def test_probabilities_are_monotone_on_random_tables(seed, loss):
    X, y = table(seed)
    model = HistGradientBoostingClassifier(
        loss,
        monotonic_cst=[1, -1, 0, 0],
        categorical_features=[False, False, True, False],
        max_iter=6,
        min_samples_leaf=2,
    )
    model.fit(X, y > np.median(y))
    for column, way in ((0, 1), (1, -1)):
        found = curves(model, X, column, lambda rows: model.predict_proba(rows)[:, 1])
        assert (way * np.diff(found, axis=1)).min() >= -1e-12


def test_probabilities_of_several_classes_cannot_be_monotone():
    X, y = table(0)
    with pytest.raises(ValueError, match="monotonic_cst needs two classes, but y has 3"):
        HistGradientBoostingClassifier(monotonic_cst=[1, 0, 0, 0]).fit(X, np.arange(len(y)) % 3)


def columns_of_paths(tree):
    """For each leaf, the columns asked on the way to it."""
    varied, found = [set() for _ in range(tree.n_nodes)], []
    for node in range(tree.n_nodes):
        if tree.kind[node] == LEAF:
            found.append(varied[node])
            continue
        first = int(tree.first_child[node])
        varied[first] = varied[first + 1] = varied[node] | {int(tree.feature[node])}
    return found


@settings(max_examples=15, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(
        [
            ("pairwise", [{a, b} for a in range(4) for b in range(4)]),
            ("no_interactions", [{0}, {1}, {2}, {3}]),
            ([(0, 1)], [{0, 1}, {2, 3}]),
            ([{0, 2}, {2, 3}], [{0, 2}, {2, 3}, {1}]),
        ]
    ),
    st.sampled_from(["leaf", "level"]),
    st.sampled_from([1.0, 0.5]),
)
def test_columns_of_a_branch_lie_in_one_group(seed, given_and_groups, growth, max_features):
    given_groups, groups = given_and_groups
    X, y = table(seed)
    model = HistGradientBoostingRegressor(
        interaction_cst=given_groups,
        max_iter=5,
        min_samples_leaf=2,
        growth=growth,
        max_features=max_features,
        categorical_features=[2],
        random_state=0,
    )
    model.fit(X, y)
    paths = [path for tree in model.trees_.trees() for path in columns_of_paths(tree)]
    assert all(any(path <= group for group in groups) for path in paths)
    assert any(paths)


@pytest.mark.parametrize("bad", [["ab"], [(0, 9)], 5, "some"])
def test_groups_that_cannot_be_are_named(bad):
    X, y = table(0)
    with pytest.raises(ValueError, match="Interaction constraints"):
        HistGradientBoostingRegressor(interaction_cst=bad).fit(X, y)
