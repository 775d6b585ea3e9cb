"""Loss against size.   In: a LearningCurve, a ValidationCurve, out-of-bag losses, perhaps an Axes.   Out: the Axes.

Over the number of training rows, a parameter's values, the number of trees, the columns looked at in each node.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import (
    BLUE,
    DASHES,
    FAINT,
    GREEN,
    GREY,
    LINES,
    RED,
    SOFT,
    axes_for,
    label,
    legend,
    style_axes,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def draw_learning_curve(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Scores of new and of training rows over the training rows; the fitted law goes to twice as many."""
    ax = axes_for(ax, (6.4, 4.4))
    low, high = (np.array([getattr(s, end) for s in curve.scores]) for end in ("low", "high"))
    if curve.law is not None:
        places = np.geomspace(curve.train_sizes[0], 2 * curve.train_sizes[-1], 60)
        fitted = np.array([curve.at(n) for n in places])
        ax.fill_between(places, fitted[:, 1], fitted[:, 2], color=GREY, alpha=0.12, linewidth=0)
        ax.plot(
            places,
            fitted[:, 0],
            color=GREY,
            linestyle=DASHES,
            linewidth=1.2,
            label="power laws, to twice the rows",
        )
    ax.errorbar(
        curve.train_sizes,
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
        curve.train_sizes,
        curve.train_scores,
        color=GREY,
        marker="o",
        markersize=3.5,
        linewidth=1,
        label="training rows",
    )
    style_axes(ax)
    ax.set_xscale("log")
    ticks = (
        [*curve.train_sizes, 2 * curve.train_sizes[-1]] if curve.law is not None else list(curve.train_sizes)
    )
    ax.set_xticks(ticks, [f"{n:,}" for n in ticks], fontsize=8)
    ax.set_xticks([], minor=True)
    ax.set_xlabel("training rows")
    ax.set_ylabel(curve.scores[0].title)
    legend(ax)
    return ax


def draw_validation_curve(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Scores over the values of a parameter; the best, and the simplest within a standard error."""
    ax = axes_for(ax, (6.4, 4.4))
    x = np.arange(len(curve.param_range))
    values = np.array([s.value for s in curve.scores])
    low, high = (np.array([getattr(s, end) for s in curve.scores]) for end in ("low", "high"))
    ax.plot(x, curve.train_scores, color=GREY, marker="o", markersize=3.5, linewidth=1, label="training rows")
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
        label=f"best: {_value(curve.param_range[best])}",
    )
    if simplest != best:
        words = f"simplest within 1 standard error: {_value(curve.param_range[simplest])}"
        ax.plot(simplest, values[simplest], "s", mfc="none", mec=GREEN, mew=1.6, markersize=11, label=words)
    style_axes(ax)
    ax.set_xticks(x, [_value(value) for value in curve.param_range], fontsize=9)
    ax.set_xlabel(curve.param_name)
    ax.set_ylabel(curve.scores[0].title)
    legend(ax)
    return ax


def _value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else label(str(value), 16)


def draw_bias_variance(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """A bar for each part of the loss."""
    ax = axes_for(ax, (6.4, 0.8 + 0.42 * len(found.parts)))
    y = np.arange(len(found.parts))[::-1]
    values = np.array([part.value for part in found.parts])
    reach = np.abs(
        np.array([[part.low for part in found.parts], [part.high for part in found.parts]]) - values
    )
    ax.barh(y, values, color=[GREY] + [BLUE] * (len(y) - 1), height=0.62, alpha=0.85)
    ax.errorbar(values, y, xerr=reach, fmt="none", ecolor=SOFT, elinewidth=1.2, capsize=2.5)
    ax.set_yticks(y, [part.name for part in found.parts], fontsize=9)
    style_axes(ax)
    ax.set_xlim(left=0)
    ax.set_xlabel(f"{found.loss} loss per row")
    return ax


def draw_oob(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The line, and about its end the 95% interval of the loss."""
    ax = axes_for(ax, (7.2, 4.2))
    members = np.arange(1, len(found.curve) + 1)
    loss, error = found.loss
    ax.axhspan(
        max(0.0, loss - 1.96 * error),
        loss + 1.96 * error,
        color=BLUE,
        alpha=0.12,
        linewidth=0,
        label="95% interval, over rows",
    )
    what = "error rate" if found.classes is not None else "mean squared error"
    ax.plot(members, found.curve, color=BLUE, linewidth=1.4, label=f"out of bag; {loss:.4g} at the end")
    ax.set_xlabel("members")
    ax.set_ylabel(f"{what} out of bag")
    ax.set_xlim(0, len(members) * 1.01 + 1)
    style_axes(ax)
    legend(ax)
    return ax


def draw_max_features(found: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The out-of-bag loss over the number of trees, a line for each m (lecture 003: effect of number of predictors)."""
    ax = axes_for(ax, (7.2, 4.4))
    ends = []
    for k, effect in enumerate(found.effects):
        trees = np.arange(1, len(effect.curve) + 1)
        words = f"m = {effect.m}" + (" = d (bagging)" if effect.m == found.n_columns else "")
        ax.plot(
            trees,
            effect.curve,
            color=LINES[k % len(LINES)],
            linewidth=1.4,
            label=f"{words}: {effect.loss:.4g}",
        )
        ends.append(effect.curve[len(effect.curve) // 10 :])
    late = np.concatenate(ends)
    late = late[~np.isnan(late)]
    if len(late):
        room = max(float(late.max() - late.min()), 1e-12)
        ax.set_ylim(max(0.0, late.min() - 0.1 * room), late.max() + 0.15 * room)
    ax.set_xlabel("trees")
    ax.set_ylabel("error rate out of bag" if found.is_error_rate else "mean squared error out of bag")
    style_axes(ax)
    legend(ax, title="columns a node, and loss at the end", title_fontsize=8.5)
    return ax


def draw_majority_vote(
    error_of: Callable[[int], float], most: int = 51, *, ax: "Axes | None" = None
) -> "Axes":
    """Error of the majority of independent classifiers, over their number; the 25 of lecture 003 are marked.

    error_of : the error of so many, such as lambda n: majority_vote_error(n, 0.35)
    """
    ax = axes_for(ax, (6.4, 4.0))
    members, alone = np.arange(1, most + 1, 2), error_of(1)
    ax.axhline(alone, color=FAINT, linewidth=1, linestyle=DASHES)
    ax.text(most, alone, f"one alone: {alone:.2g}", ha="right", va="bottom", fontsize=8.5, color=SOFT)
    ax.plot(members, [error_of(int(n)) for n in members], "o-", color=BLUE, markersize=3.5, linewidth=1.2)
    if most >= 25:
        of_25 = error_of(25)
        ax.plot(25, of_25, "o", color=RED, markersize=8)
        words = f"25 classifiers: {of_25:.2g}"
        ax.annotate(words, (25, of_25), xytext=(8, 10), textcoords="offset points", fontsize=9)
    ax.set_ylim(bottom=0)
    ax.set_xlabel("independent classifiers")
    ax.set_ylabel("error of their majority")
    style_axes(ax)
    return ax
