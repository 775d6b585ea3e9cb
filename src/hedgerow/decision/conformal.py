"""Prediction intervals of numbers.   In: predictions of rows by models that have not seen them, and the truth.   Out:
PredictionIntervals: what to add to a prediction so that the truth lies between, with so much coverage.

Cross-conformal: the residuals of a fold come from the model of the other folds, and the interval of a new row has the
residuals' quantiles at its ends, each end with half of what may be missed, at rank (n + 1) (1 - coverage) / 2, between
two residuals where that is no whole number: with 150 of them the next whole rank covers 96 %, not 95. Where there are
enough rows, this is done for low, middle and high predictions apart, since errors mostly grow with them.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.errors import ParameterError
from hedgerow.types import Float

COVERAGES = (0.5, 0.8, 0.9, 0.95, 0.99)
MOST_BINS = 5
FEWEST = 200  # rows in a bin


@dataclass(frozen=True)
class PredictionIntervals:
    edges: tuple[float, ...]  # of the predictions, between the bins
    low: tuple[tuple[float, ...], ...]  # by bin and coverage: added to the prediction
    high: tuple[tuple[float, ...], ...]
    n_rows: int  # whose residuals they come from

    def interval(self, predictions: Float, coverage: float) -> tuple[Float, Float]:
        """Low and high ends. `coverage`: one of COVERAGES."""
        k = check_coverage(coverage)
        bins = np.searchsorted(np.asarray(self.edges), predictions, side="right")
        low, high = np.asarray(self.low)[:, k], np.asarray(self.high)[:, k]
        return predictions + low[bins], predictions + high[bins]


def check_coverage(coverage: float) -> int:
    """Its place in COVERAGES."""
    if coverage not in COVERAGES:
        raise ParameterError(
            "{coverage} is not kept in the model. Known: {}.",
            ", ".join(map(str, COVERAGES)),
            coverage=coverage,
        )
    return COVERAGES.index(coverage)


def fit_intervals(predictions: Float, truth: Float) -> PredictionIntervals:
    n_bins = int(np.clip(len(truth) // FEWEST, 1, MOST_BINS))
    edges = np.unique(np.quantile(predictions, np.arange(1, n_bins) / n_bins))
    bins = np.searchsorted(edges, predictions, side="right")
    residual = truth - predictions
    parts = [np.sort(residual[bins == k]) for k in range(len(edges) + 1)]
    parts = [part if len(part) else np.sort(residual) for part in parts]
    low, high = zip(*(_ends(part) for part in parts), strict=True)
    return PredictionIntervals(tuple(edges.tolist()), low, high, len(truth))


def _ends(residual: Float) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of each coverage. Where there are too few rows for a rank, the outermost residual stands in."""
    half = (1 - np.array(COVERAGES)) / 2
    low, high = np.quantile(residual, [half, 1 - half], method="weibull").tolist()
    return tuple(low), tuple(high)
