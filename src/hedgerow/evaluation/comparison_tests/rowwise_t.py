"""rowwise_t: a t-test of the differences of the rows, corrected for the dependence within a cross-validation.

Each row was tested by both models, so the variance of the rows' differences gives the standard error of the mean
difference, with as many degrees of freedom as there are rows; ten folds alone would have nine. Three things add to it:

    other training rows would have given other models: EXTRA is added, which is what equal trees need in simulations
    folds are correlated through the models: the measured covariance (overlap.py) is added, at most once the variance
    models that change a lot with their training rows differ more from split to split than rows explain: then the
    variance of the splits counts, with its few degrees of freedom (Satterthwaite's rule)

docs/statistics.md: equal models are called different in at most 5 %.
"""

import numpy as np
from scipy.special import stdtr, stdtrit

from hedgerow.evaluation.comparison_test import FOLDS, Outcome, Pair, PairedDifference, t_outcome, undecided

title = "corrected t-test over rows"
design = FOLDS
metrics: tuple[str, ...] = ()
EXTRA = 0.6
BY_CHANCE = 0.3  # what folds and splits seem to add, by chance alone, to models that hardly change


def compare(pair: Pair) -> Outcome:
    paired = pair.paired
    if paired is None or paired.dof < 1:
        return undecided(float("nan") if paired is None else paired.value)
    return t_outcome(paired.value, *standard_error(paired), pair.confidence_level)


def standard_error(paired: PairedDifference) -> tuple[float, float]:
    """Of the difference, and its degrees of freedom."""
    largest = max(paired.variance, paired.splits_variance)
    if largest == 0:
        return 0.0, paired.dof
    rows = paired.variance / largest
    more = max(0.0, paired.splits_variance - paired.variance) / largest
    covariance = min(max(0.0, paired.fold_covariance) / largest, rows)
    dof = (rows + more) ** 2 / (rows**2 / paired.dof + more**2 / paired.splits_dof)
    return float(np.sqrt(largest) * np.sqrt((1 + EXTRA) * (rows + more) + covariance)), dof


def power(n_rows: int, only_first: float, only_second: float, confidence_level: float = 0.95) -> float:
    """How often a difference in accuracy is found, if these shares of the rows are right for one model only and the
    models hardly change with their training rows. Approximate: docs/statistics.md has what is found."""
    gap = only_first - only_second
    variance = only_first + only_second - gap**2
    if not (n_rows >= 2 and min(only_first, only_second) >= 0 and 0 < only_first + only_second <= 1):
        raise ValueError(
            f"{only_first!r} and {only_second!r} must be shares of the {n_rows} rows, not both nil."
        )
    if variance == 0:
        return 1.0
    shift = abs(gap) / np.sqrt(variance / n_rows)
    critical = stdtrit(n_rows - 1, (1 + confidence_level) / 2) * np.sqrt(1 + EXTRA + BY_CHANCE)
    return float(stdtr(n_rows - 1, shift - critical) + stdtr(n_rows - 1, -critical - shift))
