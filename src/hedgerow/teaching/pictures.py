"""Pictures of lectures.   In: results of hedgerow.teaching, or nothing but formulas.   Out: the Axes."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.metrics import roc_auc_score, roc_curve

from hedgerow.docstrings import document
from hedgerow.draw.style import (
    BLUE,
    DASHES,
    GREY,
    INK,
    LINES,
    RED,
    SOFT,
    axes_for,
    class_colour,
    label,
    legend,
    style_axes,
    unit_square,
)
from hedgerow.formulas import (
    entropy,
    exponential_loss,
    gini,
    hinge_loss,
    logistic_loss,
    misclassification,
)
from hedgerow.types import Float

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MANY_ROWS = 40  # rows; lines of more are thin and pale


def draw_thresholds(scores: Any, *, ax: "Axes | None" = None) -> "Axes":
    """The gain of every threshold; the best is marked."""
    ax = axes_for(ax, (6.8, 3.8))
    few = len(scores) <= 60
    ax.plot(
        scores.threshold, scores.gain, color=BLUE, linewidth=1.3, marker="o" if few else "", markersize=3.5
    )
    best = scores.best
    ax.plot(scores.threshold[best], scores.gain[best], "o", color=RED, markersize=8)
    left = scores.threshold[best] > np.median(scores.threshold)
    ax.annotate(
        f"{label(scores.column, 20)} <= {scores.threshold[best]:.4g}: {scores.gain[best]:.3f}",
        (scores.threshold[best], scores.gain[best]),
        (-8 if left else 8, 6),
        textcoords="offset points",
        ha="right" if left else "left",
        fontsize=9,
        color=INK,
    )
    ax.set_ylim(bottom=min(0.0, float(scores.gain.min())), top=1.18 * float(scores.gain.max()) or 1.0)
    ax.set_xlabel(label(scores.column))
    ax.set_ylabel(f"gain ({scores.criterion})")
    style_axes(ax)
    return ax


def draw_row_weights(weights: Any, *, ax: "Axes | None" = None) -> "Axes":
    """A line for each row over the rounds, in the colour of its class; dashed, the weight of all at first."""
    ax = axes_for(ax, (7.2, 4.2))
    rounds, rows = np.arange(1, len(weights.weight) + 1), len(weights.row)
    classes = sorted(set(weights.label))
    many = rows > MANY_ROWS
    for i, name in enumerate(weights.label):
        first = i == weights.label.index(name)
        ax.plot(
            rounds,
            weights.weight[:, i],
            color=class_colour(classes.index(name)),
            linewidth=0.6 if many else 1.2,
            alpha=0.35 if many else 0.9,
            marker="o" if len(rounds) <= 12 and not many else "",
            markersize=3,
            label=label(name, 24) if first else None,
        )
    for height in np.unique(np.round(weights.weight[-1], 6)) if not many else ():
        there = weights.row[np.isclose(weights.weight[-1], height, atol=1e-6)]
        words = f"rows {', '.join(map(str, there))}" if len(there) > 1 else f"row {there[0]}"
        end = (rounds[-1], height)
        ax.annotate(words, end, (6, -3), textcoords="offset points", fontsize=7.5, color=SOFT)
    ax.axhline(1 / rows, color=GREY, linewidth=0.8, linestyle=DASHES)
    if len(rounds) <= 12:
        ax.set_xticks(rounds, [f"$D_{{{t}}}$" for t in rounds])
    ax.set_ylim(bottom=0)
    ax.set_xlabel("before round")
    ax.set_ylabel("weight of the row")
    style_axes(ax)
    legend(ax)
    return ax


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_impurities(*, ax: "Axes | None" = None) -> "Axes":
    """Draw impurities of two classes over the share of one.

    Entropy (halved too, as it is often shown), Gini, misclassification.

    See Also
    --------
    hedgerow.formulas.entropy : The first of these curves.

    Examples
    --------
    >>> from hedgerow import teaching
    >>> axes = teaching.draw_impurities()
    """
    ax = axes_for(ax, (6.4, 4.2))
    shares = np.linspace(0, 1, 201)
    curves: list[tuple[str, Callable[[Any], float], Any]] = [
        ("entropy, in bits", entropy, "-"),
        ("entropy / 2", lambda counts: entropy(counts) / 2, DASHES),
        ("Gini", gini, "-"),
        ("misclassification", misclassification, "-"),
    ]
    colours = (BLUE, BLUE, LINES[2], RED)
    for (name, measure, style), colour in zip(curves, colours, strict=True):
        values = [measure([share, 1 - share]) for share in shares]
        ax.plot(shares, values, color=colour, linestyle=style, linewidth=1.4, label=name)
    ax.set_xlabel("share of the first class")
    ax.set_ylabel("impurity")
    ax.set_ylim(0, 1.03)
    style_axes(ax)
    legend(ax)
    return ax


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_surrogate_losses(*, ax: "Axes | None" = None) -> "Axes":
    """Draw losses of a margin y f(x).

    The 0-1 loss, the exponential, the logistic (in bits, so that it is 1 at 0) and the hinge loss.

    See Also
    --------
    hedgerow.formulas.hinge_loss : One of these curves.

    Examples
    --------
    >>> from hedgerow import teaching
    >>> axes = teaching.draw_surrogate_losses()
    """
    ax = axes_for(ax, (6.4, 4.2))
    margin = np.linspace(-2, 3, 301)
    curves = [
        ("exponential: boosting", exponential_loss(margin), BLUE),
        ("logistic, in bits", logistic_loss(margin) / np.log(2), LINES[2]),
        ("hinge: support vector machines", hinge_loss(margin, np.ones(len(margin))), RED),
    ]
    ax.step([-2, 0, 3], [1, 0, 0], where="post", color=INK, linewidth=1.2, label="0-1: a mistake")
    for name, loss, colour in curves:
        ax.plot(margin, loss, color=colour, linewidth=1.4, label=name)
    ax.set_ylim(0, 4)
    ax.set_xlabel("margin y f(x)")
    ax.set_ylabel("loss")
    style_axes(ax)
    legend(ax)
    return ax


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_rocs(
    models: Mapping[str, Any], X: Any, y: Any, *, positive: Any = None, ax: "Axes | None" = None
) -> "Axes":
    """Draw the ROC curves of several fitted classifiers on the same rows, with their areas.

    Parameters
    ----------
    models : dict
        Fitted classifiers of two classes, by name.
    positive : label or None
        The class that counts as positive. None: the second of each model.

    See Also
    --------
    evaluate : The curve of one model with a band, on rows it was not fitted to.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, teaching
    >>> heart = datasets.heart()
    >>> tree = DecisionTreeClassifier(max_depth=3).fit(heart.table, heart.target)
    >>> axes = teaching.draw_rocs({"tree": tree}, heart.table, heart.target)
    """
    ax = axes_for(ax, (5.6, 5.2))
    ax.plot([0, 1], [0, 1], color=GREY, linestyle=DASHES, linewidth=1)
    labels = np.asarray(y)
    for k, (name, model) in enumerate(models.items()):
        yes = model.classes_[1] if positive is None else positive
        score = _score_of(model, X, yes)
        truth = labels == yes
        false, true, _ = roc_curve(truth, score, drop_intermediate=False)
        style = "-" if k < len(LINES) else DASHES
        area = roc_auc_score(truth, score)
        words = f"{label(name, 28)}: {area:.3f}"
        ax.plot(false, true, color=LINES[k % len(LINES)], linestyle=style, linewidth=1.5, label=words)
    unit_square(ax, "false positives, of all negatives", "true positives, of all positives")
    legend(ax, "lower right", title="area under the curve", title_fontsize=8.5)
    return ax


def _score_of(model: Any, X: Any, yes: Any) -> Float:
    """The larger the more it looks like `yes`."""
    place = list(model.classes_).index(yes)
    if hasattr(model, "predict_proba"):
        return np.asarray(model.predict_proba(X), np.float64)[:, place]
    score = np.asarray(model.decision_function(X), np.float64)
    return score if place == 1 else -score


@document(returns="matplotlib.axes.Axes\n    The picture.")
def draw_margin_widths(machines: Sequence[Any], *, ax: "Axes | None" = None) -> "Axes":
    """Draw 2/norm(w) and the share of support vectors by C.

    Parameters
    ----------
    machines : list of SVC or LinearSVC
        Fitted machines of two classes, each with its C.

    See Also
    --------
    svm_path : Every C at once, with its cross-validated error.

    Examples
    --------
    >>> from hedgerow import SVC, teaching
    >>> X, y = [[0.0], [1.0], [2.0], [3.0]], [0, 0, 1, 1]
    >>> axes = teaching.draw_margin_widths([SVC(kernel="linear", C=C).fit(X, y) for C in (0.1, 1.0)])
    """
    ax = axes_for(ax, (6.4, 4.0))
    ordered = sorted(machines, key=lambda machine: float(machine.C))
    C = [float(machine.C) for machine in ordered]
    found = [machine.certificate_ for machine in ordered]
    ax.plot(C, [one.margin_width for one in found], "o-", color=BLUE, markersize=4, linewidth=1.3)
    ax.set_xscale("log")
    ax.set_xlabel("C")
    ax.set_ylabel("width of the margin, 2/|w|", color=BLUE)
    ax.set_ylim(bottom=0)
    style_axes(ax)
    other = ax.twinx()
    shares = [one.n_support / one.n_rows for one in found]
    other.plot(C, shares, "s--", color=RED, markersize=4, linewidth=1.1)
    other.set_ylabel("share of support vectors", color=RED)
    other.set_ylim(0, 1.02)
    other.spines[["top", "left"]].set_visible(False)
    other.tick_params(labelsize=9)
    return ax
