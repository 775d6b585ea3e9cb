"""Reduced-error pruning (Quinlan 1987).   In: a Tree, held-out rows.   Out: the smallest of the subtrees with the
fewest held-out errors.

From the leaves up, a node becomes a leaf when that does not lose more on the held-out rows than what is left below
it. A node that no held-out row reaches loses nothing and becomes a leaf. Regressions: the criterion's loss.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hedgerow.prune.evidence import Evidence, losses
from hedgerow.prune.method import BOTH, Cutting, needed
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Float, Mask

ROUNDING = 1e-12  # of the root's loss: sums in another order


@dataclass(frozen=True)
class ReducedError(Cutting):
    """It has no setting: held-out rows decide."""

    tasks: ClassVar[tuple[str, ...]] = BOTH

    @property
    def needs(self) -> str:
        return "held_out"

    def nodes_to_cut(self, tree: Tree, evidence: Evidence | None = None) -> Mask:
        own = losses(tree, needed(self, evidence))
        return cheaper_as_leaf(tree, own, np.zeros(tree.n_nodes), ROUNDING * float(own[0]))


def cheaper_as_leaf(tree: Tree, as_leaf: Float, as_split: Float, slack: float) -> Mask:
    """Where a node as a leaf costs no more than its test and the best of what is below it. Ties prune."""
    inner, best = tree.kind != LEAF, np.where(tree.kind == LEAF, as_leaf, as_split)
    leaf = np.zeros(tree.n_nodes, bool)
    for level in reversed(by_level(tree)):
        leaf[level] = inner[level] & (as_leaf[level] <= best[level] + slack)
        best[level] = np.where(leaf[level], as_leaf[level], best[level])
        below = level[level > 0]
        np.add.at(best, tree.parent[below], best[below])
    return leaf
