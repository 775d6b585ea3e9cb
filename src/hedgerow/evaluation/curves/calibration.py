"""The calibration curve.   In: an Evaluation of two classes.   Out: Calibration: the observed frequency of the positive
class against the predicted probability, in bins of about equally many rows, each with an interval.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import DisplayTable, Result
from hedgerow.display.numbers import figure, interval
from hedgerow.evaluation.curves.bands import (
    error_factor,
    pool_scoring_data,
    positive_label,
    require_two_classes,
)
from hedgerow.evaluation.score import t_quantile, wilson_interval
from hedgerow.types import Count, Float
from hedgerow.words import show

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Calibration(Result):
    """Observed frequency of the positive class against its predicted probability, in bins of about equally many rows.

    Attributes
    ----------
    predicted :
        Mean probability of each bin.
    observed :
        Share of positive rows.
    n_rows :
        Rows of each bin.
    error :
        Mean distance of the two, by rows: the expected calibration error.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> int(found.calibration().n_rows.sum())
    303
    """

    predicted: Float
    observed: Float
    low: Float
    high: Float
    n_rows: Count
    error: float
    positive: str

    def tables(self) -> list[DisplayTable]:
        columns = zip(self.predicted, self.observed, self.low, self.high, self.n_rows, strict=True)
        rows = [(figure(p), figure(o), interval(low, high), f"{n:,}") for p, o, low, high, n in columns]
        header = (f"probability of {show(self.positive)}", "observed", "interval", "rows")
        notes = [f"expected calibration error {figure(self.error)}"]
        return [DisplayTable(header, rows, words=(0, -1), notes=notes, gap=3)]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_calibration

        return draw_calibration(self, ax=ax)


def compute_calibration(evaluation: "Evaluation", bins: int = 10) -> Calibration:
    require_two_classes(evaluation, "a calibration curve", "proba")
    if not isinstance(bins, int) or bins < 2:
        raise ValueError(f"bins={bins!r} is out of range. Give at least 2.")
    rows, pooled = pool_scoring_data(evaluation)
    proba, y_true, weight = pooled.proba[:, 1], pooled.y_true, pooled.weight
    edges = np.unique(np.quantile(proba, np.linspace(0, 1, bins + 1)[1:-1], method="inverted_cdf"))
    place = np.searchsorted(edges, proba, side="left")
    z = t_quantile(evaluation.confidence_level, evaluation.data.n_rows) * error_factor(evaluation)
    table = []
    for k in np.unique(place):
        here = place == k
        total = weight[here].sum()
        observed = float(weight[here] @ y_true[here] / total)
        n_rows = len(np.unique(rows[here]))  # a row counts once, however often it was tested
        n_effective = n_rows * float(total**2 / (weight[here] ** 2).sum() / here.sum())
        low, high = wilson_interval(observed, n_effective, z)
        table.append((float(weight[here] @ proba[here] / total), observed, low, high, n_rows, total))
    predicted, shares, lows, highs, counts, totals = (np.array(column) for column in zip(*table, strict=True))
    error = float(np.abs(predicted - shares) @ totals / totals.sum())
    return Calibration(predicted, shares, lows, highs, counts, error, positive_label(evaluation))
