"""What the line pictures share: an Axes when none is given, and quiet frames."""

from typing import TYPE_CHECKING

from hedgerow.tree.picture.colours import LINE

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c8c8c")  # Okabe and Ito
DASHES = (0, (4, 3))


def axes_for(ax: "Axes | None", size: tuple[float, float]) -> "Axes":
    if ax is not None:
        return ax
    from matplotlib import pyplot

    return pyplot.subplots(figsize=size, layout="constrained")[1]  # type: ignore[no-any-return]


def quiet(ax: "Axes") -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(color=LINE)
