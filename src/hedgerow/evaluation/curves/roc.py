"""The ROC curve.   In: an Evaluation of two classes.   Out: Roc: true positives against false ones, with a band."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.curves.band import averaged
from hedgerow.evaluation.curves.rows import need_two_classes
from hedgerow.evaluation.metrics import metrics
from hedgerow.evaluation.score import Score
from hedgerow.evaluation.words import figure, percent, span
from hedgerow.table.words import show
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

PLACES = np.linspace(0, 1, 201)


@dataclass(frozen=True, eq=False, repr=False)
class Roc:
    false_positive_rate: Float
    true_positive_rate: Float
    low: Float
    high: Float
    area: Score
    positive: str

    def to_dict(self) -> dict[str, Any]:
        lines = ("false_positive_rate", "true_positive_rate", "low", "high")
        return {name: getattr(self, name).tolist() for name in lines} | {"area": self.area.to_dict()}

    def __str__(self) -> str:
        a = self.area
        told = f"{figure(a.value)} ({percent(a.level)}: {span(a.low, a.high)})"
        return f"ROC curve for {show(self.positive)}: area {told}"

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_roc

        return draw_roc(self, ax=ax)


def roc(evaluation: "Evaluation") -> Roc:
    from hedgerow.evaluation.evaluate import scores_of

    need_two_classes(evaluation, "a ROC curve", "order")
    middle, low, high = averaged(evaluation, metrics()["roc_auc"], _heights)
    e = evaluation
    area = scores_of(["roc_auc"], e.answers, e.baseline, e.data, e.splits, e.level)[0]
    low[0], high[-1], low[-1] = 0.0, 1.0, 1.0
    return Roc(PLACES, middle, low, high, area, str(e.data.classes[1]))  # type: ignore[index]


def _heights(truth: Float, weight: Float, ends: Count) -> Float:
    """True positives at each of PLACES; between two thresholds on the straight line, as the area counts it."""
    positives, negatives = np.cumsum(weight * truth)[ends], np.cumsum(weight * (1 - truth))[ends]
    x = np.append(0.0, negatives / negatives[-1])
    y = np.append(0.0, positives / positives[-1])
    steps = x + 1e-12 * np.arange(len(x))  # where the curve rises straight up, the upper end counts
    found = np.interp(PLACES, steps, y)
    found[0] = 0.0
    return np.asarray(found)
