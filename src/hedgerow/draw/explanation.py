"""How a row came by its prediction.   In: an Explanation and a row.   Out: the Axes: from the base to the prediction, a
bar a column."""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.draw.paper import BAR, MARK, axes_of, plain, shortened
from hedgerow.ensemble.explanation import Explanation
from hedgerow.tree.picture.colours import INK, LINE, SOFT

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_explanation(
    found: Explanation,
    row: int = 0,
    output: int | str | None = None,
    *,
    ax: "Axes | None" = None,
    most: int = 10,
) -> "Axes":
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
    ax = axes_of(ax, (7.2, 1.4 + 0.34 * len(steps)))
    at = np.arange(len(steps))[::-1]
    ax.barh(at, steps, left=starts, color=[BAR if s > 0 else MARK for s in steps], height=0.6, zorder=2)
    for k in range(len(steps) - 1):
        ax.plot([ends[k]] * 2, [at[k] - 0.3, at[k] - 0.7], color=LINE, linewidth=1, zorder=1)
    span = np.ptp([base, *ends.tolist()]) or 1.0
    for y, end, start, step in zip(at, ends, starts, steps, strict=True):
        ax.text(max(end, start) + 0.015 * span, y, f"{step:+.3g}", va="center", fontsize=8.5, color=INK)
    said = float(ends[-1]) if len(ends) else base
    ax.axvline(base, color=SOFT, linewidth=1, linestyle=(0, (4, 3)), zorder=1)
    ax.set_yticks(at, [shortened(name, 36) for name in names])
    ax.set_ylim(-0.7, len(steps) - 0.3)
    low, high = min([base, *ends.tolist()]), max([base, *ends.tolist()])
    ax.set_xlim(low - 0.06 * span, high + 0.16 * span)
    what = f"chance of {found.classes[place]}" if found.classes else "prediction"
    ax.set_xlabel(what)
    ax.set_title(
        f"{what}: {said:.4g}; nothing known (dashed): {base:.4g}", loc="left", fontsize=9.5, color=INK
    )
    plain(ax)
    ax.tick_params(axis="y", length=0)
    return ax
