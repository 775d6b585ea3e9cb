"""Greedy, pruned and optimal trees, drawn.   In: a GrowthComparison, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING

from hedgerow.draw.style import DASHES, LINES, SHAPES, axes_for, legend, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.fitting.growth import GrowthComparison


def draw_growth(comparison: "GrowthComparison", *, ax: "Axes | None" = None) -> "Axes":
    """Error against size: solid on rows held out, with its standard error; dashed on the training rows."""
    ax = axes_for(ax, (7.2, 4.6))
    names = dict.fromkeys(point.method for point in comparison.points)
    for k, name in enumerate(names):
        points = comparison.of(name)
        sizes = [point.max_leaves + 0.08 * (k - 1) for point in points]
        ax.errorbar(
            sizes,
            [point.held_out for point in points],
            yerr=[point.std for point in points],
            color=LINES[k],
            marker=SHAPES[k],
            markersize=5,
            linewidth=1.3,
            elinewidth=0.8,
            label=f"{name}, held out",
        )
        ax.plot(
            sizes,
            [point.training for point in points],
            color=LINES[k],
            linestyle=DASHES,
            linewidth=1,
            label=f"{name}, training",
        )
    ax.set_xlabel("leaves at most")
    ax.set_ylabel(comparison.measure)
    ax.set_xticks(sorted({point.max_leaves for point in comparison.points}))
    style_axes(ax)
    legend(ax, "lower center", bbox_to_anchor=(0.5, 1.0), ncols=3)  # above: error bars fill the axes
    return ax
