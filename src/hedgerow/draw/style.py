"""What all pictures share: figures, colours, axes, labels, saving.   In: sizes, names.   Out: an Axes or a Figure.

A figure is made without pyplot, so that none is left open and no window or backend is needed:

    ax = model.draw()                       # a new figure: ax.figure.savefig("tree.png")
    model.draw(ax=pyplot.gca())             # on a figure of one's own, to be shown in a window

In a notebook pyplot makes it, shows it below the cell and closes it. matplotlib is imported only when one draws.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hedgerow.files import write_atomically
from hedgerow.tree.picture.colours import CLASSES, DEEP, INK, LINE, PAPER, SOFT, class_colour, mix
from hedgerow.words import show

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BLUE, RED, GREEN, GREY, FAINT = "#1d4ed8", "#c2410c", "#047857", "#6b7280", "#94a3b8"
LINES = (BLUE, RED, GREEN, "#7c3aed", "#ca8a04", "#0e7490", "#be185d", "#4d7c0f")
SHAPES = ("o", "s", "^", "D", "v", "P", "X", "<")
DASHES = (0, (4, 3))
SHARP = 192  # dots an inch: twice the picture's own size
SAME_EVERY_TIME = {"svg.hashsalt": "hedgerow"}  # names inside an SVG

__all__ = [
    "BLUE", "CLASSES", "DASHES", "DEEP", "FAINT", "GREEN", "GREY", "INK", "LINE", "LINES", "PAPER", "RED", "SHAPES",
    "SOFT", "axes_for", "class_colour", "label", "legend", "mix", "new_figure", "panels", "save", "style_axes",
    "unit_square",
]  # fmt: skip


def axes_for(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    """The one given, or that of a new figure of so many inches."""
    return ax if ax is not None else new_figure(size).add_subplot()


def panels(n: int, across: int, size: tuple[float, float], **options: Any) -> "tuple[Figure, list[Axes]]":
    """A figure of n panels of this size, at most so many side by side; places left over stay empty."""
    across = min(across, n)
    down = -(-n // across)
    figure = new_figure((size[0] * across, size[1] * down))
    places = list(figure.subplots(down, across, squeeze=False, **options).flat)
    for empty in places[n:]:
        empty.set_visible(False)
    return figure, places[:n]


def new_figure(size: tuple[float, float], layout: Any = "constrained") -> "Figure":
    if _in_notebook():
        from matplotlib import pyplot

        return pyplot.figure(figsize=size, layout=layout)  # type: ignore[no-any-return]
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout=layout)
    FigureCanvasAgg(figure)
    return figure


def _in_notebook() -> bool:
    """Whether cells show the figures that pyplot makes."""
    ipython: Any = sys.modules.get("IPython")
    return ipython is not None and type(ipython.get_ipython()).__name__ == "ZMQInteractiveShell"


def save(figure: Any, path: Path | str) -> None:
    """As .svg, .png or whatever the name ends in; the same bytes every time."""
    from matplotlib import rc_context

    is_svg = str(path).lower().endswith(".svg")
    with rc_context(SAME_EVERY_TIME):
        made = BytesIO()
        figure.savefig(
            made,
            format=Path(path).suffix[1:] or "png",
            dpi=SHARP,
            metadata={"Date": None} if is_svg else None,
        )
    write_atomically(Path(path), made.getvalue())


def style_axes(ax: "Axes") -> None:
    """Two thin edges instead of a frame."""
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(color=LINE, labelsize=9)


def legend(ax: "Axes", where: str = "best", **options: Any) -> None:
    """Without a frame, and readable where a line passes behind it."""
    ax.legend(frameon=True, framealpha=0.8, edgecolor="none", fontsize=8.5, loc=where, **options)


def unit_square(ax: "Axes", x: str, y: str) -> None:
    """Both axes from 0 to 1, equally long."""
    style_axes(ax)
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(-0.01, 1.02)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlabel(x)
    ax.set_ylabel(y)


def label(name: str, longest: int = 40) -> str:
    """A name from the data: safe, short, and no mathematics between two dollar signs."""
    return show(name, longest).replace("$", r"\$")
