"""corrected_t: the corrected resampled t-test (Nadeau and Bengio 2003), as published.

Differences of the splits are not independent: training sets overlap. Their mean gets the variance
(1 / splits + test rows / training rows) x variance of the differences, instead of 1 / splits alone. What is added is a
guess that is too small for trees: equal ones are told apart too often (docs/statistics.md). rows_t is more careful.
"""

import numpy as np

from hedgerow.evaluation.comparison_tests.pair import Outcome, Pair
from hedgerow.evaluation.comparison_tests.student import nothing_to_say, students

title = "corrected resampled t-test"
design = "folds"
scores: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    d = pair.differences
    if len(d) < 2:
        return nothing_to_say(float(d.mean()) if len(d) else float("nan"))
    return students(float(d.mean()), standard_error(pair), len(d) - 1, pair.level)


def standard_error(pair: Pair) -> float:
    """Of the mean difference."""
    d = pair.differences
    spread = float(d.var(ddof=1))
    return float(np.sqrt((1 / len(d) + pair.overlap) * spread)) if spread > 1e-30 else 0.0
