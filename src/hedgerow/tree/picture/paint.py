"""Painting.   In: a Picture, a Pen.   Out: nothing; the pen has drawn every shape, from back to front.

export/formats/svg.py and draw/tree.py each bring a pen, so that both show the same.
"""

from typing import Protocol

from hedgerow.tree.picture.cards import BAR, BAR_AT, FIGURES_AT, PAD, SMALL, STUB_AT, TITLE, TITLE_AT, Card
from hedgerow.tree.picture.colours import INK, LINE, PAPER, SOFT, mix
from hedgerow.tree.picture.legend import SWATCH, Legend
from hedgerow.tree.picture.measure import text_width
from hedgerow.tree.picture.picture import LABEL, MARGIN, Edge, Picture, Placed

START, MIDDLE, END = 0.0, 0.5, 1.0  # where the point given lies on a text


class Pen(Protocol):
    """Shapes in pixels, y downwards."""

    def edge(self, edge: Edge) -> None:
        """A curve, then straight down through the label."""

    def begin_card(self, placed: Placed) -> None:
        """The card itself; what is drawn until `end_card` stands on it."""

    def end_card(self) -> None: ...

    def rect(self, x: float, y: float, width: float, height: float, fill: str, corner: float = 0) -> None: ...

    def outline(self, x: float, y: float, width: float, height: float, ink: str) -> None: ...

    def dot(self, x: float, y: float, radius: float, fill: str) -> None: ...

    def text(
        self, x: float, y: float, text: str, size: float, ink: str, room: float, *, bold: bool, anchor: float
    ) -> None:
        """Text on the line y, never wider than room."""


def paint(picture: Picture, pen: Pen) -> None:
    _legend(pen, picture.legend)
    for edge in picture.edges:
        pen.edge(edge)
    for placed in picture.cards:
        pen.begin_card(placed)
        _card(pen, placed)
        pen.end_card()
    for edge in picture.edges:
        _label(pen, edge)


def _legend(pen: Pen, legend: Legend) -> None:
    y = MARGIN + 8
    for swatch in legend.swatches:
        pen.rect(swatch.x, y - 9, swatch.width + 0.3, SWATCH, swatch.colour)
    for caption in legend.captions:
        room = caption.end - caption.x
        pen.text(caption.x, y, caption.text, SMALL, INK, room, bold=caption.bold, anchor=START)


def _label(pen: Pen, edge: Edge) -> None:
    if edge.label:
        wide = text_width(edge.label, SMALL) + 10
        pen.rect(edge.x1 - wide / 2, edge.y1 - LABEL, wide, 16, PAPER, 8)
        pen.text(edge.x1, edge.y1 - 10, edge.label, SMALL, SOFT, wide, bold=False, anchor=MIDDLE)


def _card(pen: Pen, placed: Placed) -> None:
    card = placed.card
    x, y, room = placed.x - card.width / 2 + PAD, placed.y, card.width - 2 * PAD
    if not card.right:  # a stub
        pen.text(placed.x, y + STUB_AT, card.title, SMALL, SOFT, room, bold=False, anchor=MIDDLE)
        return
    pen.text(x, y + TITLE_AT, card.title, TITLE, INK, room, bold=card.bold, anchor=START)
    _bar(pen, card, x, y + BAR_AT, room)
    pen.text(x, y + FIGURES_AT, card.left, SMALL, INK, room, bold=False, anchor=START)
    pen.text(x + room, y + FIGURES_AT, card.right, SMALL, INK, room, bold=False, anchor=END)


def _bar(pen: Pen, card: Card, x: float, y: float, room: float) -> None:
    if card.mark is not None:
        pen.rect(x, y + BAR / 2 - 1, room, 2, mix(card.fill, INK, 0.35), 1)
        pen.dot(x + card.mark * room, y + BAR / 2, 4, INK)
        return
    start = x
    for part, colour in card.bar:
        pen.rect(start, y, part * room, BAR, colour)
        start += part * room
    if card.bar:
        pen.outline(x, y, room, BAR, PAPER)
    else:
        pen.rect(x, y + BAR / 2, room, 1, LINE)
