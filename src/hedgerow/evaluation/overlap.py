"""The covariance between the folds of a cross-validation.   In: what the models of the folds predict for each other's
training rows.   Out: the inflation of the variance: what is added to the variance of independent rows, as a share.

The rows of fold f are tested, and they train the models that test fold g; the rows of g train the model that tests f.
If both act in the same direction (rows that by chance favour one split of a tree are tested on trees that chose it
because of them), the errors of different folds are correlated, and a variance from independent rows is too small. How
fold g acts on fold f can be measured: let all models but the one without f predict the rows of f, and see how the
scores of the one without g differ from their mean. The products of the two directions, summed over all pairs of folds,
estimate the missing covariance; the noise of the two directions is independent, so it cancels.

MIN_INFLATION and COVARIANCE_FACTOR were chosen by simulation and validated on other models and populations:
docs/statistics.md.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import Losses, Metric, Proportions
from hedgerow.evaluation.predictions import ScoringData, make_scoring_data
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

MIN_INFLATION = 0.15  # models that memorize their training rows show no covariance, and need this
COVARIANCE_FACTOR = 1.25
MAX_COVARIANCE = 1.0  # of what is measured; it is a noisy number
DEFAULT_INFLATION = 0.3  # where it cannot be measured: the middle of what simulations found
MIN_FOLDS = 4
MAX_ROWS = 1000  # that are predicted by all models


def overlap_rows(data: Data, splits: Splits) -> Count | None:
    """The rows that the models of all folds predict; None where the covariance cannot be measured."""
    if splits.kind != "folds" or splits.folds < MIN_FOLDS:
        return None
    if data.n_rows <= MAX_ROWS:
        return np.arange(data.n_rows)
    return np.sort(np.random.default_rng(0).permutation(data.n_rows)[:MAX_ROWS])


def variance_inflation(
    metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits, iid_error: float
) -> float:
    """Zero for a single split."""
    if splits.is_hold_out:
        return 0.0
    repeats = cross_fold_scores(metric, results, data, splits)
    if not repeats or iid_error == 0:
        return DEFAULT_INFLATION
    covariances = [fold_covariance(one.contributions / iid_error, one.fold) for one in repeats]
    return MIN_INFLATION + float(np.clip(COVARIANCE_FACTOR * np.mean(covariances), 0.0, MAX_COVARIANCE))


@dataclass(frozen=True, eq=False)
class CrossFoldScores:
    """One repeat: the contribution of each row to the metric of all overlap rows, under the model of each fold."""

    contributions: Float  # models x rows
    fold: Count  # of each row


def cross_fold_scores(
    metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits
) -> tuple[CrossFoldScores, ...]:
    """One a repeat; empty where a model failed or the metric is not defined."""
    rows = overlap_rows(data, splits)
    if rows is None:
        return ()
    found = [_contributions(metric, result, data, rows) for result in results]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return ()
    repeats = []
    for repeat in range(splits.repeats):
        members = [k for k, part in enumerate(splits.parts) if part.repeat == repeat]
        fold = np.full(data.n_rows, -1)
        for place, k in enumerate(members):
            fold[splits.parts[k].test] = place
        repeats.append(CrossFoldScores(np.array([known[k] for k in members]), fold[rows]))
    return tuple(repeats)


def _contributions(metric: Metric, result: FoldResult, data: Data, rows: Count) -> Float | None:
    predictions = result.overlap_predictions
    if predictions is None or getattr(predictions, metric.needs) is None:
        return None
    scored = make_scoring_data(data, rows, predictions)
    value = _fast_value(metric, scored)
    return None if np.isnan(value) else scored.normalized_weight * (value + metric.influence(scored))


def _fast_value(metric: Metric, scored: ScoringData) -> float:
    """The metric, without scikit-learn's checks where it is a mean: it is needed often."""
    if isinstance(metric, Proportions):
        return float(np.mean([proportion for proportion, _ in metric.proportions(scored)]))
    if isinstance(metric, Losses):
        return float(metric.losses(scored) @ scored.normalized_weight)
    return metric.value(scored)


def fold_covariance(contributions: Float, fold: Count) -> float:
    """The sum over all pairs of folds of (effect of g on f) x (effect of f on g)."""
    n = len(contributions)
    score = np.array(
        [np.bincount(fold, one, minlength=n) for one in contributions]
    ).T  # fold f, model without g
    np.fill_diagonal(score, 0.0)
    effect = score - score.sum(axis=1, keepdims=True) / (n - 1)
    np.fill_diagonal(effect, 0.0)
    return float(np.sum(effect * effect.T))
