"""Trace: what each column offered at each node while a tree grew.   In: a Tree and its Trace.   Out: the competing
splits, best first, the chosen one marked: as data, text or HTML.

    node 0: all rows · 12 rows, impurity 1
                                          gain  remainder
     -> Pat: None / Some / Full          0.541      0.459
        Est: 0-10 / 10-30 / 30-60 / >60  0.208      0.792

The gain is the decrease of impurity per unit of the node's weight; the remainder is what is left of the impurity.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import numpy as np

from hedgerow.tree.conditions import conditions
from hedgerow.tree.describe import decision
from hedgerow.tree.labels import Labels
from hedgerow.tree.phrases import condition_in_words, question_in_words
from hedgerow.tree.plain import number, safe
from hedgerow.tree.tree import LEAF, MULTIWAY, Tree
from hedgerow.tree.words import FULL, Words, name_of, number_of, words_of
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
    words = words_of(tree, labels)
    table = _table(words, trace, node)
    if not table:
        return f"{_title(words, node)}\n    {_end(words, node)}"
    wide = max(len(row[1]) for row in table)
    lines = [
        f" {mark:2} {split:{wide}}" + "".join(f"  {cell:>9}" for cell in rest) for mark, split, *rest in table
    ]
    return "\n".join([_title(words, node), *(line.rstrip() for line in lines)])


def path_to_text(tree: Tree, trace: Trace, labels: Labels, leaf: int) -> str:
    """Every decision from the root to a node."""
    return "\n\n".join(to_text(tree, trace, labels, node) for node in way(tree, leaf))


def tree_to_text(tree: Tree, trace: Trace, labels: Labels) -> str:
    """Every node that had a choice, and what the others say, parents first."""
    return "\n\n".join(to_text(tree, trace, labels, node) for node in range(tree.n_nodes))


def to_html(tree: Tree, trace: Trace, labels: Labels, nodes: Iterable[int] | None = None) -> str:
    """A small table for each node (default: all); names from the data are escaped."""
    words = words_of(tree, labels)
    return "\n".join(_html(words, trace, node) for node in (range(tree.n_nodes) if nodes is None else nodes))


def way(tree: Tree, node: int) -> list[int]:
    """[root, ..., node]"""
    way = [int(node)]
    while tree.parent[way[-1]] >= 0:
        way.append(int(tree.parent[way[-1]]))
    return way[::-1]


def _title(words: Words, node: int) -> str:
    """node 3: Pat = Full · 6 rows, impurity 0.9183"""
    met = [condition_in_words(words, condition) for condition in conditions(words.tree, node)]
    many = int(words.tree.n_rows[node])
    rows = f"{many:,} row{'' if many == 1 else 's'}, impurity {number(float(words.tree.impurity[node]))}"
    return f"node {node}: {' and '.join(met) or 'all rows'} · {rows}"


def _end(words: Words, node: int) -> str:
    """What a node without a choice comes to."""
    if words.tree.kind[node] == LEAF:
        return f"decides {decision(words, node)}"
    return f"asks {question_in_words(words, node)}"


def _table(words: Words, trace: Trace, node: int) -> list[tuple[str, ...]]:
    """Rows of cells, the head first; nothing where there was no choice to make."""
    found = offers(words.tree, trace, node)
    head = ("", "", "gain", "remainder", *(("ratio",) if trace.by_ratio else ()))
    return [head, *(_cells(words, trace, node, offer) for offer in found)] if found else []


def _cells(words: Words, trace: Trace, node: int, offer: Offer) -> tuple[str, ...]:
    left = max(0.0, float(words.tree.impurity[node]) - offer.decrease)
    ratio = (_short(offer.ratio),) if trace.by_ratio else ()
    mark = "->" if offer.chosen else ""
    return (mark, _split(words, node, offer), _short(offer.decrease), _short(left), *ratio)


def _short(x: float) -> str:
    """Three digits after the point; small numbers keep three that say something."""
    return f"{x:.3f}" if abs(x) >= 0.0995 or abs(x) < 1e-12 else f"{x:.3g}"


def _split(words: Words, node: int, offer: Offer) -> str:
    """The split in words; of a subset that was not chosen only the column is known."""
    tree, labels, column = words.tree, words.labels, offer.column
    name = name_of(words, column)
    if offer.chosen and tree.kind[node] != MULTIWAY:
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
    return f"{name} <= {number_of(words, column, offer.threshold)}"


def _html(words: Words, trace: Trace, node: int) -> str:
    title = f"<caption>{escape(_title(words, node))}</caption>"
    table = _table(words, trace, node)
    if not table:
        return f'<table>{title}<tr><td class="words">{escape(_end(words, node))}</td></tr></table>'
    head = "".join(f"<th>{escape(cell)}</th>" for cell in table[0])
    body = "".join(_html_row(row) for row in table[1:])
    return f"<table>{title}<tr>{head}</tr>{body}</table>"


def _html_row(row: tuple[str, ...]) -> str:
    arrow, split, *figures = ("→" if row[0] else "", *row[1:])
    cells = "".join(f"<td>{escape(cell)}</td>" for cell in figures)
    chosen = ' class="chosen"' if row[0] else ""
    return (
        f'<tr{chosen}><td>{arrow}</td><td class="words" style="width:24em">{escape(split)}</td>{cells}</tr>'
    )
