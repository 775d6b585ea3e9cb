"""The precision-recall curve, drawn.   In: a PrecisionRecall, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

from hedgerow.draw.look import BLUE, DASHES, GREY, axes, legend, unit_square
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_precision_recall(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.2, 5.0))
    average = curve.average
    ax.axhline(curve.share, color=GREY, linestyle=DASHES, linewidth=1, label=f"guessing: {curve.share:.3f}")
    ax.fill_between(curve.recall, curve.low, curve.high, color=BLUE, alpha=0.15, linewidth=0)
    words = f"average {average.value:.3f} ({average.low:.3f} to {average.high:.3f})"
    ax.plot(curve.recall, curve.precision, color=BLUE, linewidth=1.6, label=words)
    unit_square(ax, "recall: found, of all positives", "precision: right, of all called positive")
    ax.set_title(f"Precision and recall: {label(curve.positive, 24)}", fontsize=10, loc="left")
    legend(ax)
    return ax
