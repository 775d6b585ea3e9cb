"""Pessimistic pruning, as C4.5 does it (Quinlan 1993, chapter 4; Weka's J48).   In: a Tree, and for subtree
raising the rows it was grown on.   Out: the Tree without parts whose estimated errors are no fewer.

A leaf with N rows of which E are wrong is taken to err N U(E, N) times: U is the upper limit of the error rate at
the confidence level. From the leaves up each node has three possible futures, the cheapest of which it gets:

          t                  t             c
        /   \\               leaf         /   \\      raised: the rows of the small branches are sent
       s     c                          d     e     down the large one
            / \\
           d   e

A future that costs at most 0.1 error more but is smaller is preferred; a leaf comes first. Before that, nodes
are collapsed whose subtree errs on its own rows as often as they would as leaves.
"""

from dataclasses import dataclass
from statistics import NormalDist
from typing import ClassVar, Self

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import PruningData, add_up, cheaper_as_leaf, class_weights
from hedgerow.prune.method import (
    CLASSES_ONLY,
    CuttingMethod,
    check_flag,
    check_range,
    refuse_regression,
    require_data,
    setting,
)
from hedgerow.prune.raising import raise_subtrees
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import below
from hedgerow.types import Float, Mask

TOLERANCE = 0.1 + 1e-6  # errors; the second for rounding
COLLAPSE = 1e-3  # errors
RANGE = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 1e-4)


@document(CuttingMethod)
@dataclass(frozen=True)
class Pessimistic(CuttingMethod):
    """Cut by an upper limit of the error on new rows, as C4.5 does.

    Parameters
    ----------
    confidence : float
        Level of the upper limit; smaller is more pessimistic and prunes more; at most 0.5.
    raising : bool
        Whether the largest branch may take its parent's place.

    References
    ----------
    Quinlan, J. R. (1993). C4.5: Programs for Machine Learning. Morgan Kaufmann.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import Pessimistic
    >>> tree = DecisionTreeClassifier(prune=Pessimistic(confidence=0.1))
    """

    confidence: float = setting(0.25, "Smaller prunes more; at most 0.5.")
    raising: bool = setting(True, "Whether the largest branch may take its parent's place.")
    tasks: ClassVar[tuple[str, ...]] = CLASSES_ONLY

    def __post_init__(self) -> None:
        check_range(self, "confidence", 1e-9, 0.5)
        check_flag(self, "raising")

    @property
    def needs(self) -> str:
        return "training" if self.raising else "nothing"

    def prune(self, tree: Tree, data: PruningData | None = None) -> Tree:
        if not self.raising:
            return super().prune(tree, data)
        refuse_regression(self, tree)
        small = cut(tree, find_collapsible(tree))
        return raise_subtrees(small, require_data(self, data), self.confidence, TOLERANCE)

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        refuse_regression(self, tree)
        nodes = find_collapsible(tree)
        left = np.flatnonzero(~below(tree, nodes))
        nodes[left[find_replaceable(cut(tree, nodes), self.confidence)]] = True
        return nodes

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        return tuple(type(self)(confidence, self.raising) for confidence in RANGE)


def find_collapsible(tree: Tree) -> Mask:
    """The nodes whose subtree errs on its training rows as often as they would as leaves."""
    wrong = count_wrong(class_weights(tree))
    below = add_up(tree, np.where(tree.kind == LEAF, wrong, 0.0)[:, None])[:, 0]
    return np.asarray((tree.kind != LEAF) & (below >= wrong - COLLAPSE))


def find_replaceable(tree: Tree, confidence: float) -> Mask:
    """The nodes that become leaves when nothing is raised."""
    own = estimate_errors(class_weights(tree), confidence)
    return cheaper_as_leaf(tree, own, np.zeros(tree.n_nodes), TOLERANCE)


def count_wrong(counts: Float) -> Float:
    """Nodes x classes -> the weight that the most frequent class gets wrong."""
    return np.asarray(counts.sum(axis=1) - counts.max(axis=1))


def estimate_errors(counts: Float, confidence: float) -> Float:
    """For each node: the errors expected of it as a leaf, N U(E, N)."""
    rows, wrong = counts.sum(axis=1), count_wrong(counts)
    return wrong + extra_errors(rows, wrong, confidence)


def upper_limit(wrong: float, rows: float, confidence: float = 0.25) -> float:
    """U(E, N): the error rate that E errors in N rows leave possible. U(0, 6) = 0.206."""
    return (
        wrong + float(extra_errors(np.array([float(rows)]), np.array([float(wrong)]), confidence)[0])
    ) / rows


def extra_errors(rows: Float, wrong: Float, confidence: float) -> Float:
    """N U(E, N) - E, computed as C4.5 and J48 do: exact without errors, else the normal approximation with
    continuity correction; between 0 and 1 error in proportion."""
    n = np.where(rows > 0, rows, 1.0)
    none = n * -np.expm1(np.log(confidence) / n)
    many = _normal(n, np.maximum(wrong, 1.0), NormalDist().inv_cdf(1.0 - confidence))
    extra = np.where(wrong < 1.0, none + wrong * (many - none), many)
    return np.where(rows > 0, extra, 0.0)


def _normal(n: Float, wrong: Float, z: float) -> Float:
    share = np.minimum((wrong + 0.5) / n, 1.0)
    spread = np.sqrt(np.maximum(0.0, share * (1.0 - share) / n + z * z / (4 * n * n)))
    limit = (share + z * z / (2 * n) + z * spread) / (1.0 + z * z / n)
    return np.where(wrong + 0.5 >= n, np.maximum(0.0, n - wrong), limit * n - wrong)
