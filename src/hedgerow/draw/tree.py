"""A Tree drawn with matplotlib.   In: a Tree, its Labels, perhaps an Axes.   Out: the Axes.

Paints the same Picture as export/svg.py. Text is drawn as outlines in the coordinates of the picture, so
that it keeps its place in its box however the figure is scaled, and no name is taken for mathematics.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hedgerow.draw.style import new_figure
from hedgerow.tree.labels import Labels
from hedgerow.tree.picture.cards import (
    BAR,
    BAR_AT,
    FIGURES_AT,
    PAD,
    SMALL,
    STUB_AT,
    TITLE,
    TITLE_AT,
    Card,
)
from hedgerow.tree.picture.colours import EDGE, INK, LINE, PAPER, SOFT, mix
from hedgerow.tree.picture.legend import SWATCH, Legend
from hedgerow.tree.picture.measure import text_width
from hedgerow.tree.picture.picture import LABEL, MARGIN, Edge, Picture, Placed, picture
from hedgerow.tree.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.patches import Patch

INCH = 96.0  # pixels of the picture


def draw_tree(
    tree: Tree, labels: Labels, *, max_depth: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """The tree on `ax`, or on a new figure that fits. Without `max_depth`, as much of it as is readable."""
    drawn = picture(tree, labels, max_depth)
    ax = _new_axes(drawn) if ax is None else ax
    pen = _pen_for(ax, drawn.width, drawn.height)
    for edge in drawn.edges:
        pen.edge((edge.x0, edge.y0), (edge.x1, edge.y1 - LABEL), edge.y1, EDGE, edge.width)
    for placed in drawn.cards:
        _card(pen, placed)
    for edge in drawn.edges:
        _label(pen, edge)
    _legend(pen, drawn.legend)
    return ax


def _new_axes(drawn: Picture) -> "Axes":
    figure = new_figure((drawn.width / INCH, drawn.height / INCH), layout="none")
    return figure.add_axes((0, 0, 1, 1))


def _label(pen: "_Pen", edge: Edge) -> None:
    if edge.label:
        wide = text_width(edge.label, SMALL) + 10
        pen.rect(edge.x1 - wide / 2, edge.y1 - LABEL, wide, 16, PAPER)
        pen.text(edge.x1, edge.y1 - 10, edge.label, SMALL, SOFT, wide, anchor=0.5)


def _card(pen: "_Pen", placed: Placed) -> None:
    card = placed.card
    x, y, room = placed.x - card.width / 2, placed.y, card.width - 2 * PAD
    pen.card(x, y, card.width, card.height, card.fill, card.border)
    if not card.right:  # a stub
        pen.text(placed.x, y + STUB_AT, card.title, SMALL, SOFT, room, anchor=0.5)
        return
    pen.text(x + PAD, y + TITLE_AT, card.title, TITLE, INK, room, bold=card.bold)
    _bar(pen, card, x + PAD, y + BAR_AT, room)
    pen.text(x + PAD, y + FIGURES_AT, card.left, SMALL, INK, room)
    pen.text(x + PAD + room, y + FIGURES_AT, card.right, SMALL, INK, room, anchor=1)


def _bar(pen: "_Pen", card: Card, x: float, y: float, room: float) -> None:
    if card.mark is not None:
        pen.rect(x, y + BAR / 2 - 1, room, 2, mix(card.fill, INK, 0.35))
        pen.dot(x + card.mark * room, y + BAR / 2, 4, INK)
        return
    start = x
    for part, colour in card.bar:
        pen.rect(start, y, part * room, BAR, colour)
        start += part * room
    if not card.bar:
        pen.rect(x, y + BAR / 2, room, 1, LINE)


def _legend(pen: "_Pen", legend: Legend) -> None:
    y = MARGIN + 8
    for swatch in legend.swatches:
        pen.rect(swatch.x, y - 9, swatch.width + 0.3, SWATCH, swatch.colour)
    for caption in legend.captions:
        pen.text(caption.x, y, caption.text, SMALL, INK, caption.end - caption.x, bold=caption.bold)


@dataclass(frozen=True, eq=False)
class _Pen:
    """Shapes on an Axes whose units are pixels, y downwards."""

    ax: "Axes"
    point: float  # points (of line width) in a pixel of the picture, when it was drawn

    def rect(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        from matplotlib.patches import Rectangle

        self._add(Rectangle((x, y), width, height, facecolor=fill, linewidth=0))

    def card(self, x: float, y: float, width: float, height: float, fill: str, border: str) -> None:
        from matplotlib.patches import FancyBboxPatch

        style = "round,pad=0,rounding_size=7"
        patch = FancyBboxPatch((x, y), width, height, boxstyle=style, facecolor=fill, edgecolor=border)
        patch.set_linewidth(self.point)
        self._add(patch)

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        from matplotlib.patches import Circle

        self._add(Circle((x, y), radius, facecolor=fill, linewidth=0))

    def edge(
        self, start: tuple[float, float], turn: tuple[float, float], end: float, ink: str, width: float
    ) -> None:
        """A curve from start to turn, then straight down to the height `end`."""
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        middle = (start[1] + turn[1]) / 2
        points = [start, (start[0], middle), (turn[0], middle), turn, (turn[0], end)]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        patch = PathPatch(Path(points, codes), facecolor="none", edgecolor=ink, capstyle="butt")
        patch.set_linewidth(width * self.point)
        self._add(patch)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        ink: str,
        room: float,
        *,
        bold: bool = False,
        anchor: float = 0,
    ) -> None:
        """Text on the line y, from x (anchor 0), around it (0.5) or up to it (1); never wider than room."""
        from matplotlib.font_manager import FontProperties
        from matplotlib.patches import PathPatch
        from matplotlib.textpath import TextPath
        from matplotlib.transforms import Affine2D

        plain = text.replace("$", r"\$")  # else two of them would begin mathematics
        path = TextPath((0, 0), plain, size=size, prop=FontProperties(weight="bold" if bold else "normal"))
        if not len(path.vertices):
            return
        wide = float(path.get_extents().x1)
        shrink = min(1.0, room / wide) if wide > 0 else 1.0
        place = Affine2D().scale(shrink, -1).translate(x - anchor * wide * shrink, y)
        self._add(PathPatch(place.transform_path(path), facecolor=ink, linewidth=0))

    def _add(self, patch: "Patch") -> None:
        self.ax.add_patch(patch)


def _pen_for(ax: "Axes", width: float, height: float) -> "_Pen":
    """A pen for an Axes made ready to hold a picture of that size."""
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    box = ax.get_window_extent()
    scale = min(box.width / width, box.height / height)
    return _Pen(ax, scale * 72 / ax.figure.dpi)
