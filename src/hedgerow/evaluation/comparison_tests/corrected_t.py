"""corrected_t: the corrected resampled t-test (Nadeau and Bengio 2003), as published.

Differences of the splits are not independent: training sets overlap. Their mean gets the variance
(1 / splits + test rows / training rows) x variance of the differences, instead of 1 / splits alone. That correction is
too small for trees: equal ones are distinguished too often (docs/statistics.md). rowwise_t is more careful.
"""

import numpy as np

from hedgerow.evaluation.comparison_test import FOLDS, Outcome, Pair, t_outcome, undecided

title = "corrected resampled t-test"
design = FOLDS
metrics: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    d = pair.differences
    if len(d) < 2:
        return undecided(float(d.mean()) if len(d) else float("nan"))
    return t_outcome(float(d.mean()), standard_error(pair), len(d) - 1, pair.confidence_level)


def standard_error(pair: Pair) -> float:
    """Of the mean difference."""
    d = pair.differences
    variance = float(d.var(ddof=1))
    return float(np.sqrt((1 / len(d) + pair.test_train_ratio) * variance)) if variance > 1e-30 else 0.0
