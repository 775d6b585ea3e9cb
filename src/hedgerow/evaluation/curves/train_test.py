"""Scores of many fits on the same rows.   In: models, Splits.   Out: results on test and on training rows; the
correlation of their scores.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import ByFold, Metric, metrics
from hedgerow.evaluation.predictions import make_scoring_data
from hedgerow.evaluation.run import FoldResults, run_folds
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float


def run_train_test(
    models: Mapping[str, Any], data: Data, splits: Splits, *, n_jobs: int | None, show_progress: bool
) -> tuple[FoldResults, FoldResults]:
    """One fit a split, which predicts its test rows and its training rows."""
    both = tuple(replace(part, test=np.concatenate([part.test, part.train])) for part in splits.parts)
    results = run_folds(models, data, replace(splits, parts=both), n_jobs=n_jobs, show_progress=show_progress)
    places = [(np.arange(len(p.test)), len(p.test) + np.arange(len(p.train))) for p in splits.parts]
    test, train = (
        {
            name: tuple(_take(result, place[k]) for result, place in zip(found, places, strict=True))
            for name, found in results.items()
        }
        for k in (0, 1)
    )
    return test, train


def _take(result: FoldResult, rows: Count) -> FoldResult:
    predictions = result.predictions
    return result if predictions is None else replace(result, predictions=predictions.take(rows))


def train_score(scoring: str, train: tuple[FoldResult, ...], data: Data, splits: Splits) -> float:
    """The mean over the fits of the score on their own training rows."""
    metric = metrics()[scoring]
    found = [
        metric.value(make_scoring_data(data, part.train, result.predictions))
        for part, result in zip(splits.parts, train, strict=True)
        if result.predictions is not None and getattr(result.predictions, metric.needs) is not None
    ]
    return float(np.nanmean(found)) if found else float("nan")


def metric_contributions(
    metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits
) -> Float:
    """The contribution of each row (or group) to the metric, over all splits."""
    contributions = np.zeros(data.n_rows)
    for part, result in zip(splits.parts, results, strict=True):
        if result.predictions is None or getattr(result.predictions, metric.needs) is None:
            continue
        rows = make_scoring_data(data, part.test, result.predictions)
        if not isinstance(metric, ByFold) or metric.fold_weight(rows) > 0:
            contributions[part.test] += rows.weight * metric.influence(rows) / rows.weight.sum()
    if data.groups is None:
        return contributions
    return np.asarray(np.bincount(data.groups, contributions), np.float64)


def score_correlation(contributions: list[Float]) -> Float:
    """Of scores on the same rows: a row that is hard is hard for all fits. From the contributions of the rows; a score
    without any is correlated with no other."""
    lengths = np.array([float(np.sqrt(np.sum(one**2))) for one in contributions])
    units = np.array(contributions) / np.where(lengths > 0, lengths, 1.0)[:, None]
    found = np.asarray(units @ units.T)
    np.fill_diagonal(found, 1.0)
    return found
