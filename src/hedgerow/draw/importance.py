"""The plot of lecture 003: importances, the largest on top, in percent of it.   In: an Importance.   Out: the Axes."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.paper import BAR, QUIET, axes_of, plain, shortened
from hedgerow.ensemble.importance_table import Importance
from hedgerow.tree.picture.colours import INK, LINE, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes

AXIS = {
    "impurity": "mean decrease of impurity, % of the largest",
    "corrected": "decrease of impurity out of bag, % of the largest",
    "permutation": "rise of the loss by permutation out of bag, % of the largest",
}


def draw_importance(found: Importance, *, ax: "Axes | None" = None, most: int = 20) -> "Axes":
    """Bars; with intervals, whiskers, and pale bars for columns whose interval holds zero."""
    shown = found.order[:most]
    ax = axes_of(ax, (7.2, 1.1 + 0.3 * len(shown)))
    largest = float(found.value.max()) if len(found.value) else 0.0
    scale = 100 / largest if largest > 0 else 1.0
    place = np.arange(len(shown))[::-1]
    sure = np.ones(len(shown), bool) if found.low is None else found.low[shown] > 0
    ax.barh(
        place, found.value[shown] * scale, color=[BAR if s else QUIET for s in sure], height=0.62, zorder=2
    )
    if found.low is not None and found.high is not None:
        middle = found.value[shown]
        reach = np.stack([middle - found.low[shown], found.high[shown] - middle]) * scale
        ax.errorbar(
            middle * scale,
            place,
            xerr=reach,
            fmt="none",
            ecolor=INK,
            elinewidth=1,
            capsize=2.5,
            zorder=3,
            label=f"{found.confidence:.0%} interval; pale: it holds zero",
        )
        ax.legend(frameon=False, fontsize=8.5, loc="lower right")
    ax.axvline(0, color=LINE, linewidth=1, zorder=1)
    ax.set_yticks(place, [shortened(found.names[j]) for j in shown])
    ax.set_ylim(-0.7, len(shown) - 0.3)
    ax.set_xlabel(AXIS[found.kind])
    said = (
        [f"the {len(shown)} largest of {len(found.names)} columns"] if len(shown) < len(found.names) else []
    )
    if found.kind == "impurity":
        said.append("biased towards columns of many values")
    ax.set_title("; ".join(said), loc="left", fontsize=9, color=SOFT)
    plain(ax)
    ax.tick_params(axis="y", length=0)
    return ax
