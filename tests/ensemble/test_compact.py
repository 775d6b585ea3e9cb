"""Forests as few bytes: what comes back is what went in, and arrays that nobody wrote are refused."""

from dataclasses import fields, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow import ExtraTreesRegressor, RandomForestClassifier, RandomForestRegressor
from hedgerow.ensemble.compact import Compact, compact_forest, expand_forest
from hedgerow.tree.check import TreeError
from hedgerow.tree.decide import value_of
from hedgerow.tree.tree import SUBSET, Tree
from tree.strategies import rows_for, trees

NEAR = ("value", "impurity")
ELSEWHERE = ("subset_start", "subset_bits")  # words come back in the order of the nodes
EXACT = [field.name for field in fields(Tree) if field.name not in (*NEAR, *ELSEWHERE)]


def arrays_of(compact: Compact) -> dict:
    return {field.name: getattr(compact, field.name) for field in fields(Compact)}


@pytest.mark.slow
@settings(max_examples=60)
@given(trees(), st.randoms(use_true_random=False))
def test_round_trip_of_any_tree(tree, random):
    criterion = "squared_error" if tree.n_outputs == 1 else "gini"
    again = expand_forest(arrays_of(compact_forest((tree, tree), criterion)), criterion)
    assert len(again) == 2
    for name in EXACT:
        assert np.array_equal(getattr(again[1], name), getattr(tree, name), equal_nan=name != "kind"), name
    for node in np.flatnonzero(tree.kind == SUBSET):
        many = int(tree.n_levels[tree.feature[node]]) // 64 + 1
        words = [one.subset_bits[one.subset_start[node] :][:many].tolist() for one in (tree, again[1])]
        assert words[0] == words[1]
    np.testing.assert_allclose(
        again[1].value, tree.value, rtol=1e-9, atol=1e-300
    )  # below: rounding of denormals
    np.testing.assert_allclose(again[1].impurity, tree.impurity, atol=1e-8)
    rows = rows_for(tree, random)
    assert np.array_equal(value_of(again[0], rows), value_of(tree, rows))


def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 4))
    return X, X[:, 0] + rng.normal(size=300)


@pytest.mark.parametrize("criterion", ["gini", "entropy", "misclassification"])
def test_inner_nodes_follow_from_their_leaves(criterion):
    X, y = data()
    model = RandomForestClassifier(5, criterion=criterion, random_state=0).fit(X, np.digitize(y, [-1, 1]))
    compact = compact_forest(model.forest_.trees, criterion)
    for name in ("inner_value", "inner_weight", "inner_rows", "inner_impurity"):
        assert len(getattr(compact, name)) == 0
    assert compact.nodes.nbytes == 16 * sum(tree.n_nodes for tree in model.forest_.trees)
    for tree, again in zip(model.forest_.trees, expand_forest(arrays_of(compact), criterion), strict=True):
        np.testing.assert_allclose(again.value, tree.value, atol=1e-12)
        np.testing.assert_allclose(again.impurity, tree.impurity, atol=1e-9)


def test_numbers_follow_too_and_medians_are_kept():
    X, y = data()
    squares = RandomForestRegressor(3, random_state=0).fit(X, y).forest_.trees
    assert len(compact_forest(squares, "squared_error").inner_impurity) == 0
    medians = ExtraTreesRegressor(3, criterion="absolute_error", random_state=0).fit(X, y).forest_.trees
    compact = compact_forest(medians, "absolute_error")
    assert len(compact.inner_value) > 0
    for tree, again in zip(medians, expand_forest(arrays_of(compact), "absolute_error"), strict=True):
        assert np.array_equal(tree.value, again.value)
        assert np.array_equal(tree.impurity, again.impurity)


@pytest.mark.slow
@settings(max_examples=300)
@given(trees(most_splits=6), st.randoms(use_true_random=False))
def test_arrays_that_nobody_wrote(tree, random):
    """One cell changed, anywhere: a TreeError, or a tree that is whole."""
    arrays = arrays_of(compact_forest((tree, tree), "gini"))
    name = random.choice([name for name, array in arrays.items() if array.size])
    array = arrays[name].copy()
    raw = array.reshape(-1).view(np.uint8)
    for _ in range(random.randint(1, 3)):
        raw[random.randrange(len(raw))] = random.randrange(256)
    try:
        with np.errstate(all="ignore"):
            again = expand_forest({**arrays, name: array}, "gini")
    except TreeError:
        return
    for one in again:
        value_of(one, rows_for(one, random, n=3))


@pytest.mark.parametrize("name", [field.name for field in fields(Compact)])
def test_arrays_cut_short(name):
    X, y = data()
    model = RandomForestClassifier(2, missing="surrogate", random_state=0)
    model.fit(np.where(np.random.default_rng(1).random(X.shape) < 0.2, np.nan, X), y > 0)
    compact = compact_forest(model.forest_.trees, "gini")
    array = getattr(compact, name)
    if not len(array):
        return
    short = replace(compact, **{name: array[:-1]})
    with pytest.raises(TreeError):
        expand_forest(arrays_of(short), "gini")
