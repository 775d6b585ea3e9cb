"""Prediction intervals of numbers.   In: predictions of rows by models that have not seen them, and the truth.   Out:
PredictionIntervals: what to add to a prediction so that the truth lies between, with so much coverage.

Cross-conformal: the residuals of a fold come from the model of the other folds, and the interval of a new row has the
residuals' quantiles at its ends, each end with half of what may be missed, at rank (n + 1) (1 - coverage) / 2, between
two residuals where that is no whole number: with 150 of them the next whole rank covers 96 %, not 95. Where there are
enough rows, this is done for low, middle and high predictions apart, since errors mostly grow with them; not of a
guess, whose predictions differ only from fold to fold.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.errors import ParameterError
from hedgerow.types import Float, Mask

COVERAGES = (0.5, 0.8, 0.9, 0.95, 0.99)
MOST_BINS = 5
FEWEST = 200  # rows in a bin
USUAL = 0.05  # of the rows have a value that many have: no claim, no visit
FEWEST_USUAL = 10  # rows with it
COARSE = 0.8  # of the rows of a bin are different predictions, at most: leaves of a tree, one mean
BEYOND = 0.1  # of the range of predictions: the next may lie outside
LITTLE = 10.0  # times the variance of the mean of all rows: less is that of means of folds


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
    # A guess: its bins would be the folds
    says_little = len(truth) * predictions.var() < LITTLE * truth.var()
    n_bins = 1 if says_little else int(np.clip(len(truth) // FEWEST, 1, MOST_BINS))
    edges = np.unique(np.quantile(predictions, np.arange(1, n_bins) / n_bins))
    bins = np.searchsorted(edges, predictions, side="right")
    usual = _find_usual(truth)
    spread = float(predictions.max() - predictions.min())
    least = (float(predictions.min()) - BEYOND * spread, *edges.tolist())
    most = (*edges.tolist(), float(predictions.max()) + BEYOND * spread)
    low, high = [], []
    for k in range(len(edges) + 1):
        rows = bins == k if np.any(bins == k) else np.ones(len(truth), bool)
        is_coarse = len(np.unique(predictions[rows])) <= COARSE * rows.sum()
        ends = _ends((truth - predictions)[rows], truth[rows & usual & is_coarse], least[k], most[k])
        low.append(ends[0])
        high.append(ends[1])
    return PredictionIntervals(tuple(edges.tolist()), tuple(low), tuple(high), len(truth))


def _find_usual(truth: Float) -> Mask:
    """Rows whose value many have."""
    _, value, count = np.unique(truth, return_inverse=True, return_counts=True)
    return np.asarray((count >= max(FEWEST_USUAL, USUAL * len(truth)))[value.reshape(-1)])


def _ends(
    residual: Float, usual: Float, least: float, most: float
) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Of each coverage. Where there are too few rows for a rank, the outermost residual stands in. An end that is at a
    usual value for some prediction of the bin, `least` to `most`, is at it for all: of coarse predictions many are
    alike, and beside it all rows with it would be missed."""
    half = (1 - np.array(COVERAGES)) / 2
    low, high = np.quantile(residual, [half, 1 - half], method="weibull")
    for value in np.unique(usual):
        low = np.where((low >= value - most) & (low <= value - least), value - most, low)
        high = np.where((high >= value - most) & (high <= value - least), value - least, high)
    return tuple(low.tolist()), tuple(high.tolist())
