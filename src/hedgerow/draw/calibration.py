"""The calibration curve, drawn.   In: a Calibration, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, DASHES, GREY, SOFT, axes, legend, unit_square
from hedgerow.draw.plain import plain as label

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_calibration(calibration: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (5.2, 5.0))
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1, label="chances that hold")
    reach = np.abs(np.vstack([calibration.low, calibration.high]) - calibration.happened)
    ax.errorbar(
        calibration.said,
        calibration.happened,
        yerr=reach,
        color=BLUE,
        ecolor=SOFT,
        elinewidth=1.2,
        capsize=2.5,
        marker="o",
        markersize=4.5,
        linewidth=1.2,
        label=f"mean distance {calibration.error:.3f}",
    )
    unit_square(ax, f"chance given to {label(calibration.positive, 24)}", "share that happened")
    ax.set_title("Calibration", fontsize=10, loc="left")
    legend(ax, "upper left")
    return ax
