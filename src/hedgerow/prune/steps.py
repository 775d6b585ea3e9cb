"""A nested sequence of subtrees.   In: a Tree and the alpha at which each node is cut.   Out: what the subtree of
each alpha sums up to.

A node is a leaf from its own alpha (a leaf: always) until something above it is cut:

    alpha of the nodes  [5, 2, -]      node 1 is a leaf for 2 <= alpha < 5, node 0 from 5 on

So each node adds its number over one interval, and all alphas are answered by one sort.
"""

import numpy as np

from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Count, Float


def gone_at(tree: Tree, alpha: Float) -> Float:
    """The smallest alpha at which something above the node is cut; +inf at the root."""
    end = np.full(tree.n_nodes, np.inf)
    for level in by_level(tree)[1:]:
        up = tree.parent[level]
        end[level] = np.minimum(end[up], alpha[up])
    return end


def at_alphas(tree: Tree, alpha: Float, own: Float, asked: Float) -> Float:
    """At each alpha asked for: the sum over the leaves of the subtree of what they have in `own`."""
    begin, end = np.where(tree.kind == LEAF, -np.inf, alpha), gone_at(tree, alpha)
    leaf = begin < end
    ends = leaf & np.isfinite(end)
    changes = np.concatenate([begin[leaf], end[ends]])
    amounts = np.concatenate([own[leaf], -own[ends]])
    order = np.argsort(changes, kind="stable")
    until = np.searchsorted(changes[order], asked, side="right")
    return np.concatenate([[0.0], np.cumsum(amounts[order])])[until]


def splits_at(tree: Tree, alpha: Float, asked: Float) -> Count:
    """At each alpha asked for: how many nodes still split."""
    until = np.minimum(alpha, gone_at(tree, alpha))[tree.kind != LEAF]
    return (len(until) - np.searchsorted(np.sort(until), asked, side="right")).astype(np.int64)
