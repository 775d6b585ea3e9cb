"""How the pictures of evaluation look: colours and plain axes. matplotlib is imported only when one is drawn."""

from typing import TYPE_CHECKING

from hedgerow.tree.picture.colours import INK, LINE, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLUE, RED, GREEN, GREY = "#1d4ed8", "#c2410c", "#047857", "#6b7280"
DASHES = (0, (4, 3))

__all__ = [
    "BLUE",
    "DASHES",
    "GREEN",
    "GREY",
    "INK",
    "LINE",
    "RED",
    "SOFT",
    "axes",
    "legend",
    "plain",
    "unit_square",
]


def axes(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]  # type: ignore[no-any-return]


def plain(ax: "Axes") -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(color=LINE, labelsize=9)


def legend(ax: "Axes", where: str = "best") -> None:
    """Without a frame, and readable where a line passes behind it."""
    ax.legend(frameon=True, framealpha=0.8, edgecolor="none", fontsize=8.5, loc=where)


def unit_square(ax: "Axes", x: str, y: str) -> None:
    """Both axes from 0 to 1, equally long."""
    plain(ax)
    ax.set_xlim(-0.01, 1.01)
    ax.set_ylim(-0.01, 1.02)
    ax.set_aspect("equal", adjustable="box")
    ax.set_xlabel(x)
    ax.set_ylabel(y)
