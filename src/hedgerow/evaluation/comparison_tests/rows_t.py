"""rows_t: the difference, row by row, with what rows and models of a cross-validation have to do with each other.

Each row was tested by both models, so the spread of the rows' differences says how sure the mean difference is, with as
many degrees of freedom as there are rows; ten folds alone would have nine. Three things make it less sure:

    other training rows would have given other models: EXTRA is added, which is what equal trees need in simulations
    folds act on each other through the models: what is seen of it (overlap.py) is added, at most once the variance
    models that change a lot with their training rows differ more from split to split than rows explain: then the
    spread of the splits counts, with its few degrees of freedom (Satterthwaite's rule)

docs/statistics.md: equal models are called different in at most 5 %.
"""

import numpy as np
from scipy.stats import t as student

from hedgerow.evaluation.comparison_tests.pair import Apart, Outcome, Pair
from hedgerow.evaluation.comparison_tests.student import nothing_to_say, students

title = "corrected t-test over rows"
design = "folds"
scores: tuple[str, ...] = ()
EXTRA = 0.6
BY_CHANCE = 0.3  # what folds and splits seem to add, by chance alone, to models that hardly change


def compare(pair: Pair) -> Outcome:
    apart = pair.apart
    if apart is None or apart.free < 1:
        return nothing_to_say(float("nan") if apart is None else apart.value)
    return students(apart.value, *error_of(apart), pair.level)


def error_of(apart: Apart) -> tuple[float, float]:
    """The standard error of the difference, and its degrees of freedom."""
    largest = max(apart.variance, apart.of_splits)
    if largest == 0:
        return 0.0, apart.free
    rows = apart.variance / largest
    more = max(0.0, apart.of_splits - apart.variance) / largest
    seen = min(max(0.0, apart.mutual) / largest, rows)
    free = (rows + more) ** 2 / (rows**2 / apart.free + more**2 / apart.splits_free)
    return float(np.sqrt(largest) * np.sqrt((1 + EXTRA) * (rows + more) + seen)), free


def power(n_rows: int, only_first: float, only_second: float, level: float = 0.95) -> float:
    """How often a difference in accuracy is found, if these shares of the rows are right for one model only and the
    models hardly change with their training rows. About: docs/statistics.md has what is found."""
    gap = only_first - only_second
    spread = only_first + only_second - gap**2
    if not (n_rows >= 2 and min(only_first, only_second) >= 0 and 0 < only_first + only_second <= 1):
        raise ValueError(
            f"{only_first!r} and {only_second!r} must be shares of the {n_rows} rows, not both nil."
        )
    if spread == 0:
        return 1.0
    away = abs(gap) / np.sqrt(spread / n_rows)
    far = student.ppf((1 + level) / 2, n_rows - 1) * np.sqrt(1 + EXTRA + BY_CHANCE)
    return float(student.sf(far - away, n_rows - 1) + student.cdf(-far - away, n_rows - 1))
