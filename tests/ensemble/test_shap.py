"""Shapley values: the native kernel against every subset of columns, against the shap package, and additive."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.ensemble.flat import flatten
from hedgerow.ensemble.shap import shap_values
from hedgerow.tree.decide import value_of
from tree.strategies import rows_for, trees
from twins.shapley import shapley


@pytest.mark.slow
@settings(max_examples=25)
@given(trees(most_splits=8), st.randoms(use_true_random=False))
def test_equal_to_the_definition(tree, random):
    """Thresholds, subsets, multiway nodes, missing cells to one child or to all, levels never seen."""
    rows = rows_for(tree, random, n=5)
    found = shap_values(flatten((tree,)), rows)
    for k, row in enumerate(rows):
        phi, base = shapley(tree, row)
        np.testing.assert_allclose(found.values[k], phi, atol=1e-10 * max(1, np.abs(tree.value).max()))
        np.testing.assert_allclose(found.base, base, rtol=1e-10, atol=1e-12)


@given(st.lists(trees(most_splits=12), min_size=1, max_size=1), st.randoms(use_true_random=False))
def test_additive(some, random):
    tree = some[0]
    rows = rows_for(tree, random, n=19)
    found = shap_values(flatten((tree, tree)), rows)
    total = found.base + found.values.sum(axis=1)
    np.testing.assert_allclose(total, value_of(tree, rows), rtol=1e-10, atol=1e-10)


def data(n=300, d=7, missing=0.1, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    y = X[:, 0] * X[:, 1] + np.sin(2 * X[:, 2]) + 0.1 * rng.normal(size=n)
    X[rng.random((n, d)) < missing] = np.nan
    return X, y


@pytest.mark.parametrize("missing", ["learned", "surrogate", "fractional"])
def test_additive_for_deep_trees_with_missing_cells(missing):
    X, y = data()
    models = [
        DecisionTreeRegressor(missing=missing, max_features=3, random_state=k).fit(X, y) for k in range(3)
    ]
    found = shap_values(flatten(tuple(m.hedgerow_tree_ for m in models)), X)
    mean = np.mean([m.predict(X) for m in models], axis=0)
    np.testing.assert_allclose(found.base[0] + found.values[:, :, 0].sum(axis=1), mean, atol=1e-10)


def test_many_classes_and_very_deep_paths():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 40))
    y = rng.integers(0, 11, 400)
    tree = DecisionTreeClassifier(max_features=1, random_state=0).fit(X, y).hedgerow_tree_
    found = shap_values(flatten((tree,)), X)
    np.testing.assert_allclose(found.base + found.values.sum(axis=1), value_of(tree, X), atol=1e-10)
    chain = np.arange(300.0)[:, None]  # one long branch of one column
    y = np.cumsum(3.0 ** -np.arange(300))
    long = DecisionTreeRegressor(random_state=0).fit(chain, y).hedgerow_tree_
    found = shap_values(flatten((long,)), chain)
    np.testing.assert_allclose(found.base[0] + found.values[:, 0, 0], y, atol=1e-10)


def test_same_bits_for_any_number_of_threads_and_either_width():
    X, y = data(missing=0)
    X32 = X.astype(np.float32)
    tree = DecisionTreeRegressor(max_depth=9).fit(X32, y).hedgerow_tree_
    one = shap_values(flatten((tree,)), X32, 1).values
    for threads in (2, 3, 8):
        assert np.array_equal(one, shap_values(flatten((tree,)), X32, threads).values)
    assert np.array_equal(one, shap_values(flatten((tree,)), np.asfortranarray(X32.astype(float))).values)


def test_a_column_that_is_not_asked_for_has_no_share_and_twins_share_alike():
    X, y = data(missing=0)
    X[:, 6] = 1.0
    tree = DecisionTreeRegressor(max_depth=6).fit(X, y).hedgerow_tree_
    values = shap_values(flatten((tree,)), X).values
    assert not values[:, 6].any()
    assert values[:, 0].any()


def test_a_tree_of_one_leaf():
    X, _ = data()
    tree = DecisionTreeRegressor().fit(X, np.full(len(X), 5.0)).hedgerow_tree_
    found = shap_values(flatten((tree,)), X)
    assert not found.values.any()
    assert found.base.tolist() == [5.0]


def test_rows_with_too_few_columns_are_refused():
    X, y = data(missing=0)
    tree = DecisionTreeRegressor(max_depth=6).fit(X, y).hedgerow_tree_
    with pytest.raises(ValueError, match="fewer columns"):
        shap_values(flatten((tree,)), X[:, :2])


def test_against_the_shap_package():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shap = pytest.importorskip("shap")
        from sklearn import tree
    X, y = data(missing=0, n=600)
    X = X.astype(np.float32).astype(float)
    label = (y > 0).astype(int)
    for ours, theirs, target in (
        (DecisionTreeRegressor(min_samples_leaf=8), tree.DecisionTreeRegressor(min_samples_leaf=8), y),
        (DecisionTreeClassifier(max_depth=4), tree.DecisionTreeClassifier(max_depth=4), label),
    ):
        ours.fit(X, target)
        theirs.set_params(random_state=0).fit(X, target)
        np.testing.assert_allclose(ours.predict(X), theirs.predict(X), rtol=1e-12)
        explainer = shap.TreeExplainer(theirs, feature_perturbation="tree_path_dependent")
        expected = np.asarray(explainer.shap_values(X[:50]))
        found = shap_values(flatten((ours.hedgerow_tree_,)), X[:50]).values
        np.testing.assert_allclose(found.reshape(expected.shape), expected, atol=1e-8)
