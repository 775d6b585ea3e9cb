"""Leaves that say the same, merged.   In: a Tree.   Out: the Tree in which no two sibling leaves decide alike.

          sex                             sex
        /     \\                         /     \\
      died    class        ->         died   survived       the decision of every row stays; class shares
             /     \\                                         become those of the merged leaf
      survived   survived

A class decides by its share, a regression by its value: there only equal values merge.
"""

import numpy as np

from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Float, Mask


def merge_leaves(tree: Tree) -> Tree:
    return cut(tree, find_mergeable(tree))


def find_mergeable(tree: Tree) -> Mask:
    """The nodes below which, and at which, every decision is the same."""
    decision: Float = tree.value[:, 0]
    if tree.n_outputs > 1:
        decision = tree.value.argmax(axis=1).astype(np.float64)
    same = np.ones(tree.n_nodes, bool)
    for level in reversed(by_level(tree)[1:]):
        up = tree.parent[level]
        differs = ~same[level] | (decision[level] != decision[up])
        same[up[differs]] = False
    return np.asarray(same & (tree.kind != LEAF))
