"""At which alpha is each node cut?   In: a Tree, the risk of each node.   Out: one alpha a node.

"exact"   the weakest link first, as Breiman et al. define it: at every alpha the best of all subtrees is left
          (native/weakest_link.hpp). Infinite where a node goes together with one above it.
"rpart"   as R's rpart computes its complexity parameter: from the leaves up, each node once,

              (risk of the node - risk of its sons' subtrees) / splits of these subtrees,

          where a son's subtree is the one it has just before it is cut itself. Where a split gains little and the
          splits below it much, the best subtree is larger: rpart's alpha is then a little lower than the exact one.

The two agree wherever gains fall from the root to the leaves, which is nearly everywhere.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Count, Float

RISKS = ("misclassification", "impurity")
LINKS = ("rpart", "exact")
NEARLY = 1e-9  # sums of whole numbers, up to rounding


def risk_of(tree: Tree, risk: str) -> Float:
    """What each node would lose as a leaf, in units of weight. "misclassification" of a regression is its impurity."""
    if risk == "impurity" or tree.n_outputs == 1:
        return np.asarray(tree.weight * tree.impurity)
    wrong = tree.weight * (1.0 - tree.value.max(axis=1))
    whole = np.rint(wrong)
    # Counts are counts again: equal gains are then equal to the last bit, and fall together.
    counts = bool(np.all(np.abs(wrong - whole) <= NEARLY * (1.0 + tree.weight[0])))
    return np.asarray(whole if counts else np.maximum(0.0, wrong))


def cut_at(tree: Tree, risk: Float, links: str, least: float = 0.0) -> Float:
    """The alpha from which on each node is a leaf, in the units of `risk`; +inf at leaves.

    `least`: the smallest alpha that will be asked for. rpart takes back what is not worth that much as it grows.
    """
    inner = tree.kind != LEAF
    if links == "exact" or np.any(tree.n_children[inner] != 2):  # rpart knows two sons only
        return native.weakest_links(tree.parent, risk)[0]
    alpha = np.where(inner, _complexity(tree, risk, least), np.inf)
    for level in by_level(tree)[1:]:  # nothing outlives what stands above it
        alpha[level] = np.where(inner[level], np.minimum(alpha[level], alpha[tree.parent[level]]), np.inf)
    return alpha


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
