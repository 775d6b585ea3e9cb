"""How sure a score is.   In: what was Measured, its scale.   Out: the ends of an interval.

    proportion   a mean of shares of rows: Wilson's interval for each, put together by Zou and Donner's rule (2008)
    share        0 to 1, of rows compared with each other: Wilson's, with as many rows as would give this error; where
                 the error is nil (all right, or all wrong) with the rows that could have made a difference
    positive     a mean loss: on the scale of the logarithm, moved for what is left of its skewness (Johnson 1978)
    root         the root of a mean loss
    below_one    1 - value on the scale of the logarithm

Quantiles are Student's. A variance found from rows of which a few count for most is itself unsure, so its degrees of
freedom come from the kurtosis of the pulls. docs/statistics.md says what was tried and how often each interval holds.
"""

import numpy as np
from scipy.stats import t as student

from hedgerow.evaluation.measure import Measured

MOST_SKEW = 0.6  # of the estimate; beyond it the expansion is no longer to be trusted
TAIL = 4.0  # squared errors of numbers have no bound, so few rows may not have met the large ones yet


def interval(found: Measured, scale: str, level: float = 0.95) -> tuple[float, float]:
    """NaN twice where nothing can be said."""
    if scale == "proportion":
        return _of_shares(found, level)
    if scale == "share":
        return _of_a_share(found, level)
    if found.n_units < 2:
        return np.nan, np.nan
    free = found.free(TAIL if scale in ("root", "below_one") else 0.0)
    z = float(student.ppf((1 + level) / 2, free))
    if scale == "root":
        low, high = _of_a_loss(found.value**2, 2 * found.value * found.std_error, z, found.skew)
        return float(np.sqrt(low)), float(np.sqrt(high))
    if scale == "below_one":
        low, high = _of_a_loss(1 - found.value, found.std_error, z, None)
        return 1 - high, 1 - low
    return _of_a_loss(found.value, found.std_error, z, found.skew)


def _of_shares(found: Measured, level: float) -> tuple[float, float]:
    """low = value - root of the sum of the squared ways down, of each share; high likewise."""
    z = quantile(level, found.moves.shape[1])
    ends = [(share, *wilson(share, rows / found.design, z)) for share, rows in found.parts]
    down = float(np.sqrt(sum((share - low) ** 2 for share, low, _ in ends))) / len(ends)
    up = float(np.sqrt(sum((high - share) ** 2 for share, _, high in ends))) / len(ends)
    return max(0.0, found.value - down), min(1.0, found.value + up)


def _of_a_share(found: Measured, level: float) -> tuple[float, float]:
    z = float(student.ppf((1 + level) / 2, max(1.0, min(found.free(), found.n_units - 1))))
    value, error = found.value, found.std_error
    rows = (
        found.rests_on / found.design if error <= 0 or not 0 < value < 1 else value * (1 - value) / error**2
    )
    return wilson(value, rows, z)


def _of_a_loss(value: float, error: float, z: float, skew: float | None) -> tuple[float, float]:
    if value <= 0:
        return 0.0, 0.0
    ratio = error / value
    move = 0.0
    if skew is not None:  # what the mean needs, less what the logarithm has done already
        move = (2 * z * z + 1) / 6 * float(np.clip(skew, -MOST_SKEW, MOST_SKEW)) * ratio - (
            z * ratio
        ) ** 2 / 2
        move = float(np.clip(move, -z * ratio / 2, z * ratio / 2))  # few rows: the value stays well inside
    return value * float(np.exp(move - z * ratio)), value * float(np.exp(move + z * ratio))


def quantile(level: float, n_units: float) -> float:
    return float(student.ppf((1 + level) / 2, max(1, n_units - 1)))


def wilson(share: float, rows: float, z: float) -> tuple[float, float]:
    """Wilson (1927): the shares that would not be surprised by this one."""
    if rows <= 0:
        return 0.0, 1.0
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * float(np.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows)))
    low = 0.0 if share <= 0 else max(0.0, middle - half)
    return low, 1.0 if share >= 1 else min(1.0, middle + half)
