"""The sequence of cost-complexity pruning.   In: a Tree, the risk of each node.   Out: the alpha at which each node is
cut, and what the subtree of each alpha sums up to.

"exact"   the weakest link first, as Breiman et al. define it: at every alpha the best of all subtrees is left
          (native/prune/weakest_link.hpp). Infinite where a node goes together with one above it.
"rpart"   as R's rpart computes its complexity parameter: from the leaves up, each node once,

              (risk of the node - risk of its sons' subtrees) / splits of these subtrees,

          where a son's subtree is the one it has just before it is cut itself. Where a split gains little and the
          splits below it much, the best subtree is larger: rpart's alpha is then a little lower than the exact one.

The two agree wherever gains fall from the root to the leaves, which is nearly everywhere. The subtrees are nested: a
node is a leaf from its own alpha (a leaf: always) until something above it is cut:

    alpha of the nodes  [5, 2, -]      node 1 is a leaf for 2 <= alpha < 5, node 0 from 5 on

So each node adds its number over one interval, and all alphas are answered by one sort.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, Tree
from hedgerow.tree.walk import by_level, sum_up
from hedgerow.types import Count, Float, Index, Mask

RISKS = ("misclassification", "impurity", "log_loss")
LINKS = ("rpart", "exact")
NEARLY = 1e-9  # sums of whole numbers, up to rounding


def node_risk(tree: Tree, risk: str) -> Float:
    """What each node would lose as a leaf, in units of weight. Of a regression, each risk is its impurity."""
    if risk == "impurity" or tree.n_outputs == 1:
        return np.asarray(tree.weight * tree.impurity)
    if risk == "log_loss":
        shares = tree.value
        return np.asarray(-tree.weight * (shares * np.log(np.where(shares > 0, shares, 1.0))).sum(axis=1))
    wrong = tree.weight * (1.0 - tree.value.max(axis=1))
    whole = np.rint(wrong)
    # Counts are counts again: equal gains are then equal to the last bit, and fall together.
    counts = bool(np.all(np.abs(wrong - whole) <= NEARLY * (1.0 + tree.weight[0])))
    return np.asarray(whole if counts else np.maximum(0.0, wrong))


def cut_alphas(tree: Tree, risk: Float, links: str, least: float = 0.0) -> Float:
    """The alpha from which on each node is a leaf, in the units of `risk`; +inf at leaves.

    `least`: the smallest alpha of interest. rpart takes back what is not worth that much as it grows.
    """
    inner = tree.kind != LEAF
    if links == "exact" or np.any(tree.kind == MULTIWAY):  # rpart knows two sons only
        return _weakest_links(tree, risk)[0]
    alpha = np.where(inner, _complexity(tree, risk - _risk_of_stops(tree, risk), least), np.inf)
    for level in by_level(tree)[1:]:  # nothing outlives what stands above it
        alpha[level] = np.where(inner[level], np.minimum(alpha[level], alpha[tree.parent[level]]), np.inf)
    return alpha


def _risk_of_stops(tree: Tree, risk: Float) -> Float:
    """What rows that stop lose at a node and below it. They lose it whether or not the nodes below are cut: taken off
    each node it leaves every difference between subtrees as it is, and no stop need count as a leaf."""
    return sum_up(tree, np.where(tree.stop_leaves, risk, 0.0))


def _weakest_links(tree: Tree, risk: Float) -> tuple[Float, Index, Float]:
    """Alpha by node, the order of the cuts, the risk after each; rows that stop are no leaf of the tree."""
    if not tree.stop_leaves.any():
        return native.weakest_links(tree.parent, risk)
    stopped = _risk_of_stops(tree, risk)
    kept = np.flatnonzero(~tree.stop_leaves)
    number = np.cumsum(~tree.stop_leaves, dtype=np.int32) - np.int32(1)
    parent = np.where(tree.parent[kept] == NONE, NONE, number[tree.parent[kept]]).astype(np.int32)
    found, order, after = native.weakest_links(parent, (risk - stopped)[kept])
    alpha = np.full(tree.n_nodes, np.inf)
    alpha[kept] = found
    return alpha, kept[order].astype(np.int32), after + stopped[0]


def _complexity(tree: Tree, risk: Float, least: float) -> Float:
    """From the last level up; `below` and `splits` are those of a node's subtree when it comes to be cut."""
    below, splits, alpha = risk.copy(), np.zeros(tree.n_nodes), np.zeros(tree.n_nodes)
    for level in reversed(by_level(tree)):
        t = level[tree.kind[level] != LEAF]
        first = tree.first_child[t].astype(np.int64)
        one, other = _weak_first(alpha, first)
        gone_one = (
            _alpha(risk[t], below[first] + below[first + 1], splits[first] + splits[first + 1]) > alpha[one]
        )
        below[one] = np.where(gone_one, risk[one], below[one])
        splits[one] = np.where(gone_one, 0.0, splits[one])
        strength = _alpha(risk[t], below[one] + below[other], splits[one] + splits[other])
        gone_other = gone_one & (strength > alpha[other])
        below[other] = np.where(gone_other, risk[other], below[other])
        splits[other] = np.where(gone_other, 0.0, splits[other])
        below[t] = below[first] + below[first + 1]
        splits[t] = splits[first] + splits[first + 1] + 1.0
        alpha[t] = (risk[t] - below[t]) / splits[t]
        vain = alpha[t] <= least  # "all was in vain": the node does not split after all
        below[t] = np.where(vain, risk[t], below[t])
        splits[t] = np.where(vain, 0.0, splits[t])
        alpha[t] = np.maximum(alpha[t], 0.0)
    return alpha


def _weak_first(alpha: Float, first: Count) -> tuple[Count, Count]:
    """Of each two sons the one that is cut first; the second son when they are equal."""
    left_first = alpha[first + 1] > alpha[first]
    return np.where(left_first, first, first + 1), np.where(left_first, first + 1, first)


def _alpha(risk: Float, below: Float, splits: Float) -> Float:
    alpha: Float = (risk - below) / (splits + 1.0)
    return alpha


def _gone_at(tree: Tree, alpha: Float) -> Float:
    """The smallest alpha at which something above the node is cut; +inf at the root."""
    end = np.full(tree.n_nodes, np.inf)
    for level in by_level(tree)[1:]:
        up = tree.parent[level]
        end[level] = np.minimum(end[up], alpha[up])
    return end


def sum_at_alphas(tree: Tree, alpha: Float, own: Float, alphas: Float) -> Float:
    """At each of the alphas: the sum over the leaves of the subtree of what they have in `own`."""
    begin, end = np.where(tree.kind == LEAF, -np.inf, alpha), _gone_at(tree, alpha)
    leaf = begin < end
    ends = leaf & np.isfinite(end)
    changes = np.concatenate([begin[leaf], end[ends]])
    amounts = np.concatenate([own[leaf], -own[ends]])
    order = np.argsort(changes, kind="stable")
    until = np.searchsorted(changes[order], alphas, side="right")
    return np.concatenate([[0.0], np.cumsum(amounts[order])])[until]


def count_splits_at(tree: Tree, alpha: Float, alphas: Float) -> Count:
    """At each of the alphas: how many nodes still split."""
    until = np.minimum(alpha, _gone_at(tree, alpha))[tree.kind != LEAF]
    return (len(until) - np.searchsorted(np.sort(until), alphas, side="right")).astype(np.int64)


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


def weighted_impurity(tree: Tree) -> Float:
    """R(t): what each node would add to R if it were a leaf."""
    share: Float = tree.weight / tree.weight[0]
    return share * tree.impurity


def cut_path(tree: Tree) -> CutPath:
    own = weighted_impurity(tree)
    node_alpha, order, after = _weakest_links(tree, own)
    whole = own[tree.kind == LEAF].sum()
    return CutPath(
        alpha=np.maximum.accumulate(np.concatenate([[0.0], node_alpha[order]])),
        risk=np.concatenate([[whole], after]),
        n_leaves=_leaves_after(tree, order),
        node_alpha=node_alpha,
    )


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
    alive = (appears < gone) & ~tree.stop_leaves
    change = np.zeros(len(order) + 2, np.int64)
    np.add.at(change, appears[alive] + 1, 1)
    np.add.at(change, gone[alive] + 1, -1)
    return np.cumsum(change)[: len(order) + 1].astype(np.int32)
