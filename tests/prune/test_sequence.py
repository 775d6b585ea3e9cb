"""Weakest links against their slow twin, and the promise of the nested sequence against all subtrees."""

from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hedgerow.core import native
from hedgerow.prune import cut_path
from hedgerow.prune.sequence import weighted_impurity
from hedgerow.tree.check import check
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF
from twins.cases import random_case
from twins.links import weakest_links
from twins.loss import CLASSES, NUMBERS

CRITERIA = (*CLASSES, *NUMBERS)


@st.composite
def binary_trees(draw):
    """Parents of a random binary tree, and a risk for each node that splitting never raises."""
    parent, leaves = [-1], [0]
    for _ in range(draw(st.integers(0, 12))):
        at = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        leaves += [len(parent), len(parent) + 1]
        parent += [at, at]
    own = [draw(st.integers(0, 64)) for _ in parent]
    total = np.array(own, float)
    for node in range(len(parent) - 1, 0, -1):
        total[parent[node]] += total[node]
    return np.array(parent, np.int32), total / max(total[0], 1)


@given(binary_trees())
def test_the_weakest_link_is_cut_first(tree):
    parent, own = tree
    alpha, order, after = native.weakest_links(parent, own)
    strengths, nodes, risks = weakest_links(parent, own)
    gaps = np.diff(np.sort(strengths))
    assume(not ((gaps > 0) & (gaps < 1e-9)).any())
    np.testing.assert_allclose(alpha[order], strengths, atol=1e-12)
    np.testing.assert_allclose(after, risks, atol=1e-12)
    if (gaps > 1e-9).all():
        assert order.tolist() == nodes
    assert np.isinf(np.delete(alpha, order)).all()


@pytest.mark.parametrize("criterion", CRITERIA)
def test_each_step_is_the_best_of_all_subtrees(criterion):
    """R + alpha * leaves, by brute force: the tree kept has the smallest, and among those the fewest leaves."""
    case = random_case(8, criterion, n=61, numbers=2, ties=False, limits={"max_leaves": 8})
    tree = case.grown()
    path, own = cut_path(tree), weighted_impurity(tree)
    subtrees = all_subtrees(tree)
    middles = (path.alpha[1:] + path.alpha[:-1]) / 2
    for alpha in [*middles, path.alpha[-1] + 1]:
        costs = [own[list(leaves)].sum() + alpha * len(leaves) for leaves in subtrees]
        kept = cut(tree, path.mask(alpha))
        cost = weighted_impurity(kept)[kept.kind == LEAF].sum() + alpha * kept.n_leaves
        assert cost == pytest.approx(min(costs), rel=1e-9)
        fewest = min(len(leaves) for leaves, c in zip(subtrees, costs, strict=True) if c <= cost + 1e-12)
        assert kept.n_leaves == fewest


def all_subtrees(tree):
    """Each pruned subtree, as the set of its leaves."""

    def below(node):
        if tree.kind[node] == LEAF:
            return [(node,)]
        first = int(tree.first_child[node])
        return [(node,), *(a + b for a, b in product(below(first), below(first + 1)))]

    return below(0)


@pytest.mark.slow
@pytest.mark.parametrize("criterion", CRITERIA)
@given(seed=st.integers(0, 10**6))
def test_the_sequence_is_nested_and_ends_at_the_root(criterion, seed):
    case = random_case(seed, criterion, n=53, numbers=2, categories=1, missing=0.1, weights="uneven")
    tree = case.grown()
    path = cut_path(tree)
    assert path.alpha[0] == 0
    assert (np.diff(path.alpha) >= 0).all()
    assert path.n_leaves[0] == tree.n_leaves
    assert path.n_leaves[-1] == 1
    assert (np.diff(path.n_leaves) < 0).all()
    assert path.risk[0] == pytest.approx(weighted_impurity(tree)[tree.kind == LEAF].sum())
    assert path.risk[-1] == pytest.approx(tree.impurity[0], abs=1e-12)
    assert (np.diff(path.risk) > -1e-9).all()
    last = tree.n_nodes + 1
    for alpha in np.unique(path.alpha):
        kept = cut(tree, path.mask(alpha))
        check(kept)
        assert kept.n_nodes <= last
        last = kept.n_nodes
    assert last == 1


@pytest.mark.parametrize("criterion", CRITERIA)
def test_the_leaves_told_are_the_leaves_there(criterion):
    case = random_case(4, criterion, n=83, numbers=2, ties=False)
    tree = case.grown()
    path = cut_path(tree)
    for k in range(len(path.alpha)):
        if k + 1 < len(path.alpha) and path.alpha[k + 1] - path.alpha[k] < 1e-12:
            continue
        kept = cut(
            tree,
            cut_path(tree).mask(
                (path.alpha[k] + np.append(path.alpha, np.inf)[k + 1]) / 2
                if k + 1 < len(path.alpha)
                else path.alpha[k] + 1,
            ),
        )
        assert kept.n_leaves == path.n_leaves[k]
        assert weighted_impurity(kept)[kept.kind == LEAF].sum() == pytest.approx(path.risk[k])


def test_a_single_leaf_has_nothing_to_cut():
    tree = random_case(0, "gini", n=7, limits={"max_depth": 0}).grown()
    path = cut_path(tree)
    assert path.alpha.tolist() == [0.0]
    assert path.n_leaves.tolist() == [1]
    assert not cut_path(tree).mask(9.0).any()


def test_the_bindings_refuse_a_child_before_its_parent():
    with pytest.raises(ValueError, match="parents must come before children"):
        native.weakest_links(np.array([-1, 2, 0], np.int32), np.zeros(3))
    with pytest.raises(ValueError, match="risk has 2 entries"):
        native.weakest_links(np.array([-1, 0, 0], np.int32), np.zeros(2))
