"""Which columns matter.   In: an Importance; an Explanation and a row; perhaps an Axes.   Out: the Axes."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.style import BLUE, DASHES, FAINT, INK, LINE, RED, SOFT, axes_for, label, legend, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from hedgerow.ensemble.explanation import Explanation
    from hedgerow.ensemble.importance_table import Importance


AXIS = {
    "impurity": "mean decrease of impurity, % of the largest",
    "corrected": "decrease of impurity out of bag, % of the largest",
    "permutation": "rise of the loss by permutation out of bag, % of the largest",
    "gain": "fall of the training loss, percent of the largest",
    "unseen": "rise of the loss on unseen rows, percent of the largest",
}


def draw_importance(found: "Importance", *, ax: "Axes | None" = None, most: int = 20) -> "Axes":
    """Bars; with intervals, whiskers, and pale bars for columns whose interval holds zero."""
    shown = found.order[:most]
    ax = axes_for(ax, (7.2, 1.1 + 0.3 * len(shown)))
    largest = float(found.value.max()) if len(found.value) else 0.0
    scale = 100 / largest if largest > 0 else 1.0
    place = np.arange(len(shown))[::-1]
    sure = np.ones(len(shown), bool) if found.low is None else found.low[shown] > 0
    ax.barh(
        place, found.value[shown] * scale, color=[BLUE if s else FAINT for s in sure], height=0.62, zorder=2
    )
    if found.low is not None and found.high is not None:
        middle = found.value[shown]
        reach = np.stack([middle - found.low[shown], found.high[shown] - middle]) * scale
        ax.errorbar(
            middle * scale,
            place,
            xerr=reach,
            fmt="none",
            ecolor=INK,
            elinewidth=1,
            capsize=2.5,
            zorder=3,
            label=f"{found.confidence_level:.0%} interval; pale: it holds zero",
        )
        legend(ax, "lower right")
    ax.axvline(0, color=LINE, linewidth=1, zorder=1)
    ax.set_yticks(place, [label(found.names[j], 32) for j in shown])
    ax.set_ylim(-0.7, len(shown) - 0.3)
    ax.set_xlabel(AXIS[found.kind])
    remarks = (
        [f"the {len(shown)} largest of {len(found.names)} columns"] if len(shown) < len(found.names) else []
    )
    if found.kind == "impurity":
        remarks.append("biased towards columns of many values")
    ax.set_title("; ".join(remarks), loc="left", fontsize=9, color=SOFT)
    style_axes(ax)
    ax.tick_params(axis="y", length=0)
    return ax


def draw_explanation(
    found: "Explanation",
    row: int = 0,
    output: int | str | None = None,
    *,
    ax: "Axes | None" = None,
    most: int = 10,
) -> "Axes":
    """From the base to the row's prediction, a bar a column."""
    values = found.of(output)[row]
    place = found._place(output) if found.classes else 0
    order = found.order(row, output)
    shown, rest = order[:most], order[most:]
    names = [found.names[j] + (f" = {found.cells[row][j]}" if found.cells is not None else "") for j in shown]
    steps = values[shown]
    if len(rest):
        names.append(f"{len(rest)} other columns")
        steps = np.append(steps, values[rest].sum())
    base = float(found.base[place])
    ends = base + np.cumsum(steps)
    starts = np.concatenate([[base], ends[:-1]]) if len(ends) else np.empty(0)
    ax = axes_for(ax, (7.2, 1.4 + 0.34 * len(steps)))
    at = np.arange(len(steps))[::-1]
    ax.barh(at, steps, left=starts, color=[BLUE if s > 0 else RED for s in steps], height=0.6, zorder=2)
    for k in range(len(steps) - 1):
        ax.plot([ends[k]] * 2, [at[k] - 0.3, at[k] - 0.7], color=LINE, linewidth=1, zorder=1)
    span = np.ptp([base, *ends.tolist()]) or 1.0
    for y, stop, start, step in zip(at, ends, starts, steps, strict=True):
        ax.text(max(stop, start) + 0.015 * span, y, f"{step:+.3g}", va="center", fontsize=8.5, color=INK)
    end = float(ends[-1]) if len(ends) else base
    ax.axvline(base, color=SOFT, linewidth=1, linestyle=DASHES, zorder=1)
    ax.set_yticks(at, [label(name, 36) for name in names])
    ax.set_ylim(-0.7, len(steps) - 0.3)
    low, high = min([base, *ends.tolist()]), max([base, *ends.tolist()])
    ax.set_xlim(low - 0.06 * span, high + 0.16 * span)
    what = label(found.title(place))
    ax.set_xlabel(what)
    ax.set_title(
        f"{what}: {end:.4g}; nothing known (dashed): {base:.4g}", loc="left", fontsize=9.5, color=INK
    )
    style_axes(ax)
    ax.tick_params(axis="y", length=0)
    return ax
