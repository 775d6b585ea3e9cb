"""Models side by side, drawn.   In: a Comparison, perhaps an Axes.   Out: the Axes.

A line for each model, the best on top: its score, its interval, the baseline. Bars on the right join models that
cannot be told apart.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.look import BLUE, DASHES, GREEN, GREY, INK, SOFT, axes, plain
from hedgerow.draw.plain import plain as label
from hedgerow.draw.words import title_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_comparison(comparison: Any, *, ax: "Axes | None" = None) -> "Axes":
    entries = [entry for entry in comparison.entries if np.isfinite(entry.score.value)]
    ax = axes(ax, (7.4, 1.3 + 0.42 * max(2, len(entries))))
    y = np.arange(len(entries))[::-1]
    values = np.array([entry.score.value for entry in entries])
    ends = np.array([[entry.score.low for entry in entries], [entry.score.high for entry in entries]])
    ax.errorbar(values, y, xerr=np.abs(ends - values), fmt="none", ecolor=SOFT, elinewidth=1.4, capsize=3)
    colours = [GREEN if entry.name == comparison.chosen else BLUE for entry in entries]
    ax.scatter(values, y, color=colours, s=36, zorder=3)
    base = float(np.mean([entry.score.baseline for entry in entries]))
    ax.axvline(base, color=GREY, linestyle=DASHES, linewidth=1)
    ax.text(base, -0.75, " baseline", color=GREY, fontsize=8, ha="left", va="center")
    names = [
        label(entry.name, 32) + ("  (take this)" if entry.name == comparison.chosen else "")
        for entry in entries
    ]
    ax.set_yticks(y, names, fontsize=9)
    ax.set_ylim(-1, len(entries) - 0.4)
    plain(ax)
    ax.set_xlabel(f"{title_of(comparison.score)}, {100 * comparison.level:g} % interval")
    _bars(ax, comparison, [entry.name for entry in entries], y)
    return ax


def _bars(ax: "Axes", comparison: Any, names: list[str], y: Any) -> None:
    """Joined: runs of neighbours in rank of which no two were told apart."""
    told = {frozenset((p.first, p.second)) for p in comparison.pairs if p.is_decided}
    runs: list[tuple[int, int]] = []
    for a in range(len(names)):
        b = a
        while b + 1 < len(names) and all(
            frozenset((names[k], names[b + 1])) not in told for k in range(a, b + 1)
        ):
            b += 1
        if b > a and (not runs or b > runs[-1][1]):
            runs.append((a, b))
    where = ax.get_yaxis_transform()
    for k, (a, b) in enumerate(runs):
        x = 1.02 + 0.02 * k
        ax.plot([x, x], [y[a] + 0.2, y[b] - 0.2], color=INK, linewidth=2.5, transform=where, clip_on=False)
    if runs:
        words = "joined: cannot be told apart"
        ax.text(1.0, 1.0, words, transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=GREY)
