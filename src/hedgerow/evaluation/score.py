"""A score with its confidence interval.   In: an Estimate of the model and one of the baseline.   Out: a Score.

Intervals by the scale of the metric:

    proportion   a mean of proportions: Wilson's interval for each, combined by Zou and Donner's rule (2008)
    share        0 to 1, of ranked rows or a ratio: Wilson's, with the sample size that would give this standard error;
                 where the error is nil (all right, or all wrong) with the effective sample size
    positive     a mean loss: on the scale of the logarithm, corrected for the skewness that remains (Johnson 1978)
    root         the root of a mean squared error, which few rows may show too small but hardly too large: the upper
                 end allows for a heavier tail than the lower one
    below_one    1 - value on the scale of the logarithm

Quantiles are Student's. A variance estimated from rows of which a few dominate is itself uncertain, so its degrees of
freedom come from the kurtosis of the contributions. docs/statistics.md has what was tried and how often each covers.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from scipy.special import stdtrit

from hedgerow.display.numbers import json_ready
from hedgerow.errors import out_of_range
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import Estimate, estimate_metric, standard_error_of
from hedgerow.evaluation.fold import FoldResult, baseline_results
from hedgerow.evaluation.metric import Metric, best_constant, metrics
from hedgerow.evaluation.splits import Splits

MAX_SKEWNESS = 0.6  # of the estimate; beyond it the expansion is not to be trusted
TAIL = 4.0  # squared errors of numbers have no bound, so few rows may not have met the large ones yet
TAIL_BELOW, TAIL_ABOVE, MIN_DOF_ABOVE = 1.0, 12.0, 3.0  # of the two ends of a root mean squared error


@dataclass(frozen=True)
class Score:
    name: str
    title: str
    value: float
    low: float
    high: float
    std_error: float
    confidence_level: float
    baseline: float
    difference: float  # from the baseline, positive = better, with the ends of its interval
    difference_low: float
    difference_high: float
    higher_is_better: bool
    missing: str = ""  # why there is no value

    @property
    def beats_baseline(self) -> bool:
        """The whole interval of the difference lies above zero."""
        return self.difference_low > 0

    def to_dict(self) -> dict[str, Any]:
        return json_ready(self.__dict__ | {"beats_baseline": self.beats_baseline})  # type: ignore[no-any-return]


def compute_scores(
    names: Sequence[str],
    results: tuple[FoldResult, ...],
    data: Data,
    splits: Splits,
    confidence_level: float,
) -> tuple[Score, ...]:
    """Each with that of the baseline, which is the best constant for the metric."""
    known = metrics()
    constants = {best_constant(known[name]): known[name] for name in names}
    baselines = {of: baseline_results(data, splits, results, metric) for of, metric in constants.items()}
    return tuple(
        make_score(
            name,
            known[name],
            estimate_metric(known[name], results, data, splits),
            estimate_metric(known[name], baselines[best_constant(known[name])], data, splits),
            confidence_level,
        )
        for name in names
    )


def make_score(
    name: str, metric: Metric, found: Estimate | str, baseline: Estimate | str, confidence_level: float
) -> Score:
    nan = float("nan")
    base = baseline.value if isinstance(baseline, Estimate) else nan
    if isinstance(found, str):
        return Score(
            name, metric.title, nan, nan, nan, nan, confidence_level, base, nan, nan, nan, metric.higher_is_better,
            found,
        )  # fmt: skip
    low, high = score_interval(found, metric.scale, confidence_level)
    difference = _difference(metric, found, baseline, confidence_level)
    return Score(
        name, metric.title, found.value, low, high, found.std_error, confidence_level, base, *difference,
        metric.higher_is_better,
    )  # fmt: skip


def _difference(
    metric: Metric, found: Estimate, baseline: Estimate | str, confidence_level: float
) -> tuple[float, float, float]:
    """Paired: on the same rows, so that what both find hard cancels."""
    if isinstance(baseline, str) or baseline.contributions.shape != found.contributions.shape:
        return float("nan"), float("nan"), float("nan")
    sign = 1.0 if metric.higher_is_better else -1.0
    better = sign * (found.value - baseline.value)
    n_units = found.contributions.shape[1]
    error = standard_error_of(found.contributions - baseline.contributions, found.inflation)
    error = float(np.hypot(error, np.sqrt(found.excess)))
    dof = found.with_excess(n_units - 1)
    half = _quantile(confidence_level, dof) * error if n_units > 1 else float("nan")
    return better, better - half, better + half


def score_interval(found: Estimate, scale: str, confidence_level: float = 0.95) -> tuple[float, float]:
    """NaN twice where nothing is known."""
    if scale == "proportion":
        return _of_proportions(found, confidence_level)
    if scale == "share":
        return _of_share(found, confidence_level)
    if found.n_units < 2:
        return np.nan, np.nan
    if scale == "root":
        square, error = found.value**2, 2 * found.value * found.std_error
        below, above = found.dof(TAIL_BELOW), found.dof(TAIL_ABOVE, MIN_DOF_ABOVE)
        low, _ = _of_loss(square, error, _quantile(confidence_level, below), found.skewness)
        _, high = _of_loss(square, error, _quantile(confidence_level, above), found.skewness)
        return float(np.sqrt(low)), float(np.sqrt(high))
    z = _quantile(confidence_level, found.dof(TAIL if scale == "below_one" else 0.0))
    if scale == "below_one":
        low, high = _of_loss(1 - found.value, found.std_error, z, None)
        return 1 - high, 1 - low
    return _of_loss(found.value, found.std_error, z, found.skewness)


def _of_proportions(found: Estimate, confidence_level: float) -> tuple[float, float]:
    """low = value - root of the sum of the squared distances to the lower ends; high likewise."""
    z = _quantile(confidence_level, found.with_excess(found.contributions.shape[1] - 1))
    ends = [(p, *wilson_interval(p, n / found.design_effect, z)) for p, n in found.proportions]
    down = float(np.sqrt(sum((p - low) ** 2 for p, low, _ in ends))) / len(ends)
    up = float(np.sqrt(sum((high - p) ** 2 for p, _, high in ends))) / len(ends)
    return max(0.0, found.value - down), min(1.0, found.value + up)


def _of_share(found: Estimate, confidence_level: float) -> tuple[float, float]:
    dof = max(1.0, min(found.dof(), found.n_units - 1))
    z = _quantile(confidence_level, dof)
    value, error = found.value, found.std_error
    if error <= 0 or not 0 < value < 1:
        return wilson_interval(value, found.n_effective / found.design_effect, z)
    return wilson_interval(value, value * (1 - value) / error**2, z)


def _of_loss(value: float, error: float, z: float, skewness: float | None) -> tuple[float, float]:
    if value <= 0:
        return 0.0, 0.0
    ratio = error / value
    shift = 0.0
    if skewness is not None:  # what the mean needs, less what the logarithm has done already
        skewness = float(np.clip(skewness, -MAX_SKEWNESS, MAX_SKEWNESS))
        shift = (2 * z * z + 1) / 6 * skewness * ratio - (z * ratio) ** 2 / 2
        shift = float(np.clip(shift, -z * ratio / 2, z * ratio / 2))  # few rows: the value stays well inside
    return value * float(np.exp(shift - z * ratio)), value * float(np.exp(shift + z * ratio))


def t_quantile(confidence_level: float, n_units: float) -> float:
    """Of Student's distribution, two-sided."""
    return _quantile(confidence_level, max(1, n_units - 1))


def _quantile(confidence_level: float, dof: float) -> float:
    return float(stdtrit(dof, (1 + confidence_level) / 2))


def wilson_interval(proportion: float, n: float, z: float) -> tuple[float, float]:
    """Wilson (1927): the proportions that a test with this one would not reject."""
    if n <= 0:
        return 0.0, 1.0
    middle = (proportion + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * float(np.sqrt(proportion * (1 - proportion) / n + z * z / (4 * n * n)))
    low = 0.0 if proportion <= 0 else max(0.0, middle - half)
    return low, 1.0 if proportion >= 1 else min(1.0, middle + half)


def check_confidence_level(confidence_level: float) -> None:
    if not isinstance(confidence_level, Real) or not 0.5 <= confidence_level < 1:
        raise out_of_range("confidence_level", confidence_level, "such as 0.95")
