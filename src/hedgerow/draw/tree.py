"""A Tree drawn with matplotlib.   In: a Tree, its Labels, perhaps an Axes.   Out: the Axes.

Paints the same Picture as export/formats/svg.py. Text is drawn as outlines in the coordinates of the picture, so
that it keeps its place in its box however the figure is scaled, and no name is taken for mathematics.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import new_figure
from hedgerow.tree.labels import Labels
from hedgerow.tree.picture.colours import EDGE
from hedgerow.tree.picture.paint import paint
from hedgerow.tree.picture.picture import LABEL, Edge, Picture, Placed, picture
from hedgerow.tree.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INCH = 96.0  # pixels of the picture


def draw_tree(
    tree: Tree, labels: Labels, *, max_depth: int | None = None, ax: "Axes | None" = None
) -> "Axes":
    """The tree on `ax`, or on a new figure that fits. Without `max_depth`, as much of it as is readable."""
    return draw_picture(picture(tree, labels, max_depth), ax)[0]


def draw_picture(drawn: Picture, ax: "Axes | None") -> "tuple[Axes, _Pen]":
    """A picture that is laid out, and the pen, for what is to be added to it."""
    ax = _new_axes(drawn) if ax is None else ax
    pen = _pen_for(ax, drawn.width, drawn.height)
    paint(drawn, pen)
    return ax, pen


def _new_axes(drawn: Picture) -> "Axes":
    figure = new_figure((drawn.width / INCH, drawn.height / INCH), layout="none")
    return figure.add_axes((0, 0, 1, 1))


@dataclass(frozen=True, eq=False)
class _Pen:
    """Shapes on an Axes whose units are pixels, y downwards. The Axes has its limits: add_patch would find each
    curve's extremes to widen them, which took nine tenths of the time."""

    ax: "Axes"
    point: float  # points (of line width) in a pixel of the picture, when it was drawn

    def edge(self, edge: Edge) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.path import Path

        end = edge.y1 - LABEL
        middle = (edge.y0 + end) / 2
        points = [
            (edge.x0, edge.y0),
            (edge.x0, middle),
            (edge.x1, middle),
            (edge.x1, end),
            (edge.x1, edge.y1),
        ]
        codes = [Path.MOVETO, Path.CURVE4, Path.CURVE4, Path.CURVE4, Path.LINETO]
        patch = PathPatch(Path(points, codes), facecolor="none", edgecolor=EDGE, capstyle="butt")
        patch.set_linewidth(edge.width * self.point)
        self.ax.add_artist(patch)

    def begin_card(self, placed: Placed) -> None:
        from matplotlib.patches import FancyBboxPatch

        card, style = placed.card, "round,pad=0,rounding_size=7"
        corner = (placed.x - card.width / 2, placed.y)
        patch = FancyBboxPatch(
            corner, card.width, card.height, boxstyle=style, facecolor=card.fill, edgecolor=card.border
        )
        patch.set_linewidth(self.point)
        self.ax.add_artist(patch)

    def end_card(self) -> None:
        """What was drawn last lies on top."""

    def rect(self, x: float, y: float, width: float, height: float, fill: str, corner: float = 0) -> None:
        from matplotlib.patches import Rectangle

        self.ax.add_artist(Rectangle((x, y), width, height, facecolor=fill, linewidth=0))

    def outline(self, x: float, y: float, width: float, height: float, ink: str) -> None:
        from matplotlib.patches import Rectangle

        self.ax.add_artist(Rectangle((x, y), width, height, fill=False, edgecolor=ink, linewidth=self.point))

    def dot(self, x: float, y: float, radius: float, fill: str) -> None:
        from matplotlib.patches import Circle

        self.ax.add_artist(Circle((x, y), radius, facecolor=fill, linewidth=0))

    def text(
        self, x: float, y: float, text: str, size: float, ink: str, room: float, *, bold: bool, anchor: float
    ) -> None:
        from matplotlib.patches import PathPatch
        from matplotlib.transforms import Affine2D

        path = _outline(text, size, bold)
        if not len(path.vertices):
            return
        wide = float(path.vertices[:, 0].max())  # its exact outline would take longer than all else
        shrink = min(1.0, room / wide) if wide > 0 else 1.0
        place = Affine2D().scale(shrink, -1).translate(x - anchor * wide * shrink, y)
        self.ax.add_artist(PathPatch(place.transform_path(path), facecolor=ink, linewidth=0))


@lru_cache(maxsize=4096)
def _outline(text: str, size: float, bold: bool) -> Any:
    """Trees say the same words again and again. Not as mathematics, whatever dollar signs there are."""
    from matplotlib.path import Path
    from matplotlib.textpath import text_to_path

    vertices, codes = text_to_path.get_text_path(_font(bold), text)
    points = np.array(vertices, np.float64).reshape(-1, 2)
    return Path(points * (size / text_to_path.FONT_SCALE), codes)


@lru_cache(maxsize=2)
def _font(bold: bool) -> Any:
    from matplotlib.font_manager import FontProperties

    return FontProperties(weight="bold" if bold else "normal")


def _pen_for(ax: "Axes", width: float, height: float) -> "_Pen":
    """A pen for an Axes made ready to hold a picture of that size."""
    ax.set_xlim(0, width)
    ax.set_ylim(height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    box = ax.get_window_extent()
    scale = min(box.width / width, box.height / height)
    return _Pen(ax, scale * 72 / ax.figure.dpi)
