"""Cost against threshold, drawn.   In: a Threshold, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, DASHES, GREY, RED, axes, legend, plain
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_threshold(choice: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.6, 4.4))
    edges, costs = np.append(0.0, choice.thresholds), np.append(choice.costs[0], choice.costs)
    ax.step(np.append(edges, 1.0), np.append(costs, costs[-1]), where="pre", color=BLUE, linewidth=1.5)
    cheapest = "never" if choice.value >= choice.thresholds[-1] else f"{choice.value:.3f}"
    ax.axvline(choice.value, color=RED, linewidth=1.2, label=f"cheapest: {cheapest}")
    ax.axvline(
        choice.theory, color=GREY, linestyle=DASHES, linewidth=1, label=f"calibrated: {choice.theory:.3f}"
    )
    plain(ax)
    ax.set_xlim(0, 1)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"say {label(choice.positive, 24)} from this chance on")
    ax.set_ylabel("cost a row")
    words = f"a false positive costs {choice.false_positive:g}, a false negative {choice.false_negative:g}"
    ax.set_title(words, fontsize=10, loc="left")
    legend(ax)
    return ax
