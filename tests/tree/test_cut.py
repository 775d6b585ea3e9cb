from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.check import check
from hedgerow.tree.cut import cut
from hedgerow.tree.decide import path_of
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import below

from .examples import titanic
from .same import assert_same
from .strategies import rows_for, trees
from .test_check import chain


def masks(tree: Tree, random: Random) -> np.ndarray:
    return np.array([random.random() < 0.3 for _ in range(tree.n_nodes)])


@given(trees())
def test_cutting_nothing_changes_nothing(tree: Tree) -> None:
    compact = cut(tree, np.zeros(tree.n_nodes, bool))  # words of subsets now in the order of nodes
    assert_same(cut(compact, np.zeros(tree.n_nodes, bool)), compact)
    assert compact.subset_bits.sum() == tree.subset_bits.sum()


@given(trees())
def test_cutting_the_root_leaves_one_leaf(tree: Tree) -> None:
    stump = cut(tree, np.arange(tree.n_nodes) == 0)
    check(stump)
    assert stump.n_nodes == 1
    assert len(stump.subset_bits) == 0


@given(trees(), st.randoms(use_true_random=False))
def test_what_is_kept_is_valid_and_unchanged(tree: Tree, random: Random) -> None:
    mask = masks(tree, random)
    smaller = cut(tree, mask)
    check(smaller)
    kept = np.flatnonzero(~below(tree, mask))
    assert smaller.n_nodes == len(kept) <= tree.n_nodes
    for field in ("value", "weight", "n_rows", "impurity"):
        np.testing.assert_array_equal(getattr(smaller, field), getattr(tree, field)[kept])
    np.testing.assert_array_equal(smaller.kind == LEAF, (tree.kind[kept] == LEAF) | mask[kept])
    assert_same(cut(smaller, mask[kept]), smaller)


@given(trees(), st.randoms(use_true_random=False))
def test_rows_take_the_same_way_as_far_as_it_goes(tree: Tree, random: Random) -> None:
    mask = masks(tree, random)
    kept = np.flatnonzero(~below(tree, mask))
    X = rows_for(tree, random, n=7)
    (before, nodes), (after, kept_nodes) = path_of(tree, X), path_of(cut(tree, mask), X)
    for row in range(len(X)):
        old = [node for node in nodes[before[row] : before[row + 1]] if node in kept]
        assert kept[kept_nodes[after[row] : after[row + 1]]].tolist() == old


def test_a_long_chain_is_cut_in_the_middle() -> None:
    tree = chain(2_000)
    assert cut(tree, np.arange(tree.n_nodes) == 2_000).n_nodes == 2_001


@pytest.mark.parametrize("mask", [[True], np.zeros(9, int), np.zeros((9, 1), bool), [2, 3], None])
def test_a_wrong_mask_is_refused(mask: object) -> None:
    with pytest.raises(ValueError, match=r"wanted bool of shape \(9,\)"):
        cut(titanic()[0], mask)  # type: ignore[arg-type]
