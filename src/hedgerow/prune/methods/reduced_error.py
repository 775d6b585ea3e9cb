"""Reduced-error pruning (Quinlan 1987).   In: a Tree, held-out rows.   Out: the smallest of the subtrees with the
fewest held-out errors.

From the leaves up, a node becomes a leaf when that does not lose more on the held-out rows than what is left below
it. A node that no held-out row reaches loses nothing and becomes a leaf. Regressions: the criterion's loss.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import ROUNDING, PruningData, cheaper_as_leaf, compute_losses
from hedgerow.prune.method import BOTH, CuttingMethod, require_data
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask


@document(CuttingMethod)
@dataclass(frozen=True)
class ReducedError(CuttingMethod):
    """Cut what does not help on held-out rows. It has no setting.

    References
    ----------
    Quinlan, J. R. (1987). Simplifying decision trees. International Journal of Man-Machine Studies 27, 221-234.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import ReducedError
    >>> tree = DecisionTreeClassifier(prune=ReducedError())
    """

    tasks: ClassVar[tuple[str, ...]] = BOTH

    @property
    def needs(self) -> str:
        return "held_out"

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        own = compute_losses(tree, require_data(self, data))
        return cheaper_as_leaf(tree, own, np.zeros(tree.n_nodes), ROUNDING * float(own[0]))
