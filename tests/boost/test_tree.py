"""Trees as weak predictors: the exponential criterion, and its outputs."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.boost import rows_of_matrix
from hedgerow.boost.weak.c45 import c45
from hedgerow.boost.weak.tree import Tree
from hedgerow.grow import Classes, Limits, grow
from hedgerow.tree.tree import LEAF

RNG = np.random.default_rng(0)


def gain(left, right):
    """Lecture 001, without the factor 2."""
    both = left + right
    return np.sqrt(both[0] * both[1]) - np.sqrt(left[0] * left[1]) - np.sqrt(right[0] * right[1])


def best_gain(x, codes, weight):
    found = 0.0
    for j in range(x.shape[1]):
        for low in np.unique(x[:, j])[:-1]:
            left = x[:, j] <= low
            masses = [np.bincount(codes[side], weight[side], minlength=2) for side in (left, ~left)]
            found = max(found, gain(*masses))
    return found


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(0, 2**31), n=st.integers(2, 50), d=st.integers(1, 4), values=st.sampled_from([2, 5, 50])
)
def test_the_root_has_the_largest_gain(seed, n, d, values):
    rng = np.random.default_rng(seed)
    x = rng.integers(0, values, (n, d)).astype(float)
    codes, weight = rng.integers(0, 2, n).astype(np.int32), rng.random(n) + 0.01
    rows = rows_of_matrix(x)
    tree = grow(rows.encoded, Classes(codes, 2, weight), "exponential", Limits(d, max_depth=1))
    mass = tree.value * tree.weight[:, None]
    best = best_gain(x, codes, weight)
    if tree.n_nodes == 1:
        assert best == pytest.approx(0, abs=1e-6)
    else:
        assert gain(mass[1], mass[2]) == pytest.approx(best, abs=1e-9)
    assert tree.impurity[0] == pytest.approx(2 * np.sqrt(mass[0].prod()) / tree.weight[0])


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**31), depth=st.integers(1, 4))
def test_calibrated_answers(seed, depth):
    """Half the log odds of each leaf; the exponential loss is then the sum of 2 sqrt(mu+ mu-) over the leaves."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(80, 3))
    signs = np.where(x[:, 0] + rng.normal(size=80) > 0, 1.0, -1.0)
    weight = rng.random(80)
    weight /= weight.sum()
    rows = rows_of_matrix(x)
    weak = Tree("calibrated", max_depth=depth, min_rows_leaf=5, smoothing=0.0).fit(rows, signs, weight, RNG)
    outputs = weak.outputs(rows)
    loss = 0.0
    for value in np.unique(outputs):
        here = outputs == value
        plus, minus = weight[here & (signs > 0)].sum(), weight[here & (signs < 0)].sum()
        if np.isfinite(value):
            assert value == pytest.approx(0.5 * np.log(plus / minus))
        loss += 2 * np.sqrt(plus * minus)
    finite = np.isfinite(outputs)
    assert weight[finite] @ np.exp(-signs[finite] * outputs[finite]) == pytest.approx(loss)


def test_answers_of_signs_and_classes():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 3))
    codes = (np.digitize(x[:, 0], [-0.5, 0.5])).astype(np.int32)
    rows, weight = rows_of_matrix(x), np.full(200, 1 / 200)
    assert np.array_equal(Tree().fit_classes(rows, codes, 3, weight, RNG).choices(rows), codes)
    signs = np.where(codes == 2, 1.0, -1.0)
    assert np.array_equal(Tree().fit(rows, signs, weight, RNG).outputs(rows), signs)
    small = c45().fit(rows, signs, weight, RNG)
    assert set(small.outputs(rows)) == {-1.0, 1.0}
    assert "leaves" in small.describe()


def test_limits_of_growth():
    rng = np.random.default_rng(2)
    x = rng.normal(size=(300, 4))
    signs, weight = rng.choice([-1.0, 1.0], 300), np.full(300, 1 / 300)
    rows = rows_of_matrix(x)
    grown = Tree(max_depth=3).fit(rows, signs, weight, RNG).tree
    assert grown.max_depth == 3
    leaf = Tree("calibrated", min_rows_leaf=20).fit(rows, signs, weight, RNG).tree
    assert leaf.n_rows[leaf.kind == LEAF].min() >= 20
    assert Tree(max_leaves=5).fit(rows, signs, weight, RNG).tree.n_leaves == 5
    one, other = (Tree(max_features=1, max_depth=3).fit(rows, signs, weight, RNG) for _ in range(2))
    assert not np.array_equal(one.outputs(rows), other.outputs(rows))
