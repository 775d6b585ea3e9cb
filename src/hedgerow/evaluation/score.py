"""A score that says how sure it is.   In: Measured, of the model and of the baseline.   Out: Score."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.evaluation.interval import interval, quantile
from hedgerow.evaluation.measure import Measured, error_of
from hedgerow.evaluation.metrics import Metric


@dataclass(frozen=True)
class Score:
    name: str
    title: str
    value: float
    low: float
    high: float
    std_error: float
    level: float
    baseline: float
    difference: float  # from the baseline, positive = better, with the ends of its interval
    difference_low: float
    difference_high: float
    higher_is_better: bool
    missing: str = ""  # why there is no value

    @property
    def beats_baseline(self) -> bool:
        """Surely: the interval of the difference lies above zero."""
        return self.difference_low > 0

    def to_dict(self) -> dict[str, Any]:
        def plain(value: Any) -> Any:
            return None if isinstance(value, float) and not np.isfinite(value) else value

        return {name: plain(value) for name, value in self.__dict__.items()} | {
            "beats_baseline": self.beats_baseline
        }


def score_of(
    name: str, metric: Metric, found: Measured | str, baseline: Measured | str, level: float
) -> Score:
    nothing = float("nan")
    base = baseline.value if isinstance(baseline, Measured) else nothing
    if isinstance(found, str):
        return Score(
            name, metric.title, nothing, nothing, nothing, nothing, level, base, nothing, nothing, nothing,
            metric.higher_is_better, found,
        )  # fmt: skip
    low, high = interval(found, metric.scale, level)
    difference = _difference(metric, found, baseline, level)
    return Score(
        name, metric.title, found.value, low, high, found.std_error, level, base, *difference,
        metric.higher_is_better,
    )  # fmt: skip


def _difference(
    metric: Metric, found: Measured, baseline: Measured | str, level: float
) -> tuple[float, float, float]:
    """Paired: on the same rows, so that what both find hard cancels."""
    if isinstance(baseline, str) or baseline.moves.shape != found.moves.shape:
        return float("nan"), float("nan"), float("nan")
    sign = 1.0 if metric.higher_is_better else -1.0
    better = sign * (found.value - baseline.value)
    n_units = found.moves.shape[1]
    error = error_of(found.moves - baseline.moves, found.overlap)
    half = quantile(level, n_units) * error if n_units > 1 else float("nan")
    return better, better - half, better + half
