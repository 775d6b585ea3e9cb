"""The precision-recall curve.   In: an Evaluation of two classes.   Out: PrecisionRecall, with a band."""

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

PLACES = np.linspace(0.005, 1, 200)


@dataclass(frozen=True, eq=False, repr=False)
class PrecisionRecall:
    recall: Float
    precision: Float
    low: Float
    high: Float
    average: Score
    share: float  # of positive rows: the precision of guessing
    positive: str

    def to_dict(self) -> dict[str, Any]:
        lines = {name: getattr(self, name).tolist() for name in ("recall", "precision", "low", "high")}
        return {**lines, "average": self.average.to_dict(), "share": self.share}

    def __str__(self) -> str:
        a = self.average
        told = f"{figure(a.value)} ({percent(a.level)}: {span(a.low, a.high)})"
        name = show(self.positive)
        return f"precision and recall for {name}: average precision {told}, guessing {figure(self.share)}"

    __repr__ = __str__

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_precision_recall

        return draw_precision_recall(self, ax=ax)


def precision_recall(evaluation: "Evaluation") -> PrecisionRecall:
    from hedgerow.evaluation.evaluate import scores_of

    need_two_classes(evaluation, "a precision-recall curve", "order")
    middle, low, high = averaged(evaluation, metrics()["average_precision"], _heights)
    e = evaluation
    average = scores_of(["average_precision"], e.answers, e.baseline, e.data, e.splits, e.level)[0]
    weight = np.ones(e.data.n_rows) if e.data.weight is None else e.data.weight
    share = float(weight[e.data.y == 1].sum() / weight.sum())
    return PrecisionRecall(PLACES, middle, low, high, average, share, str(e.data.classes[1]))  # type: ignore[index]


def _heights(truth: Float, weight: Float, ends: Count) -> Float:
    """The precision when a recall is first reached: steps, since between two thresholds there is nothing to choose."""
    positives, everything = np.cumsum(weight * truth)[ends], np.cumsum(weight)[ends]
    reached = np.searchsorted(positives / positives[-1], PLACES - 1e-9)
    return (positives / everything)[np.minimum(reached, len(ends) - 1)]
