"""The ROC curve, drawn.   In: a Roc, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import BLUE, DASHES, GREY, axes, unit_square

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_roc(roc: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.2, 5.0))
    area = roc.area
    x = roc.false_positive_rate
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1, label="guessing: 0.5")
    ax.fill_between(x, roc.low, roc.high, color=BLUE, alpha=0.15, linewidth=0)
    label = f"area {area.value:.3f} ({area.low:.3f} to {area.high:.3f})"
    ax.plot(x, roc.true_positive_rate, color=BLUE, linewidth=1.6, label=label)
    unit_square(ax, "false positives, of all negatives", "true positives, of all positives")
    ax.set_title(f"ROC: {roc.positive}", fontsize=10, loc="left")
    ax.legend(frameon=False, fontsize=8.5, loc="lower right")
    return ax
