"""Trace: what each column offered at each node while a tree grew.   In: a Tree and its Trace.   Out: a table of the
competing splits, best first, the chosen one marked.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, Mask


@dataclass(frozen=True, eq=False)
class Trace:
    gain: (
        Float  # nodes x columns: decrease of total impurity by the column's best split; NaN: it offered none
    )
    threshold: Float  # nodes x columns: that split's threshold; NaN for categories
    ratio: Float | None = None  # nodes x columns: gain ratio, where trees fork

    def take(self, nodes: Mask) -> "Trace":
        """The trace of some of the nodes."""
        ratio = None if self.ratio is None else self.ratio[nodes]
        return Trace(self.gain[nodes], self.threshold[nodes], ratio)


@dataclass(frozen=True)
class Offer:
    """One column's best split at one node."""

    column: int
    decrease: float  # of impurity, per unit of the node's weight
    threshold: float  # NaN for categories
    chosen: bool


def offers(tree: Tree, trace: Trace, node: int) -> list[Offer]:
    """All columns' best splits at a node, best first; ties in the order of the columns."""
    gain = trace.gain[node]
    order = [int(j) for j in np.argsort(-gain, kind="stable") if not np.isnan(gain[j])]
    chosen = int(tree.feature[node])
    return [
        Offer(j, float(gain[j] / tree.weight[node]), float(trace.threshold[node, j]), j == chosen)
        for j in order
    ]


def to_text(tree: Tree, trace: Trace, labels: Labels, node: int = 0) -> str:
    """A node's competing splits as a small table."""
    lines = [f"node {node}: {tree.n_rows[node]:,} rows, impurity {tree.impurity[node]:.4f}"]
    for offer in offers(tree, trace, node):
        mark = "->" if offer.chosen else "  "
        test = "in a subset" if np.isnan(offer.threshold) else f"<= {offer.threshold:.6g}"
        lines.append(f" {mark} {labels.features[offer.column]} {test}: decrease {offer.decrease:.4f}")
    return "\n".join(lines)
