"""Pruning by minimum description length (Mehta, Rissanen and Agrawal, KDD 1995).   In: a Tree.   Out: the subtree
that describes the classes of the training rows in the fewest bits, the description of the subtree included.

A node costs 1 bit (leaf or not). A split also names its column, log2 columns, and its question: a threshold among
n rows, log2(n - 1); a subset of k levels, log2(2^k - 2); a multiway test nothing more. A leaf tells its n rows of
k classes, n_i each, in

    sum n_i log2(n / n_i)  +  (k - 1)/2 log2(n / 2)  +  log2(pi^(k/2) / Gamma(k/2))     bits

(Rissanen's stochastic complexity). From the leaves up, a node becomes a leaf when that is no longer. The Tree does
not know how many distinct values its rows had, so n - 1 stands for the thresholds there were: exact without ties,
a little dear with.
"""

import math
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import PruningData, cheaper_as_leaf, class_weights
from hedgerow.prune.method import CLASSES_ONLY, CuttingMethod, check_range, refuse_regression, setting
from hedgerow.tree.tree import LEAF, MULTIWAY, SUBSET, THRESHOLD, Tree
from hedgerow.types import Float, Mask

RANGE = (0.0, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 5.0, 8.0, 15.0, 30.0, 100.0, 1000.0)


@document(CuttingMethod)
@dataclass(frozen=True)
class MinimumDescriptionLength(CuttingMethod):
    """Cut splits that cost more bits than they save.

    Parameters
    ----------
    price : float
        Price of a bit of the tree, in bits of the rows; more prunes more, 1 is the principle.

    References
    ----------
    Quinlan, J. R., Rivest, R. L. (1989). Inferring decision trees using the minimum description length principle.
    Information and Computation 80, 227-248.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import MinimumDescriptionLength
    >>> tree = DecisionTreeClassifier(prune=MinimumDescriptionLength())
    """

    price: float = setting(1.0, "Of a bit of the tree; more prunes more.")
    tasks: ClassVar[tuple[str, ...]] = CLASSES_ONLY

    def __post_init__(self) -> None:
        check_range(self, "price", 0.0, np.inf)

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        refuse_regression(self, tree)
        rows = bits_of_rows(class_weights(tree))
        return cheaper_as_leaf(tree, rows + self.price, self.price * (1.0 + bits_of_test(tree)), 1e-9)

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        return self._each("price", RANGE)


def bits_of_rows(counts: Float) -> Float:
    """For each node (nodes x classes): the bits that tell the classes of its rows."""
    n, k = counts.sum(axis=1), counts.shape[1]
    with np.errstate(divide="ignore", invalid="ignore"):
        which = np.where(counts > 0, counts * np.log2(n[:, None] / counts), 0.0).sum(axis=1)
        shares = (k - 1) / 2 * np.log2(n / 2)
    volume = (k / 2 * math.log(math.pi) - math.lgamma(k / 2)) / math.log(2)
    return np.where(n > 0, np.maximum(0.0, which + shares + volume), 0.0)


def bits_of_test(tree: Tree) -> Float:
    """For each node: the bits that name its column and its question; 0 at a leaf."""
    levels = tree.n_levels[np.maximum(tree.feature, 0)].astype(np.float64)
    n = np.maximum(tree.n_rows.astype(np.float64), 3.0)
    few = np.maximum(np.minimum(levels, n), 2.0)  # no more levels than rows
    question = np.select(
        [tree.kind == THRESHOLD, tree.kind == SUBSET, tree.kind == MULTIWAY],
        [np.log2(n - 1), few + np.log1p(-(2.0 ** (1.0 - few))) / math.log(2), 0.0],
    )
    return np.where(tree.kind == LEAF, 0.0, math.log2(max(tree.n_features, 1)) + question)
