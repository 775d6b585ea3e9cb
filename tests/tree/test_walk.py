import numpy as np
import pytest
from hypothesis import given

from hedgerow.tree.tree import Tree
from hedgerow.tree.walk import (
    above,
    below,
    by_level,
    children_of,
    inner,
    leaves,
    path_to,
    subtree_size,
    sum_up,
)

from . import naive
from .examples import titanic
from .strategies import trees
from .test_check import chain


def test_the_titanic_tree() -> None:
    tree = titanic()[0]
    assert leaves(tree).tolist() == [4, 5, 6, 7, 8]
    assert inner(tree).tolist() == [0, 1, 2, 3]
    assert [level.tolist() for level in by_level(tree)] == [[0], [1, 2], [3, 4, 5, 6], [7, 8]]
    assert subtree_size(tree).tolist() == [9, 5, 3, 3, 1, 1, 1, 1, 1]
    assert path_to(tree, 8) == [(0, 0), (1, 0), (3, 1)]
    assert path_to(tree, 0) == []
    assert children_of(tree, np.array([2, 1])).tolist() == [5, 6, 3, 4]


@given(trees())
def test_sizes_and_sums_agree_with_walking(tree: Tree) -> None:
    own = tree.value[:, 0].copy()
    total, size = sum_up(tree, own), subtree_size(tree)
    for node in range(tree.n_nodes):
        under = [node, *naive.below(tree, node)]
        assert size[node] == len(under)
        np.testing.assert_allclose(total[node], own[under].sum(), atol=1e-9)


@given(trees())
def test_above_and_below_agree(tree: Tree) -> None:
    for node in range(tree.n_nodes):
        mark = np.arange(tree.n_nodes) == node
        assert np.flatnonzero(below(tree, mark)).tolist() == sorted(naive.below(tree, node))
        assert all(node in naive.below(tree, int(up)) for up in np.flatnonzero(above(tree, node)))
        assert above(tree, node).sum() == tree.depth[node]


def test_levels_hold_every_node_once_even_in_a_chain() -> None:
    tree = chain(3_000)
    levels = by_level(tree)
    assert len(levels) == 3_001
    assert sorted(np.concatenate(levels).tolist()) == list(range(tree.n_nodes))


def test_a_node_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"node 9 is not in the tree\. Its nodes are 0 to 8"):
        path_to(titanic()[0], 9)
