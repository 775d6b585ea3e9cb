"""Bias and variance, drawn.   In: a BiasVariance, perhaps an Axes.   Out: the Axes: a bar for each part."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, GREY, SOFT, axes, plain

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_bias_variance(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (6.4, 0.8 + 0.42 * len(found.parts)))
    y = np.arange(len(found.parts))[::-1]
    values = np.array([part.value for part in found.parts])
    reach = np.abs(
        np.array([[part.low for part in found.parts], [part.high for part in found.parts]]) - values
    )
    ax.barh(y, values, color=[GREY] + [BLUE] * (len(y) - 1), height=0.62, alpha=0.85)
    ax.errorbar(values, y, xerr=reach, fmt="none", ecolor=SOFT, elinewidth=1.2, capsize=2.5)
    ax.set_yticks(y, [part.name for part in found.parts], fontsize=9)
    plain(ax)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{found.loss} loss, a row")
    return ax
