"""Pictures of pruning.   In: a CpTable or a Comparison, perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.draw.style import (
    DASHES,
    FAINT,
    GREY,
    INK,
    LINE,
    LINES,
    RED,
    SHAPES,
    SOFT,
    axes_for,
    legend,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.prune.compare import Comparison, Point
    from hedgerow.prune.cp_table import CpTable


def draw_cp_table(table: "CpTable", *, ax: "Axes | None" = None) -> "Axes":
    """Cross-validated error against size with its standard errors, the 1-SE line, and the tree that is kept.

    Below stands the complexity parameter of each tree, above its splits. Trees far beyond the best are not drawn.
    """
    ax = axes_for(ax, (7.2, 4.6))
    last = _last_drawn(table)
    x = np.arange(last + 1)
    ax.axhline(
        table.bound, color=GREY, linestyle=DASHES, linewidth=1, label="smallest + 1 standard error", zorder=1
    )
    ax.plot(x, table.rel_error[: last + 1], color=FAINT, linewidth=1.2, label="training rows", zorder=2)
    ax.errorbar(
        x,
        table.xerror[: last + 1],
        yerr=table.xstd[: last + 1],
        color=INK,
        ecolor=SOFT,
        elinewidth=1,
        linewidth=1.2,
        capsize=2.5 if last < 40 else 0,
        marker="o",
        markersize=4 if last < 40 else 2.5,
        label="cross-validated, ± 1 standard error",
        zorder=3,
    )
    kept, best = table.chosen, table.best
    ax.plot(kept, table.xerror[kept], "o", color=RED, markersize=9, zorder=4, label=_kept_words(table))
    if best != kept:
        label = f"smallest error ({_splits(table, best)})"
        ax.plot(
            best, table.xerror[best], "o", mfc="none", mec=RED, mew=1.6, markersize=10, zorder=4, label=label
        )
    _two_scales(ax, table, last)
    ax.set_ylabel("error relative to the root")
    ax.set_ylim(bottom=0)
    style_axes(ax)
    legend(ax)
    return ax


def _last_drawn(table: "CpTable") -> int:
    """All rows of a short table; of a long one, twice as many as lead to the best."""
    return min(len(table) - 1, max(20, 2 * max(table.best, table.chosen)))


def _splits(table: "CpTable", row: int) -> str:
    return many(int(table.nsplit[row]), "split")


def _kept_words(table: "CpTable") -> str:
    return f"kept ({_splits(table, table.chosen)}, {'1-SE rule' if table.choose == '1se' else 'minimum'})"


def _two_scales(ax: "Axes", table: "CpTable", last: int) -> None:
    """CP below, splits above, at no more places than can be read."""
    step = max(1, -(-(last + 1) // 12))
    places = np.arange(0, last + 1, step)
    middle = np.append(np.inf, np.sqrt(table.cp[:-1] * table.cp[1:]))  # as rpart names its trees
    ax.set_xticks(places, ["inf" if np.isinf(middle[k]) else f"{middle[k]:.2g}" for k in places], fontsize=8)
    ax.set_xlabel("complexity parameter (CP)")
    ax.set_xlim(-0.6, last + 0.6)
    above = ax.secondary_xaxis("top")
    above.set_xticks(places, [f"{table.nsplit[k]:,}" for k in places], fontsize=8)
    above.set_xlabel("splits")
    above.spines["top"].set_visible(False)
    above.tick_params(length=2, color=LINE)


def draw_prunings(comparison: "Comparison", *, ax: "Axes | None" = None) -> "Axes":
    """Error on unused rows against the number of leaves: a line over the range of each method, a filled mark where it
    stands without settings."""
    ax = axes_for(ax, (7.6, 4.8))
    names = list(dict.fromkeys(p.method for p in comparison.points))
    whole = comparison.unpruned
    ax.axhline(whole.error, color=GREY, linestyle=DASHES, linewidth=1, zorder=1)
    ax.text(1, whole.error, "not pruned", color=GREY, va="bottom", fontsize=8)
    for k, name in enumerate(names):
        colour, shape = LINES[k % len(LINES)], SHAPES[k % len(SHAPES)]
        _line(ax, comparison.path(name), colour)
        here = [p for p in comparison.points if p.method == name and p.is_default]
        label = name.replace("_", " ")
        if here:
            ax.errorbar(
                here[0].leaves,
                here[0].error,
                yerr=here[0].std,
                color=colour,
                elinewidth=0.8,
                linestyle="none",
                marker=shape,
                markersize=7,
                label=label,
                zorder=4,
            )
        else:
            ax.plot([], [], color=colour, label=label)
    ax.plot(whole.leaves, whole.error, "o", color=GREY, markersize=5, zorder=3)
    ax.set_xscale("log")
    ax.set_ylim(*_where_it_matters(comparison))
    ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    ax.set_xlabel("leaves")
    what = "error rate" if comparison.is_error_rate else "mean loss"
    ax.set_ylabel(f"{what}, {comparison.n_folds}-fold" if comparison.n_folds else f"{what} on unused rows")
    style_axes(ax)
    legend(ax)
    return ax


def _where_it_matters(comparison: "Comparison") -> tuple[float, float]:
    """From below the best to above the worst of the marks: a root alone would press all lines flat."""
    marks = [comparison.unpruned, *comparison.defaults]
    low = min(p.error - p.std for p in (*comparison.points, *marks))
    high = max(p.error + p.std for p in marks)
    room = max(high - low, 1e-12)
    return max(0.0, low - 0.15 * room), high + 0.6 * room


def _line(ax: "Axes", path: "tuple[Point, ...]", colour: str) -> None:
    if len(path) > 1:
        ax.plot([p.leaves for p in path], [p.error for p in path], color=colour, linewidth=1.1, alpha=0.75)
