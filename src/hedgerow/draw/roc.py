"""The ROC curve, drawn.   In: a Roc, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import BLUE, DASHES, GREY, axes, legend, unit_square
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc(roc: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.2, 5.0))
    area = roc.area
    x = roc.false_positive_rate
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1, label="guessing: 0.5")
    ax.fill_between(x, roc.low, roc.high, color=BLUE, alpha=0.15, linewidth=0)
    words = f"area {area.value:.3f} ({area.low:.3f} to {area.high:.3f})"
    ax.plot(x, roc.true_positive_rate, color=BLUE, linewidth=1.6, label=words)
    unit_square(ax, "false positives, of all negatives", "true positives, of all positives")
    ax.set_title(f"ROC: {label(roc.positive, 32)}", fontsize=10, loc="left")
    legend(ax, "lower right")
    return ax
