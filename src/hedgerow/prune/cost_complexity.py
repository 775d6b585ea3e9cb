"""Cost-complexity pruning.   In: a grown Tree.   Out: for every alpha, which nodes become leaves.

Among all subtrees T the one with the smallest  R(T) + alpha * leaves(T)  is kept, where R is the sum over leaves of
their share of the weight times their impurity. As alpha grows these subtrees are nested: one node after the other,
the weakest link first, becomes a leaf (native/weakest_link.hpp). So one pass over the tree answers for all alphas.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Float, Index, Mask


@dataclass(frozen=True, eq=False)
class CutPath:
    """The nested sequence of subtrees. Step 0 is the whole tree, step k is after k cuts."""

    alpha: Float  # at which each step begins
    risk: Float  # R of the tree at each step
    n_leaves: Index  # its leaves
    node_alpha: Float  # by node: where it becomes a leaf; +inf if it is one, or goes with an ancestor

    def mask(self, alpha: float) -> Mask:
        """The nodes that are cut at this alpha."""
        return np.asarray(self.node_alpha <= alpha)


def risk(tree: Tree) -> Float:
    """R(t): what each node would add to R if it were a leaf."""
    share: Float = tree.weight / tree.weight[0]
    return share * tree.impurity


def cut_path(tree: Tree) -> CutPath:
    own = risk(tree)
    node_alpha, order, after = native.weakest_links(tree.parent, own)
    whole = own[tree.kind == LEAF].sum()
    return CutPath(
        alpha=np.maximum.accumulate(np.concatenate([[0.0], node_alpha[order]])),
        risk=np.concatenate([[whole], after]),
        n_leaves=_leaves_after(tree, order),
        node_alpha=node_alpha,
    )


def nodes_to_cut(tree: Tree, alpha: float) -> Mask:
    return cut_path(tree).mask(alpha)


def _leaves_after(tree: Tree, order: Index) -> Index:
    """Leaves left after each cut, counted by who goes first: a leaf lasts until an ancestor is cut."""
    step = np.full(tree.n_nodes, len(order), np.int64)  # when a node is cut
    step[order] = np.arange(len(order))
    parent = tree.parent
    gone = np.full(tree.n_nodes, len(order), np.int64)  # when an ancestor is cut
    for level in range(1, int(tree.depth.max()) + 1):
        nodes = np.flatnonzero(tree.depth == level)
        gone[nodes] = np.minimum(gone[parent[nodes]], step[parent[nodes]])
    appears = np.where(tree.kind == LEAF, -1, step)  # a cut node is a leaf from its cut on
    alive = appears < gone
    change = np.zeros(len(order) + 2, np.int64)
    np.add.at(change, appears[alive] + 1, 1)
    np.add.at(change, gone[alive] + 1, -1)
    return np.cumsum(change)[: len(order) + 1].astype(np.int32)
