"""Is a model better than guessing?   In: its fold results, those of the baseline.   Out: an Outcome.

Where nothing in a table predicts the target, no model of any training rows beats the baseline: how much models change
with their training rows, which tests of two models allow for, plays no part. So the question has a test of its own:

    H0      the targets of the test rows of a fold may be permuted: they have nothing to do with the predictions
    z       the sum over rows of (probability of the row's class - what permuted targets would get); of numbers, of
            products of ranks; in standard deviations under permutation, which are known exactly
    folds   rows that are tested in one fold train the models of the others: a product of two rows comes twice into the
            sum, once from each side, which at most doubles the variance; it is doubled

A loss would be the weaker test: predictions that are right more often than chance but a little too bold hardly gain in
it. Metrics of predicted classes (accuracy, F) ask whether these rows are right, not whether the probabilities are: for
them, and for a model that scores no better than the baseline, it is a t-test of the rows' differences.

docs/statistics.md says how often noise passes, and what is found on small tables.
"""

import numpy as np
from scipy.special import stdtr

from hedgerow.evaluation.comparison_test import Outcome, PairedDifference, t_outcome
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import Metric
from hedgerow.evaluation.predictions import ScoringData, make_scoring_data
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

FOLDS = 2.0  # variance of the sum over folds, as a multiple of that of independent folds: at most


def compare_with_guessing(
    metric: Metric,
    paired: PairedDifference,
    results: tuple[FoldResult, ...],
    data: Data,
    splits: Splits,
    confidence_level: float,
) -> Outcome:
    """`paired`: the model against the baseline. The p-value is two-sided."""
    factor = 1.0 if splits.is_hold_out else FOLDS
    judges_classes = data.classes is not None and metric.needs == "values"
    if judges_classes or paired.value <= 0:
        return t_outcome(paired.value, float(np.sqrt(factor * paired.variance)), paired.dof, confidence_level)
    z = association(results, data, splits, by_rank=metric.by_fold) / np.sqrt(factor)
    p_value = min(1.0, float(2 * stdtr(max(1, data.n_units - 1), -z)))
    return Outcome(paired.value, float("nan"), float("nan"), float(z), p_value)


def association(
    results: tuple[FoldResult, ...], data: Data, splits: Splits, *, by_rank: bool = False
) -> float:
    """Of predictions and targets within the folds, in standard deviations; repeats are averaged. `by_rank`: only the
    order of the rows counts, as in the area under the ROC curve."""
    total, variance = 0.0, 0.0
    for part, result in zip(splits.parts, results, strict=True):
        if result.predictions is None or len(part.test) < 2:
            continue
        rows = make_scoring_data(data, part.test, result.predictions)
        groups = None if data.groups is None else data.groups[part.test]
        found = _of_numbers(rows, groups) if data.classes is None else _of_classes(rows, groups, by_rank)
        total, variance = total + found[0], variance + found[1]
    return total / float(np.sqrt(variance * splits.repeats)) if variance > 0 else 0.0


def _of_numbers(rows: ScoringData, groups: Count | None) -> tuple[float, float]:
    predicted, truth = (_centre(_rank(values), rows.weight) for values in (rows.y_pred, rows.y_true))
    spread = rows.normalized_weight @ truth**2
    return _sum(predicted * truth, predicted**2 * spread, rows.weight, groups)


def _of_classes(rows: ScoringData, groups: Count | None, by_rank: bool = False) -> tuple[float, float]:
    """The probability of each row's class, less that of its row and its class on average."""
    given, n = rows.predictions, len(rows.y_true)
    if given.proba is not None and not by_rank:
        beliefs = given.proba
    elif given.decision is not None:
        beliefs = np.apply_along_axis(_rank, 0, given.decision)
    else:
        beliefs = (given.values[:, None] == np.arange(rows.n_classes)).astype(np.float64)
    share = np.bincount(rows.y_true, rows.weight, rows.n_classes) / rows.weight.sum()
    beliefs = _centre(beliefs, rows.weight)
    beliefs = beliefs - (beliefs @ share)[:, None]
    return _sum(beliefs[np.arange(n), rows.y_true], beliefs**2 @ share, rows.weight, groups)


def _rank(values: Float) -> Float:
    """From 1; equal values have the mean of their ranks."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


def _centre(values: Float, weight: Float) -> Float:
    return np.asarray(values - np.average(values, axis=0, weights=weight))


def _sum(each: Float, variances: Float, weight: Float, groups: Count | None) -> tuple[float, float]:
    """The weighted sum and its variance under permutation. Rows of a group may go together: then the variance between
    groups counts, where it is larger."""
    n, each = len(each), weight * each
    variance = float(weight**2 @ variances) * n / (n - 1)
    if groups is not None:
        variance = max(variance, float(np.sum(np.bincount(groups, each) ** 2)))
    return float(each.sum()), variance
