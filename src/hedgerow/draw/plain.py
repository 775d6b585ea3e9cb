"""What the line pictures share: an Axes when none is given, quiet frames, names as they are."""

from typing import TYPE_CHECKING

from hedgerow.table.words import show
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


def plain(name: str, longest: int = 40) -> str:
    """A name from the data as a label: no escapes, and no mathematics between two dollar signs."""
    return show(name, longest).replace("$", r"\$")


def quiet(ax: "Axes") -> None:
    ax.spines[["top", "right"]].set_visible(False)
    ax.spines[["left", "bottom"]].set_color(LINE)
    ax.tick_params(color=LINE)
