"""Trace: what each column offered at each node while a tree grew.   In: a Tree and its Trace.   Out: the competing
splits, best first, the chosen one marked: as data, text or tables.

    node 0: all rows · 12 rows, impurity 1
                                          gain  remainder
     -> Pat: None / Some / Full          0.541      0.459
        Est: 0-10 / 10-30 / 30-60 / >60  0.208      0.792

The gain is the decrease of impurity per unit of the node's weight; the remainder is what is left of the impurity.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hedgerow.display import DisplayTable
from hedgerow.display.sentences import many
from hedgerow.tree.conditions import conditions
from hedgerow.tree.formatting import number, safe, threshold_in_words
from hedgerow.tree.labels import FULL, LabeledTree, Labels, column_name, label_tree
from hedgerow.tree.tree import LEAF, MULTIWAY, Tree
from hedgerow.tree.wording import condition_in_words, decision, question_in_words
from hedgerow.types import Float, Mask

DIGITS = 12  # of a threshold: rows that differ by less are seldom meant to


@dataclass(frozen=True, eq=False)
class Trace:
    # Nodes x columns: decrease of total impurity by the column's best split; NaN: it offered none
    gain: Float
    threshold: Float  # nodes x columns: that split's threshold; NaN for categories
    ratio: Float | None = None  # nodes x columns: gain ratio, where trees fork

    def take(self, nodes: Mask) -> "Trace":
        """Take the trace of some nodes.

        Parameters
        ----------
        nodes : ndarray of int
            The nodes.

        Returns
        -------
        Trace
            The same of these nodes.
        """
        ratio = None if self.ratio is None else self.ratio[nodes]
        return Trace(self.gain[nodes], self.threshold[nodes], ratio)

    @property
    def by_ratio(self) -> bool:
        """The tree was grown by gain ratio; otherwise nobody worked it out."""
        return self.ratio is not None and bool(np.nan_to_num(self.ratio).any())


@dataclass(frozen=True)
class Offer:
    """One column's best split at one node."""

    column: int
    decrease: float  # of impurity, per unit of the node's weight
    threshold: float  # NaN for categories
    chosen: bool
    ratio: float = np.nan  # gain ratio; NaN where the tree was not grown by it


def offers(tree: Tree, trace: Trace, node: int) -> list[Offer]:
    """All columns' best splits at a node, best first; ties in the order of the columns."""
    gain, chosen = trace.gain[node], int(tree.feature[node])
    ratio = trace.ratio[node] if trace.by_ratio and trace.ratio is not None else np.full(len(gain), np.nan)
    found = [
        Offer(
            int(j),
            float(gain[j] / tree.weight[node]),
            float(trace.threshold[node, j]),
            int(j) == chosen,
            float(ratio[j]),
        )
        for j in np.argsort(-np.round(gain, 12), kind="stable")
    ]
    return [offer for offer in found if not np.isnan(offer.decrease)]


def to_text(tree: Tree, trace: Trace, labels: Labels, node: int = 0) -> str:
    """A node's competing splits as a small table."""
    return display_table(label_tree(tree, labels), trace, node).to_text()


def path_to_text(tree: Tree, trace: Trace, labels: Labels, leaf: int) -> str:
    """Every decision from the root to a node."""
    return "\n\n".join(to_text(tree, trace, labels, node) for node in way(tree, leaf))


def display_tables(tree: Tree, trace: Trace, labels: Labels, nodes: Iterable[int]) -> list[DisplayTable]:
    """A small table for each of the nodes."""
    words = label_tree(tree, labels)
    return [display_table(words, trace, node) for node in nodes]


def way(tree: Tree, node: int) -> list[int]:
    """[root, ..., node]"""
    way = [int(node)]
    while tree.parent[way[-1]] >= 0:
        way.append(int(tree.parent[way[-1]]))
    return way[::-1]


def _title(words: LabeledTree, node: int) -> str:
    """node 3: Pat = Full · 6 rows, impurity 0.9183"""
    met = [condition_in_words(words, condition) for condition in conditions(words.tree, node)]
    rows = f"{many(int(words.tree.n_rows[node]), 'row')}, impurity {number(float(words.tree.impurity[node]))}"
    return f"node {node}: {' and '.join(met) or 'all rows'} · {rows}"


def _end(words: LabeledTree, node: int) -> str:
    """What a node without a choice comes to."""
    if words.tree.kind[node] == LEAF:
        return f"decides {decision(words, node)}"
    return f"asks {question_in_words(words, node)}"


def display_table(words: LabeledTree, trace: Trace, node: int) -> DisplayTable:
    """The splits, best first, the chosen one marked; one line where there was no choice to make."""
    found = offers(words.tree, trace, node)
    if not found:
        return DisplayTable((), [[_end(words, node)]], caption=_title(words, node), marks=["   "])
    return DisplayTable(
        ("", "gain", "remainder", *(("ratio",) if trace.by_ratio else ())),
        [_cells(words, trace, node, offer) for offer in found],
        caption=_title(words, node),
        marks=[" ->" if offer.chosen else "" for offer in found],
        least=9,
    )


def _cells(words: LabeledTree, trace: Trace, node: int, offer: Offer) -> tuple[str, ...]:
    left = max(0.0, float(words.tree.impurity[node]) - offer.decrease)
    ratio = (_short(offer.ratio),) if trace.by_ratio else ()
    return (offer_in_words(words, node, offer), _short(offer.decrease), _short(left), *ratio)


def _short(x: float) -> str:
    """Three digits after the point; small numbers keep three that say something."""
    return f"{x:.3f}" if abs(x) >= 0.0995 or abs(x) < 1e-12 else f"{x:.3g}"


def offer_in_words(words: LabeledTree, node: int, offer: Offer) -> str:
    """The split in words; of a subset that was not chosen only the column is known."""
    tree, labels, column = words.tree, words.labels, offer.column
    name = column_name(words, column)
    is_number = np.isfinite(offer.threshold) and column not in labels.booleans
    if offer.chosen and tree.kind[node] != MULTIWAY and not is_number:
        return question_in_words(words, node)
    if labels.levels[column]:
        if not np.any(tree.kind == MULTIWAY):
            return f"{name} by a subset"
        levels = [safe(level, FULL.name) for level in labels.levels[column][: FULL.levels]]
        more = len(labels.levels[column]) - len(levels)
        return f"{name}: {' / '.join(levels)}" + (f" / +{more} more" if more else "")
    if np.isposinf(offer.threshold):
        return f"{name} is known?"
    if column in labels.booleans and 0 <= offer.threshold < 1:
        return f"{name}?"
    return f"{name} <= {threshold_in_words(offer.threshold, DIGITS)}"
