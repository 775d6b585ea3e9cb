"""Curves of one evaluated model.   In: a Roc, a Calibration, ..., perhaps an Axes.   Out: the Axes, or the Figure."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.draw.style import (
    BLUE,
    DASHES,
    GREY,
    INK,
    RED,
    SOFT,
    axes_for,
    label,
    legend,
    panels,
    style_axes,
    unit_square,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_WRITTEN = 12  # classes of a confusion matrix whose cells still have room for numbers
MANY = 3_000  # rows; residuals of more are drawn as shaded hexagons


def draw_evaluation(evaluation: Any) -> "Figure":
    """All that its task allows, on one figure."""
    drawn = _panels(evaluation)
    figure, places = panels(len(drawn), 3, (4.6, 4.4))
    for ax, draw in zip(places, drawn, strict=True):
        draw(ax)
    return figure


def _panels(evaluation: Any) -> "list[Callable[[Axes], Any]]":
    if evaluation.data.classes is None:
        return [lambda ax: evaluation.residuals().draw(ax=ax)]
    drawn: list[Callable[[Axes], Any]] = [lambda ax: evaluation.confusion().draw(ax=ax)]
    given = [result.predictions for result in evaluation.fold_results if result.predictions is not None]
    ordered = all(one.decision is not None for one in given)
    if ordered and evaluation.data.is_binary:
        drawn += [
            lambda ax: evaluation.roc().draw(ax=ax),
            lambda ax: evaluation.precision_recall().draw(ax=ax),
        ]
    if evaluation.data.is_binary and all(one.proba is not None for one in given):
        drawn += [
            lambda ax: evaluation.calibration().draw(ax=ax),
            lambda ax: evaluation.threshold().draw(ax=ax),
        ]
    if ordered:
        drawn.append(lambda ax: evaluation.coverage_risk().draw(ax=ax))
    return drawn


def draw_roc(roc: Any, *, ax: "Axes | None" = None) -> "Axes":
    """True against false positives, with its band, and the diagonal of guessing."""
    ax = axes_for(ax, (5.2, 5.0))
    area = roc.area
    x = roc.false_positive_rate
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1, label="guessing: 0.5")
    ax.fill_between(x, roc.low, roc.high, color=BLUE, alpha=0.15, linewidth=0)
    words = f"area {area.value:.3f} ({area.low:.3f} to {area.high:.3f})"
    ax.plot(x, roc.true_positive_rate, color=BLUE, linewidth=1.6, label=words)
    unit_square(ax, "false positives, of all negatives", "true positives, of all positives")
    ax.set_title(f"ROC: {label(roc.positive, 32)}", fontsize=10, loc="left")
    legend(ax, "lower right")
    return ax


def draw_precision_recall(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Precision over recall, with its band, and the level of guessing."""
    ax = axes_for(ax, (5.2, 5.0))
    average = curve.average
    ax.axhline(
        curve.prevalence, color=GREY, linestyle=DASHES, linewidth=1, label=f"guessing: {curve.prevalence:.3f}"
    )
    ax.fill_between(curve.recall, curve.low, curve.high, color=BLUE, alpha=0.15, linewidth=0)
    words = f"average {average.value:.3f} ({average.low:.3f} to {average.high:.3f})"
    ax.plot(curve.recall, curve.precision, color=BLUE, linewidth=1.6, label=words)
    unit_square(ax, "recall: found, of all positives", "precision: right, of all called positive")
    ax.set_title(f"Precision and recall: {label(curve.positive, 24)}", fontsize=10, loc="left")
    legend(ax)
    return ax


def draw_calibration(calibration: Any, *, ax: "Axes | None" = None) -> "Axes":
    """Observed shares over the predicted probabilities; on the diagonal they agree."""
    ax = axes_for(ax, (5.2, 5.0))
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1, label="calibrated")
    reach = np.abs(np.vstack([calibration.low, calibration.high]) - calibration.observed)
    ax.errorbar(
        calibration.predicted,
        calibration.observed,
        yerr=reach,
        color=BLUE,
        ecolor=SOFT,
        elinewidth=1.2,
        capsize=2.5,
        marker="o",
        markersize=4.5,
        linewidth=1.2,
        label=f"calibration error {calibration.error:.3f}",
    )
    unit_square(ax, f"probability given to {label(calibration.positive, 24)}", "share observed")
    ax.set_title("Calibration", fontsize=10, loc="left")
    legend(ax, "upper left")
    return ax


def draw_threshold(choice: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The cost of a row over the threshold, the cheapest marked."""
    ax = axes_for(ax, (5.6, 4.4))
    edges, costs = np.append(0.0, choice.thresholds), np.append(choice.costs[0], choice.costs)
    ax.step(np.append(edges, 1.0), np.append(costs, costs[-1]), where="pre", color=BLUE, linewidth=1.5)
    cheapest = "never" if choice.value >= choice.thresholds[-1] else f"{choice.value:.3f}"
    ax.axvline(choice.value, color=RED, linewidth=1.2, label=f"cheapest: {cheapest}")
    ax.axvline(
        choice.theory, color=GREY, linestyle=DASHES, linewidth=1, label=f"calibrated: {choice.theory:.3f}"
    )
    style_axes(ax)
    ax.set_xlim(0, 1)
    ax.set_ylim(bottom=0)
    ax.set_xlabel(f"predict {label(choice.positive, 24)} from this probability on")
    ax.set_ylabel("cost per row")
    words = f"a false positive costs {choice.false_positive:g}, a false negative {choice.false_negative:g}"
    ax.set_title(words, fontsize=10, loc="left")
    legend(ax)
    return ax


def draw_coverage_risk(curve: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The error rate among the rows answered, the surest first."""
    ax = axes_for(ax, (5.6, 4.4))
    ax.axhline(
        curve.full_risk,
        color=GREY,
        linestyle=DASHES,
        linewidth=1,
        label=f"all answered: {curve.full_risk:.3f}",
    )
    ax.fill_between(curve.coverage, curve.low, curve.high, color=BLUE, alpha=0.15, linewidth=0, step="post")
    ax.step(
        curve.coverage,
        curve.risk,
        where="post",
        color=BLUE,
        linewidth=1.5,
        marker="o" if len(curve.risk) == 1 else "",
        label=f"mean risk {curve.area:.3f}",
    )
    style_axes(ax)
    ax.set_xlim(0, 1.01)
    seen = curve.coverage >= 0.1  # a handful of rows has a band over the whole page
    top = float(curve.high[seen].max()) if seen.any() else float(curve.high.max())
    ax.set_ylim(0, min(1.0, 1.15 * max(top, curve.full_risk)))
    ax.set_xlabel("rows answered, the surest first")
    ax.set_ylabel("error rate among them")
    ax.set_title("Coverage and risk", fontsize=10, loc="left")
    legend(ax, "upper left")
    return ax


def draw_confusion(confusion: Any, *, ax: "Axes | None" = None) -> "Axes":
    """True classes down, predicted ones across, shaded by shares of the true class."""
    n = len(confusion.classes)
    side = min(9.0, 3.2 + 0.55 * n)
    ax = axes_for(ax, (side + 0.6, side))
    shares = confusion.recall
    ax.imshow(shares, cmap="Blues", vmin=0, vmax=1)
    names = [label(str(name), 14) for name in confusion.classes.tolist()]
    turn = 90 if n > 6 else 0
    small = 9 if n <= MOST_WRITTEN else 7
    ax.set_xticks(range(n), names, rotation=turn, fontsize=small)
    ax.set_yticks(range(n), names, fontsize=small)
    if n <= MOST_WRITTEN:
        for i in range(n):
            for j in range(n):
                colour = "white" if shares[i, j] > 0.6 else INK
                count = confusion.counts[i, j]
                words = f"{count:,.0f}" + (f"\n{shares[i, j]:.0%}" if n <= 6 else "")
                ax.text(j, i, words, ha="center", va="center", color=colour, fontsize=9 if n <= 6 else 8)
    ax.set_xlabel("predicted")
    ax.set_ylabel("true")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    ax.set_title("Confusion", fontsize=10, loc="left")
    return ax


def draw_residuals(residuals: Any, *, ax: "Axes | None" = None) -> "Axes":
    """True values over predictions; many rows become a shade."""
    ax = axes_for(ax, (5.2, 5.0))
    if len(residuals.y_true) > MANY:
        ax.hexbin(
            residuals.y_pred, residuals.y_true, gridsize=50, cmap="Blues", bins="log", mincnt=1, linewidths=0
        )
    else:
        ax.plot(
            residuals.y_pred, residuals.y_true, ".", color=BLUE, markersize=4, alpha=0.4, markeredgewidth=0
        )
    low = float(min(residuals.y_pred.min(), residuals.y_true.min()))
    high = float(max(residuals.y_pred.max(), residuals.y_true.max()))
    ax.plot([low, high], [low, high], color=GREY, linestyle=DASHES, linewidth=1)
    style_axes(ax)
    ax.set_xlabel("predicted")
    ax.set_ylabel("true")
    ax.set_title("Predictions for rows the model has not seen", fontsize=10, loc="left")
    return ax
