"""Models side by side.   In: a Comparison, a RankComparison, perhaps an Axes.   Out: the Axes.

A line for each model, the best on top: its score, its interval, the baseline. Bars on the right join models that
no test separates. Over many data sets: mean ranks, and the critical difference (Demsar 2006).
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import BLUE, DASHES, GREEN, GREY, INK, LINE, SOFT, axes_for, label, style_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_comparison(comparison: Any, *, ax: "Axes | None" = None) -> "Axes":
    entries = [entry for entry in comparison.entries if np.isfinite(entry.score.value)]
    ax = axes_for(ax, (7.4, 1.3 + 0.42 * max(2, len(entries))))
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
    style_axes(ax)
    ax.set_xlabel(f"{comparison.score_title}, {100 * comparison.confidence_level:g} % interval")
    _bars(ax, comparison, [entry.name for entry in entries], y)
    return ax


def _bars(ax: "Axes", comparison: Any, names: list[str], y: Any) -> None:
    """Joined: runs of neighbours in rank of which no two differ significantly."""
    decided = {frozenset((p.first, p.second)) for p in comparison.pairs if p.is_decided}
    runs: list[tuple[int, int]] = []
    for a in range(len(names)):
        b = a
        while b + 1 < len(names) and all(
            frozenset((names[k], names[b + 1])) not in decided for k in range(a, b + 1)
        ):
            b += 1
        if b > a and (not runs or b > runs[-1][1]):
            runs.append((a, b))
    where = ax.get_yaxis_transform()
    for k, (a, b) in enumerate(runs):
        x = 1.02 + 0.02 * k
        ax.plot([x, x], [y[a] + 0.2, y[b] - 0.2], color=INK, linewidth=2.5, transform=where, clip_on=False)
    if runs:
        words = "joined: no significant difference"
        ax.text(1.0, 1.0, words, transform=ax.transAxes, ha="right", va="bottom", fontsize=8, color=GREY)


def draw_critical_difference(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Mean ranks on one line, the best on the left; thick bars join ranks closer than the critical difference."""
    n, ranks = len(found.models), found.friedman.mean_ranks
    groups = found.nemenyi.groups
    half = (n + 1) // 2
    top = 0.8 + 0.28 * len(groups)
    ax = axes_for(ax, (7.6, 1.6 + 0.3 * half + 0.22 * len(groups)))
    ax.set_xlim(1 - 0.28 * (n - 1) - 0.3, n + 0.28 * (n - 1) + 0.3)
    ax.set_ylim(-top - 0.55 * half, 1.3)
    ax.axis("off")
    ax.plot([1, n], [0, 0], color=INK, linewidth=1)
    for k in range(1, n + 1):
        ax.plot([k, k], [0, 0.12], color=INK, linewidth=1)
        ax.text(k, 0.2, str(k), ha="center", va="bottom", fontsize=9, color=INK)
    _difference(ax, found.nemenyi.critical_difference)
    for place, k in enumerate(found.order):
        left = place < half
        depth = top + 0.55 * (place if left else n - 1 - place)
        end = 1 - 0.2 if left else n + 0.2
        ax.plot([ranks[k], ranks[k], end], [0, -depth, -depth], color=LINE, linewidth=1)
        words = (
            f"{label(found.models[k], 24)}  {ranks[k]:.2f}"
            if left
            else f"{ranks[k]:.2f}  {label(found.models[k], 24)}"
        )
        ax.text(end, -depth, f" {words} ", ha="right" if left else "left", va="center", fontsize=9, color=INK)
    for row, group in enumerate(groups):
        low, high = min(ranks[k] for k in group), max(ranks[k] for k in group)
        ax.plot(
            [low - 0.04, high + 0.04],
            [-0.3 - 0.28 * row] * 2,
            color=INK,
            linewidth=3.5,
            solid_capstyle="butt",
        )
    return ax


def _difference(ax: "Axes", difference: float) -> None:
    y = 0.8
    ax.plot([1, 1 + difference], [y, y], color=GREY, linewidth=1.2)
    for x in (1, 1 + difference):
        ax.plot([x, x], [y - 0.08, y + 0.08], color=GREY, linewidth=1.2)
    ax.text(
        1 + difference / 2,
        y + 0.1,
        f"critical difference {difference:.2f}",
        ha="center",
        fontsize=8,
        color=GREY,
    )
