"""The validation curve, drawn.   In: a ValidationCurve, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, GREEN, GREY, RED, SOFT, axes, legend, plain
from hedgerow.draw.plain import plain as label
from hedgerow.draw.words import title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_validation_curve(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (6.4, 4.4))
    x = np.arange(len(curve.values))
    values = np.array([s.value for s in curve.scores])
    low, high = (np.array([getattr(s, end) for s in curve.scores]) for end in ("low", "high"))
    ax.plot(x, curve.training, color=GREY, marker="o", markersize=3.5, linewidth=1, label="training rows")
    ax.errorbar(
        x,
        values,
        yerr=np.abs(np.vstack([low, high]) - values),
        color=BLUE,
        ecolor=SOFT,
        capsize=2.5,
        marker="o",
        markersize=4.5,
        linewidth=1.4,
        label="new rows",
    )
    best, simplest = curve.best, curve.simplest
    ax.plot(
        best,
        values[best],
        "o",
        mfc="none",
        mec=RED,
        mew=1.6,
        markersize=11,
        label=f"best: {_value(curve.values[best])}",
    )
    if simplest != best:
        words = f"simplest within 1 standard error: {_value(curve.values[simplest])}"
        ax.plot(simplest, values[simplest], "s", mfc="none", mec=GREEN, mew=1.6, markersize=11, label=words)
    plain(ax)
    ax.set_xticks(x, [_value(value) for value in curve.values], fontsize=9)
    ax.set_xlabel(curve.parameter)
    ax.set_ylabel(title_of(curve.score))
    legend(ax)
    return ax


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else label(str(value), 16)
