"""The confusion matrix, drawn.   In: a Confusion, perhaps an Axes.   Out: the Axes, shaded by shares of rows."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import INK, axes
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_WRITTEN = 12  # classes whose cells still have room for numbers


def draw_confusion(confusion: Any, *, ax: "Axes | None" = None) -> "Axes":
    n = len(confusion.classes)
    side = min(9.0, 3.2 + 0.55 * n)
    ax = axes(ax, (side + 0.6, side))
    shares = confusion.recall
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    names = [label(str(name), 14) for name in confusion.classes.tolist()]
    turn = 90 if n > 6 else 0
    small = 9 if n <= MOST_WRITTEN else 7
    ax.set_xticks(range(n), names, rotation=turn, fontsize=small)
    ax.set_yticks(range(n), names, fontsize=small)
    if n <= MOST_WRITTEN:
        for i in range(n):
            for j in range(n):
                colour = "white" if shares[i, j] > 0.6 else INK
                count = confusion.counts[i, j]
                words = f"{count:,.0f}" + (f"\n{shares[i, j]:.0%}" if n <= 6 else "")
                ax.text(j, i, words, ha="center", va="center", color=colour, fontsize=9 if n <= 6 else 8)
    ax.set_xlabel("said")
    ax.set_ylabel("true")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title("Confusion", fontsize=10, loc="left")
    return ax
