"""Curves of a ranking, with confidence bands.   In: an Evaluation of two classes.   Out: Roc; PrecisionRecall."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import Result
from hedgerow.display.numbers import figure, interval, percent
from hedgerow.evaluation.curves.bands import average_curve, positive_label, require_two_classes
from hedgerow.evaluation.score import Score, compute_scores
from hedgerow.types import Count, Float
from hedgerow.words import show

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

FALSE_POSITIVE_RATES = np.linspace(0, 1, 201)
RECALLS = np.linspace(0.005, 1, 200)


@dataclass(frozen=True, eq=False, repr=False)
class Roc(Result):
    """The ROC curve with a confidence band.

    Attributes
    ----------
    false_positive_rate :
        False positive rates.
    true_positive_rate :
        True positive rates.
    area :
        Area under the curve, with its interval.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> round(found.roc().area.value, 2)
    0.82
    """

    false_positive_rate: Float
    true_positive_rate: Float
    low: Float
    high: Float
    area: Score
    positive: str

    def tables(self) -> list[str]:
        a = self.area
        area = f"{figure(a.value)} ({percent(a.confidence_level)}: {interval(a.low, a.high)})"
        return [f"ROC curve for {show(self.positive)}: area {area}"]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_roc

        return draw_roc(self, ax=ax)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall(Result):
    """The precision-recall curve with a confidence band.

    Attributes
    ----------
    recall :
        Recalls.
    precision :
        Precisions.
    average :
        Average precision, with its interval.
    prevalence :
        The share of positive rows: the precision of guessing.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> round(float(found.precision_recall().prevalence), 2)
    0.46
    """

    recall: Float
    precision: Float
    low: Float
    high: Float
    average: Score
    prevalence: float
    positive: str

    def tables(self) -> list[str]:
        a = self.average
        average = f"{figure(a.value)} ({percent(a.confidence_level)}: {interval(a.low, a.high)})"
        name = show(self.positive)
        return [
            f"precision and recall for {name}: average precision {average}, guessing {figure(self.prevalence)}"
        ]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_precision_recall

        return draw_precision_recall(self, ax=ax)


def compute_roc(evaluation: "Evaluation") -> Roc:
    require_two_classes(evaluation, "a ROC curve", "decision")
    e = evaluation
    middle, low, high = average_curve(e, "roc_auc", _true_positive_rates)
    area = compute_scores(["roc_auc"], e.fold_results, e.data, e.splits, e.confidence_level)[0]
    low[0], high[-1], low[-1] = 0.0, 1.0, 1.0
    return Roc(FALSE_POSITIVE_RATES, middle, low, high, area, positive_label(e))


def _true_positive_rates(y_true: Float, weight: Float, ends: Count) -> Float:
    """At FALSE_POSITIVE_RATES; between two thresholds on the straight line, as the area counts it."""
    positives, negatives = np.cumsum(weight * y_true)[ends], np.cumsum(weight * (1 - y_true))[ends]
    x = np.append(0.0, negatives / negatives[-1])
    y = np.append(0.0, positives / positives[-1])
    steps = x + 1e-12 * np.arange(len(x))  # where the curve rises straight up, the upper end counts
    found = np.interp(FALSE_POSITIVE_RATES, steps, y)
    found[0] = 0.0
    return np.asarray(found)


def compute_precision_recall(evaluation: "Evaluation") -> PrecisionRecall:
    require_two_classes(evaluation, "a precision-recall curve", "decision")
    e, name = evaluation, "average_precision"
    middle, low, high = average_curve(e, name, _precisions)
    average = compute_scores([name], e.fold_results, e.data, e.splits, e.confidence_level)[0]
    weight = np.ones(e.data.n_rows) if e.data.weight is None else e.data.weight
    prevalence = float(weight[e.data.y == 1].sum() / weight.sum())
    return PrecisionRecall(RECALLS, middle, low, high, average, prevalence, positive_label(e))


def _precisions(y_true: Float, weight: Float, ends: Count) -> Float:
    """The precision when a recall is first reached: steps, since between two thresholds there is nothing to choose."""
    positives, everything = np.cumsum(weight * y_true)[ends], np.cumsum(weight)[ends]
    reached = np.searchsorted(positives / positives[-1], RECALLS - 1e-9)
    return (positives / everything)[np.minimum(reached, len(ends) - 1)]
