"""Pictures of boosting rounds.   In: a RoundTable, or Rounds and rows of two columns.   Out: the Axes, or the Figure.

matplotlib is imported only when something is drawn, and pyplot only when no Axes is given.
"""

from typing import TYPE_CHECKING

import numpy as np

from hedgerow.boost.boost import weights_of
from hedgerow.boost.combine import answers_of, classes_of_scores, weighted
from hedgerow.boost.diagnose_numbers import NumberDiagnosis
from hedgerow.boost.round_table import RoundTable
from hedgerow.boost.rounds import Rounds
from hedgerow.boost.rows import Rows, rows_of_matrix
from hedgerow.draw.plain import DASHES, LINES, axes_for, plain, quiet
from hedgerow.tree.picture.colours import CLASSES, INK, PAPER, SOFT
from hedgerow.types import Float, Index, Mask

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONG = 50  # rounds; beyond, the axis is logarithmic: most happens at the beginning
FINE = 241  # points a side of the grid that regions are drawn on


def draw_errors(table: RoundTable, *, ax: "Axes | None" = None) -> "Axes":
    """Training and test error over the rounds, and the bound that the training error cannot exceed."""
    ax = axes_for(ax, (7.2, 4.4))
    x = np.arange(1, len(table) + 1)
    lines = [
        ("training error", table.error, LINES[0], "-"),
        ("error on held-out rows", table.checked, LINES[2], "-"),
        ("test error", table.test_error, LINES[1], "-"),
        ("bound of the training error", table.bound, SOFT, DASHES),
    ]
    for label, values, colour, style in lines:
        if values is not None:
            marker = "o" if len(x) <= 12 else ""
            ax.plot(
                x,
                values,
                color=colour,
                linestyle=style,
                linewidth=1.4,
                marker=marker,
                markersize=4,
                label=label,
            )
    _mark_least(ax, table)
    if len(x) > LONG:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    elif len(x) <= 12:
        ax.set_xticks(x)
    top = float(np.max([np.nanmax(v) for _, v, _, _ in lines[:3] if v is not None], initial=0.0))
    ax.set_ylim(0, min(max(1.0, top), max(2.2 * top, 0.02)))
    ax.set_xlabel("rounds")
    ax.set_ylabel("share of the rows")
    quiet(ax)
    ax.legend(frameon=False, fontsize=8.5)
    return ax


def _mark_least(ax: "Axes", table: RoundTable) -> None:
    if table.test_error is None or len(table) < 2:
        return
    best = int(np.argmin(table.test_error))
    least = float(table.test_error[best])
    ax.plot(best + 1, least, "o", mfc="none", mec=LINES[1], markersize=8)
    below = least > 0.1 * ax.get_ylim()[1]
    ax.annotate(
        f"{least:.1%} after {best + 1:,}",
        (best + 1, least),
        xytext=(0, -9 if below else 9),  # the curve itself is above its least value
        textcoords="offset points",
        ha="right" if best > 0.6 * len(table) else "center",
        va="top" if below else "bottom",
        fontsize=8,
        color=INK,
        bbox={"facecolor": PAPER, "edgecolor": "none", "alpha": 0.8, "pad": 1},
        zorder=5,
    )


def draw_number_errors(found: NumberDiagnosis, *, ax: "Axes | None" = None) -> "Axes":
    """Mean error of the training and test rows over the rounds."""
    ax = axes_for(ax, (7.2, 4.4))
    x = np.arange(1, len(found.alpha) + 1)
    ax.plot(x, found.error, color=LINES[0], linewidth=1.4, label="training rows")
    if found.test_error is not None:
        ax.plot(x, found.test_error, color=LINES[1], linewidth=1.4, label="test rows")
    ax.set_ylim(bottom=0)
    ax.set_xlabel("rounds")
    ax.set_ylabel("mean absolute error")
    quiet(ax)
    ax.legend(frameon=False, fontsize=8.5)
    return ax


def draw_rounds(
    rounds: Rounds,
    rows: Rows,
    codes: Index,
    classes: tuple[str, ...],
    *,
    most: int = 3,
) -> "Figure":
    """Rows of two columns: the first rounds one by one, and what all rounds make together.

    Rows are as large as their weight before the round; a ring is a mistake of the round's predictor; the ground is what
    it answers (white: it is silent).
    """
    from matplotlib import pyplot

    points = np.asarray(rows.matrix, np.float64)
    if points.shape[1] != 2:
        raise ValueError(
            f"Rounds are drawn in the plane, but the rows have {points.shape[1]} columns. Fit two columns to draw them."
        )
    shown = min(most, len(rounds))
    columns = min(shown + 1, 4)
    lines = -(-(shown + 1) // columns)
    figure: Figure
    figure, axes = pyplot.subplots(
        lines, columns, figsize=(3.1 * columns, 3.4 * lines), layout="constrained", squeeze=False
    )
    grid, x, y = _grid(points)
    score, on_grid = np.zeros((rows.n_rows, rounds.width)), np.zeros((grid.n_rows, rounds.width))
    margins = np.zeros_like(rounds.margins)
    for t, round in enumerate(rounds.rounds):
        answers = answers_of(round.weaks, rows, rounds.form)
        there = answers_of(round.weaks, grid, rounds.form)
        if t < shown:
            weight = weights_of(rounds.loss, margins, rounds.base).sum(axis=1)
            chosen = _chosen(answers, rounds.form, round.alpha)
            ax = axes.flat[t]
            _ground(ax, x, y, _chosen(there, rounds.form, round.alpha))
            _points(ax, points, codes, weight, (chosen != codes) & (chosen >= 0))
            epsilon = f"{round.epsilon:.2f}" if round.epsilon >= 0.005 else f"{round.epsilon:.2g}"
            ax.set_title(f"Round {t + 1}:  ε = {epsilon},  α = {round.alpha:.2f}", fontsize=10, color=INK)
        if round.reset:
            margins = np.zeros_like(margins)
        else:
            added = weighted(answers, round.alpha, round.alpha_no, rounds.form, rounds.width)
            score, margins = score + added, margins + _agreeing(added, codes, rounds)
            on_grid += weighted(there, round.alpha, round.alpha_no, rounds.form, rounds.width)
    ax = axes.flat[shown]
    together = classes_of_scores(score)
    _ground(ax, x, y, classes_of_scores(on_grid))
    _points(ax, points, codes, rounds.base, together != codes)
    error = float(rounds.base @ (together != codes))
    ax.set_title(f"All {len(rounds):,} rounds:  error {error:.1%}", fontsize=10, color=INK)
    for ax in axes.flat[shown + 1 :]:
        ax.set_visible(False)
    for ax in axes.flat[: shown + 1]:
        ax.set_xlabel(plain(rows.names[0]))
    axes[0, 0].set_ylabel(plain(rows.names[1]))
    _legend(figure, classes)
    return figure


def _agreeing(added: Float, codes: Index, rounds: Rounds) -> Float:
    """What a round adds to the margins, in the shape Rounds keeps them."""
    if rounds.form == "votes":
        voted = added.argmax(axis=1)
        size = added.max(axis=1)
        return np.where(size == 0, 0.0, np.where(voted == codes, size, -size))[:, None]
    own = np.arange(rounds.width) if rounds.width > 1 else np.array([1])
    return np.where(codes[:, None] == own, 1.0, -1.0) * added


def _chosen(answers: Float, form: str, alpha: float) -> Index:
    """Class numbers; -1 where the predictor is silent."""
    if form == "votes":
        return answers[:, 0].astype(np.int32)
    if answers.shape[1] > 1:
        return classes_of_scores(answers * np.sign(alpha))
    side = np.sign(answers[:, 0] * np.sign(alpha))
    return np.where(side == 0, -1, side > 0).astype(np.int32)


def _grid(points: Float) -> tuple[Rows, Float, Float]:
    low, high = points.min(axis=0), points.max(axis=0)
    room = np.where(high > low, (high - low) * 0.09, 1.0)
    x, y = (np.linspace(low[k] - room[k], high[k] + room[k], FINE) for k in (0, 1))
    return rows_of_matrix(np.column_stack([part.ravel() for part in np.meshgrid(x, y)])), x, y


def _ground(ax: "Axes", x: Float, y: Float, chosen: Index) -> None:
    from matplotlib.colors import ListedColormap

    colours = ListedColormap([PAPER, *CLASSES])
    picture = (chosen.reshape(len(y), len(x)) % len(CLASSES) + 1) * (chosen.reshape(len(y), len(x)) >= 0)
    ends = (x[0], x[-1], y[0], y[-1])
    ax.imshow(
        picture,
        extent=ends,
        origin="lower",
        aspect="auto",
        cmap=colours,
        vmin=0,
        vmax=len(CLASSES),
        alpha=0.22,
        interpolation="nearest",
    )
    quiet(ax)


def _points(ax: "Axes", points: Float, codes: Index, weight: Float, wrong: Mask) -> None:
    """As large in area as the weight; a row of the mean weight is the same size in every picture of as many rows."""
    usual = float(np.clip(4000 / len(points), 8, 160))
    size = usual * weight * np.count_nonzero(weight) + 2
    for k in np.unique(codes):
        mine = codes == k
        ax.scatter(
            points[mine, 0],
            points[mine, 1],
            s=size[mine],
            marker=MARKS[k % len(MARKS)],
            color=CLASSES[k % len(CLASSES)],
            linewidths=np.clip(np.sqrt(size[mine]) / 5, 0.8, 3.5),
            zorder=3,
        )
    ax.scatter(
        points[wrong, 0],
        points[wrong, 1],
        s=2.2 * size[wrong] + 25,
        facecolors="none",
        edgecolors=INK,
        linewidths=1,
        zorder=4,
    )


MARKS = ("_", "+", "x", "1", "2", "3", "4", "|")  # drawn as lines, the first two as the lectures do


def _legend(figure: "Figure", classes: tuple[str, ...]) -> None:
    from matplotlib.lines import Line2D

    marks = [
        Line2D(
            [],
            [],
            color=CLASSES[k % len(CLASSES)],
            marker=MARKS[k % len(MARKS)],
            linestyle="none",
            mew=2,
            label=plain(name),
        )
        for k, name in enumerate(classes)
    ]
    ring = Line2D([], [], color=INK, marker="o", mfc="none", linestyle="none", label="mistake")
    figure.legend(
        handles=[*marks, ring], loc="outside lower center", ncols=len(marks) + 1, frameon=False, fontsize=9
    )
