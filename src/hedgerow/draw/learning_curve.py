"""The learning curve, drawn.   In: a LearningCurve, perhaps an Axes.   Out: the Axes, to twice the rows there are."""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, DASHES, GREY, SOFT, axes, legend, plain
from hedgerow.draw.words import title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_learning_curve(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    ax = axes(ax, (6.4, 4.4))
    low, high = (np.array([getattr(s, end) for s in curve.scores]) for end in ("low", "high"))
    if curve.law is not None:
        places = np.geomspace(curve.sizes[0], 2 * curve.sizes[-1], 60)
        said = np.array([curve.at(n) for n in places])
        ax.fill_between(places, said[:, 1], said[:, 2], color=GREY, alpha=0.12, linewidth=0)
        ax.plot(
            places,
            said[:, 0],
            color=GREY,
            linestyle=DASHES,
            linewidth=1.2,
            label="power laws, to twice the rows",
        )
    ax.errorbar(
        curve.sizes,
        curve.values,
        yerr=np.abs(np.vstack([low, high]) - curve.values),
        color=BLUE,
        ecolor=SOFT,
        capsize=2.5,
        marker="o",
        markersize=4.5,
        linewidth=1.4,
        label="new rows",
    )
    ax.plot(
        curve.sizes,
        curve.training,
        color=GREY,
        marker="o",
        markersize=3.5,
        linewidth=1,
        label="training rows",
    )
    plain(ax)
    ax.set_xscale("log")
    ticks = [*curve.sizes, 2 * curve.sizes[-1]] if curve.law is not None else list(curve.sizes)
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks], fontsize=8)
    ax.set_xticks([], minor=True)
    ax.set_xlabel("training rows")
    ax.set_ylabel(title_of(curve.score))
    legend(ax)
    return ax
