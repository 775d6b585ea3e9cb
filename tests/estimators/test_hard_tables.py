"""Every recipe and every pruning on tables that are hard: thousands of levels, many classes, odd weights, hardly any
rows; and what holds all the same."""

import warnings

import numpy as np
import polars as pl
import pytest

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RuleListClassifier,
    compare_prunings,
    recipe,
    recipes,
)
from hedgerow.prune import ChiSquare, load_methods
from hedgerow.tree.check import check

pytestmark = pytest.mark.slow

N = 400
PRUNINGS = (None, *load_methods())
FOR_NUMBERS = tuple(name for name, kind in load_methods().items() if "regression" in kind.tasks)


def table(seed=0, n=N):
    """A town of thousands of levels, most of them met once; a street of fifty; a number with holes."""
    rng = np.random.default_rng(seed)
    town = rng.integers(0, 4000, n)
    street = rng.integers(0, 50, n)
    height = rng.normal(size=n)
    frame = pl.DataFrame(
        {
            "town": [f"town {k}" for k in town],
            "street": [
                None if gone else f"s{k}" for gone, k in zip(rng.random(n) < 0.1, street, strict=True)
            ],
            "height": pl.Series(np.where(rng.random(n) < 0.1, np.nan, height)).fill_nan(None),
        }
    )
    return frame, height + (street % 3), rng


def weights(kind, rng, n=N):
    return {
        "none": None,
        "uneven": rng.uniform(0.01, 50, n),
        "zeros": rng.integers(0, 3, n).astype(float),
        "tiny": rng.uniform(0.5, 2, n) * 1e-200,
        "huge": rng.uniform(0.5, 2, n) * 1e200,
    }[kind]


def checked(model, frame, y):
    check(model.hedgerow_tree_)
    assert np.isfinite(model.hedgerow_tree_.value).all()
    shares = model.predict_proba(frame)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert set(model.predict(frame)) <= set(y)
    new, _, _ = table(99)
    assert np.isfinite(model.predict_proba(new)).all()  # nearly all towns were never seen


@pytest.mark.parametrize("weight", ["none", "uneven", "zeros", "tiny", "huge"])
@pytest.mark.parametrize("name", [name for name in recipes() if name != "optimal"])  # that takes minutes
def test_recipes_on_many_levels_and_many_classes(name, weight):
    frame, score, rng = table()
    y = np.digitize(score, np.linspace(-2, 4, 40))
    given = weights(weight, rng)
    model = recipe(name).fit(frame, y, given)
    checked(model, frame, y)
    unpruned = recipe(name, prune=None).fit(frame, y, given)
    assert model.hedgerow_tree_.n_nodes <= unpruned.hedgerow_tree_.n_nodes


@pytest.mark.parametrize("splits", ["binary", "multiway"])
@pytest.mark.parametrize("name", PRUNINGS)
def test_prunings_on_many_levels_and_many_classes(name, splits):
    frame, score, rng = table(1)
    for bins in ([0.5], np.linspace(-2, 4, 40)):
        y = np.digitize(score, bins)
        for weight in (rng.uniform(0.01, 50, N), rng.uniform(0.5, 2, N) * 1e-200):
            model = DecisionTreeClassifier(prune=name, splits=splits, min_samples_leaf=2).fit(
                frame, y, weight
            )
            checked(model, frame, y)
            whole = DecisionTreeClassifier(splits=splits, min_samples_leaf=2).fit(frame, y, weight)
            assert model.hedgerow_tree_.n_leaves <= whole.hedgerow_tree_.n_leaves


@pytest.mark.parametrize("criterion", ["squared_error", "absolute_error", "poisson"])
@pytest.mark.parametrize("name", FOR_NUMBERS)
def test_prunings_of_regressions(name, criterion):
    frame, score, rng = table(2)
    y = np.exp(score / 2)
    for weight in (rng.uniform(0.01, 50, N), rng.uniform(0.5, 2, N) * 1e200):
        model = DecisionTreeRegressor(prune=name, criterion=criterion).fit(frame, y, weight)
        check(model.hedgerow_tree_)
        assert np.isfinite(model.predict(frame)).all()
    for scale in (1e150, 1e-150):
        model = DecisionTreeRegressor(prune=name, criterion=criterion).fit(frame, y * scale)
        assert np.isfinite(model.predict(frame)).all()
    forked = (
        DecisionTreeRegressor(prune=name, splits="multiway", missing="fractional")
        if criterion != ("absolute_error")
        else DecisionTreeRegressor(prune=name)
    )
    assert np.isfinite(forked.fit(frame, y).predict(frame)).all()


@pytest.mark.parametrize("name", PRUNINGS)
def test_hardly_any_rows(name):
    """Two rows, one class, columns that say nothing, a column that is missing throughout."""
    for X, y in (
        ([[0.0], [1.0]], [0, 1]),
        ([[0.0], [0.0], [0.0]], [0, 1, 1]),
        ([[0.0, np.nan], [1.0, np.nan], [2.0, np.nan], [3.0, np.nan]], [1, 1, 1, 1]),
        ([[0.0, 1.0]] * 5, ["a", "b", "c", "d", "e"]),
    ):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = DecisionTreeClassifier(prune=name).fit(X, y)
        assert model.hedgerow_tree_.n_leaves <= len(y)
        assert model.predict(X).shape == (len(y),)


@pytest.mark.parametrize("level", ["split", "tree"])
def test_chi_square_with_thousands_of_levels(level):
    """A town for nearly each row tells nothing, however pure its branches are."""
    frame, _, rng = table(3)
    y = rng.integers(0, 2, N)
    model = DecisionTreeClassifier(splits="multiway", prune=ChiSquare(0.01, level=level)).fit(
        frame.select("town"), y
    )
    assert model.hedgerow_tree_.n_nodes == 1


def test_rules_of_many_levels_and_classes():
    frame, score, rng = table(4)
    y = np.digitize(score, np.linspace(-2, 4, 30))
    for weight in (None, rng.uniform(0.01, 50, N)):
        model = RuleListClassifier(min_samples_leaf=2).fit(frame, y, weight)
        assert np.isfinite(model.predict_proba(frame)).all()
        assert model.score(frame, y) > 0.1
        assert type(model.rules_).parse(model.rules_.to_text()) == model.rules_


def test_comparison_of_prunings_with_weights_and_many_classes():
    frame, score, rng = table(5)
    y = np.digitize(score, np.linspace(-2, 4, 20))
    found = compare_prunings(
        DecisionTreeClassifier(min_samples_leaf=3),
        frame,
        y,
        rng.integers(0, 4, N),
        cv=3,
        methods=["chi_square", "pessimistic", "reduced_error", "leaf_limit"],
    )
    assert all(0 <= point.error <= 1 and point.leaves <= found.unpruned.leaves for point in found.points)
