"""Guesses of a regression, drawn.   In: Residuals, perhaps an Axes.   Out: the Axes. Many rows become a grey shade."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import BLUE, DASHES, GREY, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY = 3000


def draw_residuals(residuals: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.2, 5.0))
    if len(residuals.truth) > MANY:
        ax.hexbin(
            residuals.said, residuals.truth, gridsize=50, cmap="Blues", bins="log", mincnt=1, linewidths=0
        )
    else:
        ax.plot(residuals.said, residuals.truth, ".", color=BLUE, markersize=4, alpha=0.4, markeredgewidth=0)
    low = float(min(residuals.said.min(), residuals.truth.min()))
    high = float(max(residuals.said.max(), residuals.truth.max()))
    ax.plot([low, high], [low, high], color=GREY, linestyle=DASHES, linewidth=1)
    plain(ax)
    ax.set_xlabel("said")
    ax.set_ylabel("true")
    ax.set_title("Guesses of rows that were not learned", fontsize=10, loc="left")
    return ax
