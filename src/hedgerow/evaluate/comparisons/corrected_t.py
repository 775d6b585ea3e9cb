"""corrected_t: the corrected resampled t-test (Nadeau and Bengio 2003).

Differences of the splits are not independent: training sets overlap. Their mean gets the variance
(1 / splits + overlap) x variance of the differences, instead of 1 / splits alone. Nadeau and Bengio's overlap is test
rows / training rows, a guess that is too small for trees; `compare` takes half again as much, and the degrees of
freedom of one repeat, so that equal trees are not told apart too often (docs/statistics.md).
"""

import numpy as np
from scipy.stats import t as student

from hedgerow.evaluate.comparisons.pair import Outcome, Pair

title = "corrected resampled t-test"
design = "folds"
scores: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    d = pair.differences
    n = len(d)
    mean = float(d.mean()) if n else float("nan")
    if n < 2:
        return Outcome(mean, float("nan"), float("nan"), float("nan"), float("nan"))
    error = standard_error(pair)
    half = float(student.ppf((1 + pair.level) / 2, pair.free)) * error
    if error == 0:
        return Outcome(mean, mean, mean, float("nan"), 1.0 if mean == 0 else 0.0)
    statistic = mean / error
    return Outcome(
        mean, mean - half, mean + half, statistic, float(2 * student.sf(abs(statistic), pair.free))
    )


def standard_error(pair: Pair) -> float:
    """Of the mean difference."""
    d = pair.differences
    spread = float(d.var(ddof=1))
    return float(np.sqrt((1 / len(d) + pair.overlap) * spread)) if spread > 1e-30 else 0.0
