"""A Tree as a picture, before it is painted.   In: a Tree, its Labels.   Out: Picture (pixels, y down).

export/formats/svg.py and draw/tree.py paint the same Picture, so that both say and place the same.
"""

from dataclasses import dataclass

from hedgerow.tree.formatting import safe
from hedgerow.tree.labels import LabeledTree, Labels, label_tree
from hedgerow.tree.picture.cards import SMALL, Card, card_of
from hedgerow.tree.picture.layout import middles
from hedgerow.tree.picture.legend import Legend, legend_of
from hedgerow.tree.picture.measure import fit
from hedgerow.tree.tree import NONE, Tree
from hedgerow.tree.view import Item, view
from hedgerow.tree.wording import rows_share, way_in_words

SHOWN, DEEPEST, WIDEST = 45, 9, 14  # when no depth is given
MARGIN, GAP, DROP, HEAD = 20.0, 18.0, 62.0, 30.0
LABEL = 22.0  # height of the straight end of an edge, which carries its label


@dataclass(frozen=True)
class Placed:
    card: Card
    x: float  # middle
    y: float  # top


@dataclass(frozen=True)
class Edge:
    x0: float
    y0: float
    x1: float
    y1: float
    width: float
    label: str


@dataclass(frozen=True)
class Picture:
    width: float
    height: float
    cards: tuple[Placed, ...]
    edges: tuple[Edge, ...]
    legend: Legend
    about: str  # what the picture is, for those who do not see it


def picture(tree: Tree, labels: Labels, max_depth: int | None = None) -> Picture:
    """The tree laid out. Without `max_depth`, as much of it as is readable."""
    words = label_tree(tree, labels)
    items = shown_items(tree, max_depth)
    cards = [card_of(words, item) for item in items]
    x = middles([item.up for item in items], [card.width for card in cards], GAP)
    y = _tops(items, cards)
    placed = [
        Placed(c, MARGIN + a, MARGIN + HEAD + y[i.depth]) for i, c, a in zip(items, cards, x, strict=True)
    ]
    legend = legend_of(words, MARGIN)
    return Picture(
        width=max(legend.end, *(p.x + p.card.width / 2 for p in placed)) + MARGIN,
        height=max(p.y + p.card.height for p in placed) + MARGIN,
        cards=tuple(placed),
        edges=tuple(_edge(words, items, placed, k) for k in range(1, len(items))),
        legend=legend,
        about=_about(words, sum(item.node != NONE for item in items)),
    )


def shown_items(tree: Tree, max_depth: int | None) -> tuple[Item, ...]:
    """What `picture` shows, in the order of its cards."""
    return view(tree, max_depth, budget=SHOWN, deepest=DEEPEST, widest=WIDEST)


def _tops(items: tuple[Item, ...], cards: list[Card]) -> list[float]:
    """Top of each level: as low as the tallest card above it needs."""
    tall = [0.0] * (1 + max(item.depth for item in items))
    for item, card in zip(items, cards, strict=True):
        tall[item.depth] = max(tall[item.depth], card.height)
    tops = [0.0]
    for height in tall[:-1]:
        tops.append(tops[-1] + height + DROP)
    return tops


def _edge(words: LabeledTree, items: tuple[Item, ...], placed: list[Placed], k: int) -> Edge:
    item, below, above = items[k], placed[k], placed[items[k].up]
    if item.node == NONE:
        part, label = 0.0, ""
    else:
        part = rows_share(words, item.node)
        room = below.card.width + GAP - 14
        label = fit(way_in_words(words, items[item.up].node, item.place), room, SMALL)
    return Edge(above.x, above.y + above.card.height, below.x, below.y, 1.2 + 7 * part, label)


def _about(words: LabeledTree, shown: int) -> str:
    tree = words.tree
    target = f" for {safe(words.labels.target, 60)}" if words.labels.target else ""
    title = f"Decision tree{target}: {tree.n_nodes:,} nodes, {tree.n_leaves:,} leaves, {tree.max_depth} deep"
    return title if shown == tree.n_nodes else f"{title}; {shown:,} nodes shown"
