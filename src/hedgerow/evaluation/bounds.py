"""Bounds of the lectures: what is sure whatever the data.   In: counts, errors, margins.   Out: a number.

Bounds hold for every distribution, so they are wide; the intervals of scores (score.py) are tighter.
`confidence_level` is the probability with which a bound holds, such as 0.95.
"""

from collections.abc import Sequence

import numpy as np
from scipy.special import betaincinv

from hedgerow.svm.certificate import margin_bound


def boosting_training_error(errors: Sequence[float]) -> float:
    """Of AdaBoost after rounds with these weighted errors: product of 2 sqrt(e (1 - e)) (Freund and Schapire 1997)."""
    e = _shares("errors", errors)
    return float(np.prod(2 * np.sqrt(e * (1 - e))))


def margin_error(radius: float, margin: float, n_rows: int, confidence_level: float = 0.95) -> float:
    """Of a hard-margin separator of rows within `radius` of the origin: sqrt(4 (radius / margin)^2 / n) +
    sqrt(2 log(2 / delta) / n). The dimension does not matter. At most 1."""
    _positive("radius", radius)
    _positive("margin", margin)
    n, delta = _rows(n_rows), _delta(confidence_level)
    return margin_bound(radius, margin, n, delta)


def vc_gap(dimension: int, n_rows: int, confidence_level: float = 0.95) -> float:
    """How far the true error may lie above the training error, for all members of a family of this VC dimension at
    once: sqrt((d (log(2n / d) + 1) + log(4 / delta)) / n) (Vapnik 1995). At most 1."""
    n, delta = _rows(n_rows), _delta(confidence_level)
    if dimension < 1:
        raise ValueError(f"dimension={dimension!r} is out of range. Give a whole number of at least 1.")
    d = min(dimension, n)  # no family does worse than one that memorizes every row
    return min(1.0, float(np.sqrt((d * (np.log(2 * n / d) + 1) + np.log(4 / delta)) / n)))


def hoeffding(n_rows: int, confidence_level: float = 0.95) -> float:
    """Half the width of the interval around an error rate on held-out rows: sqrt(log(2 / delta) / 2n)."""
    return float(np.sqrt(np.log(2 / _delta(confidence_level)) / (2 * _rows(n_rows))))


def hold_out_interval(n_wrong: int, n_rows: int, confidence_level: float = 0.95) -> tuple[float, float]:
    """Of the error rate, from the binomial distribution itself (Clopper and Pearson 1934): never too narrow."""
    n, delta = _rows(n_rows), _delta(confidence_level)
    if not 0 <= n_wrong <= n:
        raise ValueError(f"n_wrong={n_wrong!r} is out of range. Give 0 to {n}.")
    low = 0.0 if n_wrong == 0 else float(betaincinv(n_wrong, n - n_wrong + 1, delta / 2))
    high = 1.0 if n_wrong == n else float(betaincinv(n_wrong + 1, n - n_wrong, 1 - delta / 2))
    return low, high


def majority_vote_error(n_members: int, error: float) -> float:
    """Error of the majority of independent members that each err so often; an even split counts half.

    See Also
    --------
    hedgerow.WeightedVotingClassifier : Votes with learned weights.

    Examples
    --------
    >>> from hedgerow.formulas import majority_vote_error
    >>> round(majority_vote_error(3, 0.3), 3)
    0.216
    """
    from scipy.stats import binom  # slow to load, and studies do not need it

    n = _rows(n_members)
    e = float(_shares("error", [error])[0])
    tie = float(binom.pmf(n // 2, n, e)) / 2 if n % 2 == 0 else 0.0
    return float(binom.sf(n // 2, n, e)) + tie


def _shares(name: str, given: Sequence[float]) -> np.ndarray:
    found = np.asarray(given, np.float64)
    if not np.all((found >= 0) & (found <= 1)):
        raise ValueError(f"{name}={given!r} must hold error rates from 0 to 1.")
    return found


def _rows(n: int) -> int:
    if not n >= 1 or n != int(n):
        raise ValueError(f"{n!r} is no count. Give a whole number of at least 1.")
    return int(n)


def _delta(confidence_level: float) -> float:
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level={confidence_level!r} is out of range. Give such as 0.95.")
    return 1 - confidence_level


def _positive(name: str, given: float) -> None:
    if not (np.isfinite(given) and given > 0):
        raise ValueError(f"{name}={given!r} is out of range. Give a number above 0.")
