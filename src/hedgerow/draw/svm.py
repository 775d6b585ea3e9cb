"""Pictures of support vector machines.   In: a fitted machine and its rows of two columns; a path; a progress.   Out:
the Axes. Machines are anything with `decision_function` and `predict`.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import (
    BLUE,
    DASHES,
    GREY,
    INK,
    LINES,
    RED,
    SOFT,
    axes_for,
    label,
    legend,
    panels,
    style_axes,
)
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from hedgerow.svm.path import SvmPath
    from hedgerow.svm.slack import SlackTable
    from hedgerow.svm.steps import SolverSteps


SIDES = (RED, BLUE)  # first class, second class
FILLS = ("#fde6d8", "#dbe6fd")
STEPS = 220  # of the grid on which scores are computed
MANY = 2_000  # rows; then dots are small, and without lines of slack
ON_MARGIN = 1e-2  # of score: a support vector this close to 1 stands on the margin


def draw_margins(
    model: Any,
    X: Any,
    y: Any,
    *,
    ax: "Axes | None" = None,
    slack: bool = True,
    names: tuple[str, str] | None = None,
) -> "Axes":
    """Rows of two columns and two classes; the boundary, the margins (dashed), and support vectors: black ones stand
    on the margin, ringed ones inside it or on the wrong side. `slack`: how far they are from the margin they should
    have kept; a line to it, and where the boundary bends, a larger ring. `names` of the columns bring their scales."""
    X, y = np.asarray(X, np.float64), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or len(model.classes_) != 2:
        raise ValueError(
            f"draw_margins draws rows of 2 columns and 2 classes; given {X.shape[-1]} columns and "
            f"{len(model.classes_)} classes."
        )
    ax = axes_for(ax, (6.4, 5.4))
    across, along, score = _field(model, X)
    _plane(ax, across, along, score)
    own = np.asarray(model.decision_function(X))
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    many = len(X) > MANY
    for k in (0, 1):
        some = X[y == model.classes_[k]]
        ax.scatter(
            some[:, 0],
            some[:, 1],
            s=5 if many else 16,
            color=SIDES[k],
            linewidths=0,
            zorder=3,
            label=label(str(model.classes_[k]), 32),
            rasterized=many,
        )
    straight = hasattr(model, "coef_")
    if slack and straight and not many:
        _slack(ax, np.asarray(model.coef_)[0], X, signs, own)
    _support(ax, X, signs, own, grow=slack and not straight, many=many)
    ax.set_xlim(across[0, 0], across[0, -1])
    ax.set_ylim(along[0, 0], along[-1, 0])
    wrong = float((signs * own <= 0).mean())
    share = float((signs * own <= 1 + ON_MARGIN).mean())
    facts = f"training error {wrong:.1%}   ·   support points {share:.0%}"
    style_axes(ax)
    if names is None:
        ax.set_xticks([])
        ax.set_yticks([])
        ax.set_xlabel(facts, color=INK, fontsize=9)
        return ax
    ax.set_xlabel(label(names[0], 32))
    ax.set_ylabel(label(names[1], 32))
    ax.set_title(facts, color=INK, fontsize=9.5)
    legend(ax)
    return ax


def _field(model: Any, X: Float) -> tuple[Float, Float, Float]:
    """Scores on a grid a little larger than the rows."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = 0.08 * np.where(high > low, high - low, 1.0)
    sides = [np.linspace(a - r, b + r, STEPS) for a, b, r in zip(low, high, room, strict=True)]
    across, along = np.meshgrid(*sides)
    score = model.decision_function(np.column_stack([across.ravel(), along.ravel()]))
    return across, along, np.asarray(score).reshape(across.shape)


def _plane(ax: "Axes", across: Float, along: Float, score: Float) -> None:
    """Both sides, the boundary, the margins; those that lie outside the picture are not there to draw."""
    ax.contourf(across, along, score, levels=[-np.inf, 0, np.inf], colors=list(FILLS), zorder=0)
    for levels, width, dashes in (([0.0], 1.6, "solid"), ([-1.0, 1.0], 0.9, "dashed")):
        inside = [level for level in levels if score.min() < level < score.max()]
        if inside:
            ax.contour(
                across,
                along,
                score,
                levels=inside,
                colors=[INK],
                linewidths=width,
                linestyles=dashes,
                zorder=2,
            )


def _support(ax: "Axes", X: Float, signs: Float, own: Float, *, grow: bool, many: bool) -> None:
    inside = signs * own <= 1 + ON_MARGIN
    on = inside & (np.abs(signs * own - 1) <= ON_MARGIN)
    ringed, dots = X[inside & ~on], X[on]
    lacking = np.clip(1 - (signs * own)[inside & ~on], 0, 2.5)
    sizes = (12 if many else 40) * (1 + lacking) if grow else np.full(len(ringed), 14 if many else 46)
    ax.scatter(
        ringed[:, 0],
        ringed[:, 1],
        s=sizes,
        facecolors="none",
        edgecolors=SOFT,
        linewidths=0.4 if many else 0.7,
        zorder=4,
        rasterized=many,
    )
    ax.scatter(dots[:, 0], dots[:, 1], s=10 if many else 34, color=INK, linewidths=0, zorder=5)


def _slack(ax: "Axes", w: Float, X: Float, signs: Float, own: Float) -> None:
    """From each row straight to its margin, as the picture shows it, whatever the units of its sides."""
    from matplotlib.collections import LineCollection

    lengths = np.ptp(X, axis=0)
    slope = w * lengths
    largest = float(np.abs(slope).max())
    if not 0 < largest < np.inf:
        return
    step = lengths * (slope / largest) / ((slope / largest) @ (slope / largest)) / largest
    lacking = np.flatnonzero(signs * own < 1 - ON_MARGIN)
    ends = X[lacking] + step * (signs - own)[lacking, None]
    ax.add_collection(
        LineCollection(list(np.stack([X[lacking], ends], axis=1)), colors=SOFT, linewidths=0.5, zorder=1)
    )


def draw_progress(progress: Any, *, ax: "Axes | None" = None) -> "Axes":
    """How far from done, over time. `progress`: lines of (seconds, primal, dual), as `progress_` of a linear machine,
    whose gap is drawn; or of (seconds, violation), as that of a machine with a kernel."""
    lines = np.asarray(progress, np.float64)
    if lines.ndim != 2 or lines.shape[1] not in (2, 3):
        raise ValueError(
            "draw_progress wants lines of (seconds, primal, dual), such as LinearSVR's progress_, or of (seconds, "
            "violation), such as SVR's."
        )
    ax = axes_for(ax, (6.4, 4.0))
    lines = lines[np.isfinite(lines).all(axis=1)]
    seconds, gap, words = lines[:, 0], lines[:, -1], "largest KKT violation"
    if lines.shape[1] == 3:
        primal, dual = (
            np.minimum.accumulate(lines[:, 1]),
            np.maximum.accumulate(lines[:, 2]),
        )  # the best known
        gap = (primal - dual) / np.maximum(np.abs(primal), 1e-300)
        words = "duality gap, relative to the objective"
    gap = np.maximum(gap, 1e-300)
    ax.plot(seconds * 1000, gap, color=LINES[0], marker="o", markersize=4, linewidth=1.3)
    ax.set_yscale("log")
    ax.set_xlabel("milliseconds")
    ax.set_ylabel(words)
    if len(gap):
        ax.annotate(
            f"{gap[-1]:.1g}",
            (seconds[-1] * 1000, gap[-1]),
            (4, 4),
            textcoords="offset points",
            color=INK,
            fontsize=9,
        )
    style_axes(ax)
    return ax


def draw_steps(steps: "SolverSteps", *, ax: "Axes | None" = None) -> "Axes":
    """Dual and primal objective over the steps, the optimum between them; below, on its own scale, the violation."""
    ax = axes_for(ax, (7.2, 4.2))
    number = np.arange(1, len(steps) + 1)
    ax.plot(number, steps.primal, color=RED, linewidth=1.4, label="primal")
    ax.plot(number, steps.dual, color=BLUE, linewidth=1.4, label="dual")
    ax.fill_between(number, steps.dual, steps.primal, color=GREY, alpha=0.15, linewidth=0)
    if len(steps):
        least, most = float(steps.dual.min()), float(np.quantile(steps.primal, 0.9))
        ax.set_ylim(least - 0.05 * (most - least), most + 0.15 * (most - least) or 1.0)
        beside = ax.twinx()
        beside.plot(number, np.maximum(steps.violation, 1e-16), color=SOFT, linewidth=1, linestyle=DASHES)
        beside.set_yscale("log")
        beside.set_ylabel("largest violation (dashed)", color=SOFT)
        style_axes(beside)
        beside.spines["right"].set_visible(True)
    ax.set_xlabel("step")
    ax.set_ylabel("objective")
    style_axes(ax)
    legend(ax, "upper right")
    return ax


def draw_slacks(table: "SlackTable", *, ax: "Axes | None" = None) -> "Axes":
    """Every row: alpha over how far it stands from the boundary in units of the margin (of numbers: from the
    prediction). Rows beyond the margin have alpha 0, rows inside it the most they may; in between they stand on it."""
    classes = set(np.unique(table.target)) <= {-1.0, 1.0}
    ax = axes_for(ax, (6.8, 4.2))
    across = table.target * table.score if classes else table.target - table.score
    roles = ("outside", "on the margin", "inside", "wrong side")
    for name, colour, marker in zip(roles, (GREY, INK, BLUE, RED), "o^sx", strict=True):
        there = np.array([role == name for role in table.role])
        if there.any():
            ax.scatter(across[there], table.alpha[there], s=26, color=colour, marker=marker, label=name)
    if classes:
        for at in (0.0, 1.0):
            ax.axvline(at, color=GREY, linewidth=0.8, linestyle=DASHES, zorder=0)
    ax.set_xlabel("y f(x): 1 on the margin, 0 on the boundary" if classes else "target - prediction")
    ax.set_ylabel("alpha")
    style_axes(ax)
    legend(ax)
    return ax


def draw_path(path: "SvmPath", *, ax: "Axes | None" = None) -> "Axes":
    """Cross-validated error with its standard errors against C, a line for each gamma; the best and the chosen."""
    ax = axes_for(ax, (7.2, 4.4))
    best, chosen = path.points[path.best], path.points[path.chosen]
    ax.axhline(best.error + best.std, color=GREY, linestyle=DASHES, linewidth=1, zorder=1)
    gammas = list(dict.fromkeys(p.gamma for p in path.points))
    for k, gamma in enumerate(gammas):
        points = [p for p in path.points if p.gamma == gamma]
        name = "cross-validated" if gamma is None else f"gamma = {gamma:.3g}"
        colour = LINES[k % len(LINES)]
        C = np.array([p.C for p in points])
        ax.errorbar(
            C,
            [p.error for p in points],
            yerr=[p.std for p in points],
            color=colour,
            elinewidth=0.8,
            linewidth=1.3,
            capsize=2,
            marker="o",
            markersize=3.5,
            label=name,
            zorder=3,
        )
        if len(gammas) == 1:
            training = [p.train_error for p in points]
            ax.plot(C, training, color=SOFT, linewidth=1.1, label="training rows", zorder=2)
    ax.plot(
        best.C, best.error, "o", mfc="none", mec=INK, mew=1.6, markersize=11, zorder=4, label="smallest error"
    )
    ax.plot(chosen.C, chosen.error, "o", color=INK, markersize=8, zorder=5, label="chosen (1 standard error)")
    ax.set_xscale("log")
    ax.set_xlabel("C")
    ax.set_ylabel("error rate")
    style_axes(ax)
    legend(ax)
    return ax


def look_alike_mixture(n: int = 200, seed: int = 8) -> tuple[Float, Count]:
    """Two classes of the plane, each of ten clusters around its own centre: they overlap, and the best boundary
    bends."""
    rng = np.random.default_rng(seed)
    centres = [rng.normal(size=(10, 2)) + shift for shift in ([1.0, 0.0], [0.0, 1.0])]
    rows = [own[rng.integers(0, 10, size=n // 2)] + 0.45 * rng.normal(size=(n // 2, 2)) for own in centres]
    return np.concatenate(rows), np.repeat([0, 1], n // 2)


def draw_mixture(machines: Sequence[Any], X: Any, y: Any, titles: Sequence[str]) -> "Figure":
    """Four fitted machines on the same rows, two by two. Returns the Figure."""
    figure, places = panels(4, 2, (5.0, 4.5))
    for ax, model, title in zip(places, machines, titles, strict=True):
        draw_margins(model, X, y, ax=ax, slack=False)
        ax.set_title(title, fontsize=11, color=INK)
    return figure
