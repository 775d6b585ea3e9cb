"""Getting about in a Tree.   In: a Tree (checked).   Out: nodes, masks, sums. No recursion; no data needed.

Top-down and bottom-up go level by level, all nodes of a level at once:

    by_level    [[0], [1, 2], [3, 4]]          levels  0 | 1 2 | 3 4
    sum_up      own number + those of everything below, from the last level to the first
"""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from hedgerow.tree.tree import LEAF, NONE, Tree, ramp
from hedgerow.types import Count, Mask

Number = TypeVar("Number", np.int64, np.float64)


def leaves(tree: Tree) -> Count:
    """The leaves, in order."""
    return np.flatnonzero(tree.kind == LEAF)


def inner(tree: Tree) -> Count:
    """The nodes that test something, in order."""
    return np.flatnonzero(tree.kind != LEAF)


def children_of(tree: Tree, nodes: Count) -> Count:
    """The children of the nodes, siblings together, in the order of `nodes`."""
    many = tree.n_children[nodes]
    return np.repeat(tree.first_child[nodes].astype(np.int64), many) + ramp(many)


def by_level(tree: Tree) -> list[Count]:
    """The nodes of each depth, root first, each level in order."""
    order = np.argsort(tree.depth, kind="stable").astype(np.int64)
    ends = np.cumsum(np.bincount(tree.depth))
    return np.split(order, ends[:-1])


def sum_up(tree: Tree, own: NDArray[Number]) -> NDArray[Number]:
    """For each node: its own number plus those of all nodes below it."""
    total = own.copy()
    for level in reversed(by_level(tree)[1:]):
        np.add.at(total, tree.parent[level], total[level])
    return total


def subtree_size(tree: Tree) -> Count:
    """For each node: how many nodes there are from it down, itself included."""
    return sum_up(tree, np.ones(tree.n_nodes, np.int64))


def below(tree: Tree, mask: Mask) -> Mask:
    """Which nodes have a marked node above them. A marked node is not below itself."""
    hidden = np.zeros(tree.n_nodes, bool)
    for level in by_level(tree)[1:]:
        up = tree.parent[level]
        hidden[level] = hidden[up] | mask[up]
    return hidden


def above(tree: Tree, node: int) -> Mask:
    """Which nodes lie on the way from the root to `node`; the node itself does not."""
    mask = np.zeros(tree.n_nodes, bool)
    mask[[step for step, _ in path_to(tree, node)]] = True
    return mask


def path_to(tree: Tree, node: int) -> list[tuple[int, int]]:
    """The steps from the root to `node`: (node tested, which of its children was taken).

    Root and leaf 4 of the drawing in tree.py: [(0, 1), (2, 1)].
    """
    if not 0 <= node < tree.n_nodes:
        raise ValueError(f"node {node} is not in the tree. Its nodes are 0 to {tree.n_nodes - 1}.")
    steps: list[tuple[int, int]] = []
    while (up := int(tree.parent[node])) != NONE:
        steps.append((up, node - int(tree.first_child[up])))
        node = up
    return steps[::-1]
