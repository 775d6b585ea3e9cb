"""A limit of leaves.   In: a Tree, and held-out rows unless the limit is given.   Out: the Tree with no more
leaves.

From the root on, the leaf whose split decreases impurity most is split next (best-first), as with max_leaf_nodes.
Chosen: the number of splits with the smallest loss on the held-out rows; of equal ones the smallest.
"""

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import ClassVar, Self

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import ROUNDING, PruningData, compute_losses
from hedgerow.prune.method import BOTH, CuttingMethod, check_whole_or_none, require_data, setting
from hedgerow.tree.importance import decrease
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Count, Float, Mask

MOST_STEPS = 60


@document(CuttingMethod)
@dataclass(frozen=True)
class LeafLimit(CuttingMethod):
    """Keep the most useful splits, up to a number of leaves.

    Parameters
    ----------
    leaves : int or None
        At most so many leaves. None to choose on held-out rows.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import LeafLimit
    >>> tree = DecisionTreeClassifier(prune=LeafLimit(8))
    """

    leaves: int | None = setting(None, "At most so many; chosen on held-out rows if not given.")
    tasks: ClassVar[tuple[str, ...]] = BOTH

    def __post_init__(self) -> None:
        check_whole_or_none(self, "leaves", 1)

    @property
    def needs(self) -> str:
        return "held_out" if self.leaves is None else "nothing"

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        order = best_first(tree)
        if self.leaves is None:
            total = losses_by_step(tree, order, compute_losses(tree, require_data(self, data)))
            steps = int(np.flatnonzero(total <= total.min() + ROUNDING * total[0])[0])
        else:
            steps = int(np.searchsorted(_leaves_after(tree, order), self.leaves, side="right"))
        cut = tree.kind != LEAF
        cut[order[:steps]] = False
        return np.asarray(cut)

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        after = np.append(1, _leaves_after(tree, best_first(tree)))
        some = np.unique(np.geomspace(1, len(after), min(len(after), MOST_STEPS)).round().astype(np.int64))
        return self._each("leaves", [int(k) for k in after[some[::-1] - 1]])


def best_first(tree: Tree) -> Count:
    """The nodes that split, in the order in which a best-first grower would have split them."""
    gain, first, many = decrease(tree).tolist(), tree.first_child.tolist(), tree.n_children.tolist()
    waiting = [(-gain[0], 0)] if many[0] else []
    order: list[int] = []
    while waiting:
        _, node = heappop(waiting)
        order.append(node)
        for child in range(first[node], first[node] + many[node]):
            if many[child]:
                heappush(waiting, (-gain[child], child))
    return np.array(order, np.int64)


def _leaves_after(tree: Tree, order: Count) -> Count:
    return 1 + np.cumsum(tree.n_children[order] - 1, dtype=np.int64)


def losses_by_step(tree: Tree, order: Count, own: Float) -> Float:
    """The loss after each split, that of the root alone first."""
    children = np.bincount(tree.parent[1:], own[1:], tree.n_nodes)
    return np.cumsum(np.append(own[0], children[order] - own[order]))
