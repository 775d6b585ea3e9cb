"""A metric over the splits.   In: FoldResults, Data, Splits, a metric.   Out: an Estimate: its value and the
contribution of each row, from which the standard error comes (the delta method).

All rows of a repeat are scored together, and repeats averaged; metrics that rank rows are computed fold by fold and
averaged by the weights of the folds. The contribution of a row is its influence times its normalized weight: the error
of the estimate is about the sum of the contributions, so their squares give its variance. A row tested in several
repeats counts once, as a mean; so does a group, as a sum.

For folds the interval is that of the models fitted in them: of the mean of their scores on new rows, as that of a
hold-out is of the one model that was tested. Rows are not only tested, they train the models of the other folds too, so
the variance is larger than that of independent rows (overlap.py). Where folds differ by more than their rows explain,
the models themselves differ, and what the spread of the folds exceeds is added too: a learner that scores .50 in one
fold and .75 in the next is not known to a hundredth. docs/statistics.md has the figures.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import chdtri
from sklearn import config_context

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import ByFold, Metric, Proportions
from hedgerow.evaluation.overlap import variance_inflation
from hedgerow.evaluation.predictions import ScoringData, concat_scoring_data, make_scoring_data
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Count, Float

MIN_DOF = 4.0  # fewer double the width of intervals of skewed errors and cover no more
SPREAD_LEVEL = 0.95  # folds differ by more than their rows explain: a spread that chance exceeds in 5 %

TestRows = tuple[Count, ScoringData]  # of one fold: row numbers, and their scoring data


@dataclass(frozen=True, eq=False)
class Estimate:
    value: float
    contributions: Float  # repeats x units; a unit is a row, or a group
    n_effective: float  # the effective sample size: rows that could have made a difference
    proportions: tuple[
        tuple[float, float], ...
    ]  # of a mean of proportions: each, with its effective sample size
    iid_error: float  # the standard error if the rows were independent
    inflation: float  # of the variance, through the overlap of training sets: overlap.py
    excess: float = 0.0  # what the spread of the folds adds to the variance
    excess_dof: float = 1.0

    @property
    def n_units(self) -> float:
        """Rows or groups that count; where a class is rare, its rows."""
        return min(float(self.contributions.shape[1]), self.n_effective)

    @property
    def std_error(self) -> float:
        correction = _bessel(self.n_units) / _bessel(self.contributions.shape[1])
        error = standard_error_of(self.contributions, self.inflation) * np.sqrt(correction)
        return float(np.hypot(error, np.sqrt(self.excess)))

    @property
    def design_effect(self) -> float:
        """The variance, as a multiple of that of as many independent rows. The mean of repeats has at least the share
        of one of them: an alarm that is right in one and wrong in the other leaves no variance, but is not certain."""
        if self.iid_error == 0:
            return 1 + self.inflation
        error = np.hypot(standard_error_of(self.contributions, self.inflation), np.sqrt(self.excess))
        return max(float((error / self.iid_error) ** 2), 1 / len(self.contributions))

    @property
    def skewness(self) -> float:
        """Of the estimate."""
        unit = _unit_vector(self.contributions)
        return float(np.sum(unit**3)) if len(unit) else 0.0

    def dof(self, tail: float = 0.0, least: float = MIN_DOF) -> float:
        """Degrees of freedom of the variance: 2n / (kurtosis - 1), which is n for normal contributions. Few rows show
        too little of a heavy tail: `tail` stretches the kurtosis they show. `least`: however heavy it is."""
        unit, n = _unit_vector(self.contributions), len(self.contributions[0])
        if len(unit) < 3:
            return self.with_excess(n - 1.0)
        kurtosis = n * float(np.sum(unit**4))
        stretched = kurtosis * (1 + tail * kurtosis / n)
        return self.with_excess(min(max(least, 2 * n / max(stretched - 1, 1e-12)), n - 1.0))

    def with_excess(self, rows_dof: float) -> float:
        """Degrees of freedom of both parts of the variance together (Satterthwaite's rule)."""
        rows_dof, rows = max(1.0, rows_dof), standard_error_of(self.contributions, self.inflation) ** 2
        if self.excess == 0:
            return rows_dof
        share = rows / (rows + self.excess)
        return 1 / (share**2 / rows_dof + (1 - share) ** 2 / self.excess_dof)


def _unit_vector(contributions: Float) -> Float:
    """The mean of the repeats, of length one; empty where it is zero."""
    mean: Float = contributions.mean(axis=0)
    largest = float(np.abs(mean).max(initial=0.0))
    if largest == 0:
        return mean[:0]
    mean = mean / largest
    return np.asarray(mean / np.sqrt(np.sum(mean**2)))


def standard_error_of(contributions: Float, inflation: float) -> float:
    """The standard error of the sum of contributions (repeats x units)."""
    largest = float(np.abs(contributions).max(initial=0.0))
    if largest == 0:
        return 0.0
    contributions = contributions / largest  # squares of very large or very small numbers would overflow
    variance = float(np.sum(contributions.mean(axis=0) ** 2)) * (1 + inflation)
    return largest * float(np.sqrt(variance * _bessel(contributions.shape[1])))


def _bessel(n: float) -> float:
    """Bessel's correction."""
    return n / (n - 1) if n > 1 else 1.0


def estimate_metric(
    metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits
) -> Estimate | str:
    """Or why there is no such score."""
    with config_context(skip_parameter_validation=True, assume_finite=True):  # checked in make_data
        return _estimate(metric, results, data, splits)


def metric_by_split(metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits) -> Float:
    """The metric of each split alone; NaN where it is not defined."""
    with config_context(skip_parameter_validation=True, assume_finite=True):
        return np.array(
            [
                np.nan
                if result.predictions is None or getattr(result.predictions, metric.needs) is None
                else metric.value(make_scoring_data(data, part.test, result.predictions))
                for result, part in zip(results, splits.parts, strict=True)
            ]
        )


def missing_method(needs: str) -> str:
    """The method that a model lacks if its Predictions have no `needs`."""
    return "predict_proba" if needs == "proba" else "predict_proba or decision_function"


def _estimate(metric: Metric, results: tuple[FoldResult, ...], data: Data, splits: Splits) -> Estimate | str:
    given = [result.predictions for result in results if result.predictions is not None]
    if not given:
        return results[0].failure
    if any(getattr(predictions, metric.needs) is None for predictions in given):
        return f"the model has no {missing_method(metric.needs)}"
    folds: list[list[TestRows]] = [[] for _ in range(splits.repeats)]
    for part, result in zip(splits.parts, results, strict=True):
        if result.predictions is not None:
            scored = make_scoring_data(data, part.test, result.predictions)
            folds[part.repeat].append((part.test, scored))
    repeats = [found for one in folds if (found := _estimate_repeat(metric, one, data)) is not None]
    if not repeats:
        if data.classes is None:
            return "it means nothing here: the target of the test rows does not vary"
        return "it means nothing here: no split has test rows of two classes"
    contributions = np.array([one.contributions for one in repeats])
    by_unit = _sum_by_unit(contributions, data, splits)
    return Estimate(
        float(np.mean([one.value for one in repeats])),
        by_unit,
        max(one.n_effective for one in repeats),
        repeats[0].proportions,
        standard_error_of(contributions[:1], 0.0),
        variance_inflation(metric, results, data, splits, standard_error_of(by_unit, 0.0)),
        *_excess_spread(repeats, by_unit),
    )


def _excess_spread(repeats: "list[_Repeat]", by_unit: Float) -> tuple[float, float]:
    """What the spread of the folds adds to the variance of the mean, and its degrees of freedom: nothing unless it is
    more than chance explains."""
    n_folds = min(len(one.by_fold) for one in repeats)
    if n_folds < 3:
        return 0.0, 1.0
    spread = float(np.mean([one.by_fold.var(ddof=1) / len(one.by_fold) for one in repeats]))
    expected = float(np.mean([standard_error_of(line[None], 0.0) ** 2 for line in by_unit]))
    dof = n_folds - 1
    by_chance = expected * float(chdtri(dof, 1 - SPREAD_LEVEL)) / dof
    return (spread - expected if spread > by_chance else 0.0), float(dof)


@dataclass(frozen=True, eq=False)
class _Repeat:
    value: float
    contributions: Float  # of all rows of the data
    by_fold: Float  # the metric of each fold
    n_effective: float
    proportions: tuple[tuple[float, float], ...]


def _estimate_repeat(metric: Metric, folds: list[TestRows], data: Data) -> _Repeat | None:
    """None where the metric is not defined."""
    if not folds:
        return None
    pooled = concat_scoring_data([scored for _, scored in folds])
    if isinstance(metric, ByFold):
        found = _average_folds(metric, folds, data)
    else:
        found = _pool_folds(metric, folds, pooled, data)
    if found is None:
        return None
    proportions = tuple(metric.proportions(pooled)) if isinstance(metric, Proportions) else ()
    return _Repeat(*found, metric.n_effective(pooled), proportions)


def _pool_folds(
    metric: Metric, folds: list[TestRows], pooled: ScoringData, data: Data
) -> tuple[float, Float, Float] | None:
    """The metric of all rows together, the contribution of each, and the metric of each fold (to first order)."""
    value = metric.value(pooled)
    if np.isnan(value):
        return None
    each = pooled.normalized_weight * metric.influence(pooled)
    fold = np.repeat(np.arange(len(folds)), [len(rows) for rows, _ in folds])
    weight = np.bincount(fold, pooled.normalized_weight)
    by_fold = np.bincount(fold, each)[weight > 0] / weight[weight > 0]
    contributions = np.zeros(data.n_rows)
    contributions[np.concatenate([rows for rows, _ in folds])] += each
    return value, contributions, value + by_fold


def _average_folds(metric: ByFold, folds: list[TestRows], data: Data) -> tuple[float, Float, Float] | None:
    """The mean of the folds by their weights. A fold whose rows gain weight gains weight itself."""
    assert isinstance(metric, Metric)
    weights = np.array([metric.fold_weight(scored) for _, scored in folds])
    total = weights.sum()
    if total == 0:
        return None
    used = [(*fold, w) for fold, w in zip(folds, weights / total, strict=True) if w > 0]
    values = [metric.value(scored) for _, scored, _ in used]
    if np.isnan(values).any():
        return None
    mean = float(sum(w * value for (_, _, w), value in zip(used, values, strict=True)))
    contributions = np.zeros(data.n_rows)
    for (rows, scored, w), value in zip(used, values, strict=True):
        contributions[rows] += w * scored.normalized_weight * metric.influence(scored)
        contributions[rows] += scored.weight * metric.fold_weight_influence(scored) * (value - mean) / total
    return mean, contributions, np.array(values)


def _sum_by_unit(contributions: Float, data: Data, splits: Splits) -> Float:
    """Contributions of the tested rows, or summed over the groups."""
    tested = np.zeros(data.n_rows, bool)
    for part in splits.parts:
        tested[part.test] = True
    if data.groups is None:
        return contributions[:, tested]
    units = np.unique(data.groups[tested], return_inverse=True)[1]
    return np.array([np.bincount(units, one[tested]) for one in contributions])
