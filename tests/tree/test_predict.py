"""The native walk against the walk in NumPy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.core import native
from hedgerow.tree import decide, predict
from hedgerow.tree.pack import pack, packable, spreads
from prune.samples import case_of

from .examples import Builder
from .strategies import rows_for, trees


@given(trees(), st.randoms(use_true_random=False), st.sampled_from([0, 1, 5, 17, 33]))
def test_leaves_and_values_are_those_of_the_slow_walk(tree, random, n):
    X = rows_for(tree, random, n)
    wanted = decide.value_of(tree, X)
    if not spreads(tree):
        np.testing.assert_array_equal(predict.leaves(tree, X), decide.leaf_of(tree, X))
    for threads in (1, 3):
        np.testing.assert_array_equal(predict.values(tree, X, threads), wanted)  # to the bit
    in_32_bits = X.astype(np.float32)
    np.testing.assert_array_equal(predict.values(tree, in_32_bits), decide.value_of(tree, in_32_bits))


@pytest.mark.parametrize("kind", ["multiway", "spread", "surrogates"])
@pytest.mark.parametrize("seed", range(4))
def test_grown_trees_that_fork(kind, seed):
    """Many rows, in parts; cells missing and levels never seen."""
    tree = case_of(kind, seed, n=300).grown()
    X = case_of(kind, seed + 9, n=5000, missing=0.2).X
    X[::7, -1] = tree.n_levels[-1]
    wanted = decide.value_of(tree, X)
    for view in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2]):
        for threads in (1, 2, 3, 8):
            np.testing.assert_array_equal(predict.values(tree, view, threads), wanted)
    if not spreads(tree):
        np.testing.assert_array_equal(predict.leaves(tree, X, 3), decide.leaf_of(tree, X))
    else:
        with pytest.raises(ValueError, match="has no single leaf"):
            predict.leaves(tree, X, 3)


@given(trees(spread=False).filter(packable), st.randoms(use_true_random=False))
def test_any_memory_order(tree, random):
    X = rows_for(tree, random, 19)
    wanted = decide.leaf_of(tree, X)
    wide = np.full((38, 2 * tree.n_features), np.nan)
    wide[::2, ::2] = X
    for view in (np.asfortranarray(X), wide[::2, ::2], np.ascontiguousarray(X[::-1])[::-1]):
        np.testing.assert_array_equal(predict.leaves(tree, view), wanted)


@given(trees(spread=False).filter(packable), st.randoms(use_true_random=False))
def test_32_bit_rows_are_compared_as_they_are(tree, random):
    X = rows_for(tree, random, 19).astype(np.float32)
    np.testing.assert_array_equal(predict.leaves(tree, X), decide.leaf_of(tree, X.astype(np.float64)))


@pytest.mark.parametrize("n", [1, 15, 16, 17, 4095, 4096, 4097, 20_001])
@pytest.mark.parametrize("threads", [1, 3])
def test_any_number_of_rows(n, threads):
    """Around the number of rows that walk at once, and around a task's worth of rows."""
    b = Builder((0, 0, 70))
    b.root([0.5, 0.5], 100)
    first = b.threshold(0, 0, 0.25, [([0.9, 0.1], 40), ([0.1, 0.9], 60)], 0)
    b.subset(first, 2, {0, 3, 69, 70}, [([1.0, 0.0], 20), ([0.2, 0.8], 20)], 1)
    tree = b.tree()
    rng = np.random.default_rng(n)
    X = np.column_stack([rng.normal(size=n), rng.normal(size=n), rng.integers(0, 71, n).astype(float)])
    X[rng.random(X.shape) < 0.1] = np.nan
    np.testing.assert_array_equal(predict.leaves(tree, X, threads), decide.leaf_of(tree, X))
    np.testing.assert_array_equal(predict.values(tree, X, threads), decide.value_of(tree, X))


@pytest.mark.parametrize("n", [1, 7, 8, 9, 4097])
def test_a_deep_thin_tree_of_32_bit_rows(n):
    """One long path beside short ones: rows that walk together arrive at very different times."""
    b = Builder((0, 0, 0))
    b.root([0.0], 100)
    at = 0
    for k in range(90):
        at = 1 + b.threshold(at, k % 3, k / 100, [([float(k)], 1), ([-1.0], 99 - k)], k % 2)
    tree = b.tree()
    X = np.random.default_rng(n).random((n, 3)).astype(np.float32)
    X[::5, 1] = np.nan
    for threads in (1, 3):
        np.testing.assert_array_equal(predict.leaves(tree, X, threads), decide.leaf_of(tree, X))


def test_the_bindings_refuse_other_numbers():
    b = Builder((0,))
    b.root([0.5], 9)
    tree = b.tree()
    with pytest.raises(TypeError, match="float32 or float64"):
        native.leaves(pack(tree).nodes, 0, tree.subset_bits, np.zeros((7, 1), np.int64), 1)
