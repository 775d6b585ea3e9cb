"""What stands on the card of a node.   In: LabeledTree, an Item.   Out: a Card: texts that fit, colours, size.

+--------------------------+        +------------------+
| sex = male               |        | survived         |   the test; at a leaf the decision, bold
| [#########::::::]        |        | [#:::::::::::::] |   class shares; for a number its place on the scale
| 0.62 | 0.38         100% |        | 0.05 | 0.95  19% |   in figures, and the share of rows
+--------------------------+        +------------------+
"""

from dataclasses import dataclass

from hedgerow.tree.formatting import percent, share
from hedgerow.tree.labels import LabeledTree
from hedgerow.tree.picture.colours import INK, LINE, PAPER, class_colour, fill_of, height_of, mix
from hedgerow.tree.picture.measure import fit, fit_test, text_width
from hedgerow.tree.tree import LEAF, NONE
from hedgerow.tree.view import Item
from hedgerow.tree.wording import (
    class_name,
    decided_class,
    decision,
    describe_node,
    question_in_words,
    rows_share,
    shorten,
    values_in_words,
)

TITLE, SMALL = 13.0, 11.0  # sizes of text
PAD, TALL, STUB = 10.0, 64.0, 28.0
TITLE_AT, BAR_AT, FIGURES_AT, STUB_AT, BAR = 21.0, 31.0, 55.0, 18.0, 8.0  # from the top; height of the bar
NARROW, WIDE = 104.0, 250.0
FIGURES = 3  # classes whose shares are all written out


@dataclass(frozen=True)
class Card:
    title: str
    left: str  # figures under the bar
    right: str  # share of rows
    bold: bool  # a decision
    bar: tuple[tuple[float, str], ...]  # (part, colour), adding up to 1; () without classes
    mark: float | None  # place on the scale of a number
    fill: str
    border: str
    width: float
    height: float
    tooltip: str


def card_of(words: LabeledTree, item: Item) -> Card:
    """The card of an Item; a stub's says how much is hidden."""
    if item.node == NONE:
        return _stub(item)
    leaf = bool(words.tree.kind[item.node] == LEAF)
    full = decision(words, item.node) if leaf else _question(words, item.node)
    left, right = _figures(words, item.node, leaf), percent(rows_share(words, item.node))
    wanted = max(text_width(full, TITLE, leaf), text_width(left + "   " + right, SMALL)) + 2 * PAD
    width = min(max(wanted, NARROW), WIDE)
    room = width - 2 * PAD + 0.1  # what just fits still fits after rounding
    fill = fill_of(words, item.node) if leaf else PAPER
    return Card(
        title=fit(full, room, TITLE, bold=True) if leaf else fit_test(full, room, TITLE),
        left=fit(left, room - text_width("  " + right, SMALL), SMALL),
        right=right,
        bold=leaf,
        bar=_bar(words, item.node),
        mark=height_of(words, item.node) if not words.shares and words.tree.n_outputs == 1 else None,
        fill=fill,
        border=mix(fill, INK, 0.25) if leaf else LINE,
        width=width,
        height=TALL,
        tooltip=describe_node(words, item.node),
    )


def _question(words: LabeledTree, node: int) -> str:
    """The fullest wording that the widest card has room for."""
    return shorten(
        lambda brief: question_in_words(words, node, brief),
        lambda text: text_width(text, TITLE) <= WIDE - 2 * PAD,
    )


def _stub(item: Item) -> Card:
    text = f"… {item.hidden:,} more {'node' if item.hidden == 1 else 'nodes'}"
    width = text_width(text, SMALL) + 2 * PAD
    tooltip = f"{item.hidden:,} nodes are not shown; max_depth shows more"
    return Card(text, "", "", False, (), None, "#f5f7fa", LINE, width, STUB, tooltip)


def _figures(words: LabeledTree, node: int, leaf: bool) -> str:
    if words.shares and words.tree.n_outputs <= FIGURES:
        return " | ".join(share(p) for p in words.tree.value[node].tolist())
    if words.shares:
        top = decided_class(words, node)
        figure = share(float(words.tree.value[node, top]))
        return figure if leaf else f"{class_name(words, top)} {figure}"
    return f"n = {int(words.tree.n_rows[node]):,}" if leaf else values_in_words(words, node)


def _bar(words: LabeledTree, node: int) -> tuple[tuple[float, str], ...]:
    if not words.shares:
        return ()
    return tuple((p, class_colour(k)) for k, p in enumerate(words.tree.value[node].tolist()) if p > 0)
