"""What the pictures share: an Axes to draw on, plain edges, lines and shapes."""

from typing import TYPE_CHECKING

from hedgerow.tree.picture.colours import LINE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BAR, MARK, QUIET = "#1d4ed8", "#c2410c", "#94a3b8"
LINES = ("#1d4ed8", "#c2410c", "#047857", "#7c3aed", "#ca8a04", "#0e7490", "#be185d", "#4d7c0f")


def axes_of(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    """The one given, or one of a new figure. pyplot is imported only for that."""
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]  # type: ignore[no-any-return]


def plain(ax: "Axes") -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(color=LINE)


def shortened(text: str, most: int = 32) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
