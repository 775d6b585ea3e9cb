"""The critical-difference picture (Demsar 2006), drawn.   In: a RankComparison, perhaps an Axes.   Out: the Axes.

Mean ranks on one line, the best on the left; thick bars join models whose ranks are closer than the critical
difference.
"""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import GREY, INK, LINE, axes
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_critical_difference(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    n, ranks = len(found.models), found.friedman.mean
    groups = found.nemenyi.groups
    half = (n + 1) // 2
    top = 0.8 + 0.28 * len(groups)
    ax = axes(ax, (7.6, 1.6 + 0.3 * half + 0.22 * len(groups)))
    ax.set_xlim(1 - 0.28 * (n - 1) - 0.3, n + 0.28 * (n - 1) + 0.3)
    ax.set_ylim(-top - 0.55 * half, 1.3)
    ax.axis("off")
    ax.plot([1, n], [0, 0], color=INK, linewidth=1)
    for k in range(1, n + 1):
        ax.plot([k, k], [0, 0.12], color=INK, linewidth=1)
        ax.text(k, 0.2, str(k), ha="center", va="bottom", fontsize=9, color=INK)
    _difference(ax, found.nemenyi.critical_difference)
    for place, k in enumerate(found.order):
        left = place < half
        depth = top + 0.55 * (place if left else n - 1 - place)
        end = 1 - 0.2 if left else n + 0.2
        ax.plot([ranks[k], ranks[k], end], [0, -depth, -depth], color=LINE, linewidth=1)
        words = (
            f"{label(found.models[k], 24)}  {ranks[k]:.2f}"
            if left
            else f"{ranks[k]:.2f}  {label(found.models[k], 24)}"
        )
        ax.text(end, -depth, f" {words} ", ha="right" if left else "left", va="center", fontsize=9, color=INK)
    for row, group in enumerate(groups):
        low, high = min(ranks[k] for k in group), max(ranks[k] for k in group)
        ax.plot(
            [low - 0.04, high + 0.04],
            [-0.3 - 0.28 * row] * 2,
            color=INK,
            linewidth=3.5,
            solid_capstyle="butt",
        )
    return ax


def _difference(ax: "Axes", difference: float) -> None:
    y = 0.8
    ax.plot([1, 1 + difference], [y, y], color=GREY, linewidth=1.2)
    for x in (1, 1 + difference):
        ax.plot([x, x], [y - 0.08, y + 0.08], color=GREY, linewidth=1.2)
    ax.text(
        1 + difference / 2,
        y + 0.1,
        f"critical difference {difference:.2f}",
        ha="center",
        fontsize=8,
        color=GREY,
    )
