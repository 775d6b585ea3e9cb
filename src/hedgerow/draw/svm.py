"""Pictures of margins.   In: a fitted machine and its rows of two columns; a path; a progress.   Out: the Axes.

Machines are anything with `decision_function` and `predict`; matplotlib is imported only when something is drawn.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.pruning import BOUND, LINES, _axes, _plain
from hedgerow.svm.path import SvmPath
from hedgerow.tree.picture.colours import INK, SOFT
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIDES = ("#c2410c", "#1d4ed8")  # first class, second class
FILLS = ("#fde6d8", "#dbe6fd")
STEPS = 220  # of the grid on which scores are computed
ON_MARGIN = 1e-2  # of score: a support vector this close to 1 stands on the margin


def draw_margins(model: Any, X: Any, y: Any, *, ax: "Axes | None" = None, slack: bool = True) -> "Axes":
    """Rows of two columns and two classes; the boundary, the margins (dashed), support vectors (ringed; filled black
    ones stand on the margin), and, with `slack`, a line from each row to the margin it should have kept."""
    X, y = np.asarray(X, np.float64), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != 2 or len(model.classes_) != 2:
        raise ValueError(
            f"draw_margins draws rows of 2 columns and 2 classes; given {X.shape[-1]} columns and "
            f"{len(model.classes_)} classes."
        )
    ax = _axes(ax, (6.4, 5.4))
    across, along, score = _field(model, X)
    ax.contourf(across, along, score, levels=[-np.inf, 0, np.inf], colors=list(FILLS), zorder=0)
    ax.contour(across, along, score, levels=[0.0], colors=[INK], linewidths=1.6, zorder=2)
    ax.contour(
        across, along, score, levels=[-1.0, 1.0], colors=[INK], linewidths=0.9, linestyles="dashed", zorder=2
    )
    own = np.asarray(model.decision_function(X))
    signs = np.where(y == model.classes_[1], 1.0, -1.0)
    if slack:
        _slack(ax, model, X, signs, own)
    for k in (0, 1):
        some = X[y == model.classes_[k]]
        ax.scatter(
            some[:, 0], some[:, 1], s=16, color=SIDES[k], linewidths=0, zorder=3, label=str(model.classes_[k])
        )
    _support(ax, X, signs, own)
    ax.set_xlim(across[0, 0], across[0, -1])
    ax.set_ylim(along[0, 0], along[-1, 0])
    ax.set_xticks([])
    ax.set_yticks([])
    wrong = float((signs * own <= 0).mean())
    share = float((signs * own <= 1 + ON_MARGIN).mean())
    ax.set_xlabel(f"training error {wrong:.1%}   ·   support points {share:.0%}", color=INK, fontsize=9)
    _plain(ax)
    return ax


def _field(model: Any, X: Float) -> tuple[Float, Float, Float]:
    """Scores on a grid a little larger than the rows."""
    low, high = X.min(axis=0), X.max(axis=0)
    room = 0.08 * np.where(high > low, high - low, 1.0)
    sides = [np.linspace(a - r, b + r, STEPS) for a, b, r in zip(low, high, room, strict=True)]
    across, along = np.meshgrid(*sides)
    score = model.decision_function(np.column_stack([across.ravel(), along.ravel()]))
    return across, along, np.asarray(score).reshape(across.shape)


def _support(ax: "Axes", X: Float, signs: Float, own: Float) -> None:
    inside = signs * own <= 1 + ON_MARGIN
    on = inside & (np.abs(signs * own - 1) <= ON_MARGIN)
    ringed, dots = X[inside & ~on], X[on]
    ax.scatter(ringed[:, 0], ringed[:, 1], s=46, facecolors="none", edgecolors=SOFT, linewidths=0.7, zorder=4)
    ax.scatter(dots[:, 0], dots[:, 1], s=34, color=INK, linewidths=0, zorder=5)


def _slack(ax: "Axes", model: Any, X: Float, signs: Float, own: Float) -> None:
    """From each row to its margin, along the gradient of the score: exact for a plane, the first step for a curve."""
    if not hasattr(model, "coef_"):
        return  # along a curve the way to the margin is no straight line
    w = np.asarray(model.coef_)[0]
    lacking = np.flatnonzero(signs * own < 1 - ON_MARGIN)
    for i in lacking:
        to = X[i] + w * (signs[i] - own[i]) / (w @ w)
        ax.plot(*np.stack([X[i], to]).T, color=SOFT, linewidth=0.5, zorder=1)


def draw_progress(progress: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The gap over time. `progress`: lines of (seconds, primal, dual), as `progress_` of a linear machine."""
    lines = np.asarray(progress, np.float64)
    if lines.ndim != 2 or lines.shape[1] != 3:
        raise ValueError(
            "draw_progress wants lines of (seconds, primal, dual), such as LinearSVR's progress_."
        )
    ax = _axes(ax, (6.4, 4.0))
    seconds, primal, dual = lines[np.isfinite(lines).all(axis=1)].T
    primal, dual = np.minimum.accumulate(primal), np.maximum.accumulate(dual)  # the best known of each
    gap = np.maximum(primal - dual, 1e-300) / np.maximum(np.abs(primal), 1e-300)
    ax.plot(seconds * 1000, gap, color=LINES[0], marker="o", markersize=4, linewidth=1.3)
    ax.set_yscale("log")
    ax.set_xlabel("milliseconds")
    ax.set_ylabel("duality gap, relative to the objective")
    if len(gap):
        ax.annotate(
            f"{gap[-1]:.1g}",
            (seconds[-1] * 1000, gap[-1]),
            (4, 4),
            textcoords="offset points",
            color=INK,
            fontsize=9,
        )
    _plain(ax)
    return ax


def draw_path(path: SvmPath, *, ax: "Axes | None" = None) -> "Axes":
    """Cross-validated error with its standard errors against C, a line for each gamma; the best and the chosen."""
    ax = _axes(ax, (7.2, 4.4))
    best, chosen = path.points[path.best], path.points[path.chosen]
    ax.axhline(best.error + best.std, color=BOUND, linestyle=(0, (4, 3)), linewidth=1, zorder=1)
    gammas = list(dict.fromkeys(p.gamma for p in path.points))
    for k, gamma in enumerate(gammas):
        points = [p for p in path.points if p.gamma == gamma]
        label = "cross-validated" if gamma is None else f"gamma = {gamma:.3g}"
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
            label=label,
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
    _plain(ax)
    ax.legend(frameon=False, fontsize=8.5)
    return ax


def look_alike_mixture(n: int = 200, seed: int = 8) -> tuple[Float, Count]:
    """Two classes of the plane, each of ten clusters around its own centre: they overlap, and the best boundary
    bends."""
    rng = np.random.default_rng(seed)
    centres = [rng.normal(size=(10, 2)) + shift for shift in ([1.0, 0.0], [0.0, 1.0])]
    rows = [own[rng.integers(0, 10, size=n // 2)] + 0.45 * rng.normal(size=(n // 2, 2)) for own in centres]
    return np.concatenate(rows), np.repeat([0, 1], n // 2)


def draw_mixture(machines: Any, X: Any, y: Any, titles: Any) -> Any:
    """Four fitted machines on the same rows, two by two. Returns the Figure."""
    from matplotlib import pyplot

    figure, places = pyplot.subplots(2, 2, figsize=(10, 9), layout="constrained")
    for ax, model, title in zip(places.flat, machines, titles, strict=True):
        draw_margins(model, X, y, ax=ax, slack=False)
        ax.set_title(title, fontsize=11, color=INK)
    return figure
