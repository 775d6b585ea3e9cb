"""The ROC curve.   In: an Evaluation of two classes.   Out: Roc: true positives against false ones, with a band."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import Result
from hedgerow.display.numbers import figure, interval, percent
from hedgerow.evaluation.curves.bands import average_curve, positive_label, require_two_classes
from hedgerow.evaluation.score import Score, compute_scores
from hedgerow.table.words import show
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

PLACES = np.linspace(0, 1, 201)


@dataclass(frozen=True, eq=False, repr=False)
class Roc(Result):
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


def compute_roc(evaluation: "Evaluation") -> Roc:
    require_two_classes(evaluation, "a ROC curve", "decision")
    e = evaluation
    middle, low, high = average_curve(e, "roc_auc", _heights)
    area = compute_scores(["roc_auc"], e.fold_results, e.baseline, e.data, e.splits, e.confidence_level)[0]
    low[0], high[-1], low[-1] = 0.0, 1.0, 1.0
    return Roc(PLACES, middle, low, high, area, positive_label(e))


def _heights(y_true: Float, weight: Float, ends: Count) -> Float:
    """True positives at each of PLACES; between two thresholds on the straight line, as the area counts it."""
    positives, negatives = np.cumsum(weight * y_true)[ends], np.cumsum(weight * (1 - y_true))[ends]
    x = np.append(0.0, negatives / negatives[-1])
    y = np.append(0.0, positives / positives[-1])
    steps = x + 1e-12 * np.arange(len(x))  # where the curve rises straight up, the upper end counts
    found = np.interp(PLACES, steps, y)
    found[0] = 0.0
    return np.asarray(found)
