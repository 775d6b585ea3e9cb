"""Exponential loss and weighted entropy of two classes, scored many thresholds at once: against every threshold tried
one by one in NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.encode import encode
from hedgerow.grow import Classes, Limits, grow
from hedgerow.table import to_table

LOSSES = {
    "exponential": lambda a, b: 2 * np.sqrt(a * b),
    "entropy": lambda a, b: sum(-m * np.log2(m / (a + b)) if m > 0 else 0.0 for m in (a, b)),
}


def gain(kind, first, codes, weight):
    """What is gained by telling the rows `first` from the others."""
    mass = [[weight[side & (codes == k)].sum() for k in (0, 1)] for side in (first, ~first)]
    whole = np.sum(mass, axis=0)
    return LOSSES[kind](*whole) - sum(LOSSES[kind](*side) for side in mass)


def best_gain(kind, matrix, codes, weight):
    sides = [
        first
        for values in matrix.T
        for low in np.unique(values[~np.isnan(values)])
        for first in (values <= low, (values <= low) | np.isnan(values))
        if first.any() and not first.all()
    ]
    return max((gain(kind, first, codes, weight) for first in sides), default=None)


@pytest.mark.parametrize("kind", sorted(LOSSES))
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    n=st.integers(2, 90),
    values=st.sampled_from([2, 5, 1000]),
    missing=st.sampled_from([0, 0.3]),
    spread=st.sampled_from([0, 3, 25]),
)
def test_no_threshold_gains_more(kind, seed, n, values, missing, spread):
    rng = np.random.default_rng(seed)
    matrix = rng.integers(0, values, size=(n, 3)).astype(float)
    matrix[rng.random(matrix.shape) < missing] = np.nan
    codes = rng.integers(0, 2, n).astype(np.int32)
    weight = np.exp(-spread * rng.random(n))  # over eleven orders of magnitude
    tree = grow(
        encode(to_table(matrix)), Classes(codes, 2, weight), kind, Limits(max_features=3, max_depth=1)
    )
    best = best_gain(kind, matrix, codes, weight)
    pure = len(np.unique(codes)) < 2
    if best is None or pure:
        assert tree.n_nodes == 1
        return
    column, threshold = int(tree.feature[0]), tree.threshold[0]
    cells = matrix[:, column]
    first = np.where(np.isnan(cells), tree.missing_child[0] == tree.first_child[0], cells <= threshold)
    whole = LOSSES[kind](*(weight[codes == k].sum() for k in (0, 1)))
    assert gain(kind, first.astype(bool), codes, weight) == pytest.approx(best, abs=2e-11 * whole)


@pytest.mark.parametrize("kind", sorted(LOSSES))
def test_the_same_tree_for_any_number_of_threads(kind):
    rng = np.random.default_rng(0)
    matrix = rng.normal(size=(20_000, 4))
    codes = (matrix[:, 0] * matrix[:, 1] > rng.normal(size=len(matrix))).astype(np.int32)
    target = Classes(codes, 2, rng.random(len(matrix)))
    trees = [
        grow(encode(to_table(matrix)), target, kind, Limits(max_features=4, max_depth=6), threads=k)
        for k in (1, 2, 3)
    ]
    for tree in trees[1:]:
        assert np.array_equal(tree.threshold, trees[0].threshold, equal_nan=True)
        assert np.array_equal(tree.value, trees[0].value)
