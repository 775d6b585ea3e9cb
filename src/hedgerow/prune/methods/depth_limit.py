"""A limit of depth.   In: a Tree, and held-out rows unless the depth is given.   Out: the Tree cut at that depth.

Chosen: the depth with the smallest loss on the held-out rows; of equal ones the smallest.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import ROUNDING, PruningData, compute_losses
from hedgerow.prune.method import BOTH, CuttingMethod, check_whole_or_none, require_data, setting
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Float, Mask


@document(CuttingMethod)
@dataclass(frozen=True)
class DepthLimit(CuttingMethod):
    """Cut the tree at a depth.

    Parameters
    ----------
    depth : int or None
        Depth of the deepest leaf. None to choose it on held-out rows.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import DepthLimit
    >>> tree = DecisionTreeClassifier(prune=DepthLimit(3))
    """

    depth: int | None = setting(None, "Of the deepest leaf; chosen on held-out rows if not given.")
    tasks: ClassVar[tuple[str, ...]] = BOTH

    def __post_init__(self) -> None:
        check_whole_or_none(self, "depth", 0)

    @property
    def needs(self) -> str:
        return "held_out" if self.depth is None else "nothing"

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        depth = self.depth
        if depth is None:
            total = losses_by_depth(tree, compute_losses(tree, require_data(self, data)))
            depth = int(np.flatnonzero(total <= total.min() + ROUNDING * total[0])[0])
        return np.asarray((tree.depth >= depth) & (tree.kind != LEAF))

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        return self._each("depth", range(tree.max_depth, -1, -1))


def losses_by_depth(tree: Tree, own: Float) -> Float:
    """The loss of the tree cut at each depth, from 0 to its own: the nodes there, and the leaves above."""
    there = np.bincount(tree.depth, own)
    leaves = np.bincount(tree.depth, np.where(tree.kind == LEAF, own, 0.0))
    return np.asarray(there + np.append(0.0, np.cumsum(leaves)[:-1]))
