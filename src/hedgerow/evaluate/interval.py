"""How sure a score is.   In: a value, its standard error, its scale.   Out: the ends of an interval.

    proportion, share   Wilson's interval, with as many rows as would give this error; where the error is nil (all
                        right, or all wrong) with the rows that could have made a difference
    positive            on the scale of the logarithm
    below_one           the same for 1 - value, the unexplained share

Quantiles are Student's, with one degree of freedom a row (or group, or row of the rarest class) less one.
"""

import numpy as np
from scipy.stats import t as student


def interval(
    value: float, error: float, scale: str, *, rests_on: float, n_units: float, level: float = 0.95
) -> tuple[float, float]:
    """NaN twice where nothing can be said."""
    if n_units < 2 and scale not in ("share", "proportion"):
        return np.nan, np.nan
    z = quantile(level, n_units)
    if scale in ("share", "proportion"):
        rows = rests_on if error <= 0 or not 0 < value < 1 else value * (1 - value) / error**2
        return wilson(value, rows, z)
    if scale == "below_one":
        low, high = interval(1 - value, error, "positive", rests_on=rests_on, n_units=n_units, level=level)
        return 1 - high, 1 - low
    if scale == "positive":
        if value <= 0:
            return 0.0, 0.0
        return value * float(np.exp(-z * error / value)), value * float(np.exp(z * error / value))
    return value - z * error, value + z * error


def quantile(level: float, n_units: float) -> float:
    return float(student.ppf((1 + level) / 2, max(1, n_units - 1)))


def wilson(share: float, rows: float, z: float) -> tuple[float, float]:
    """Wilson (1927): the shares that would not be surprised by this one."""
    if rows <= 0:
        return 0.0, 1.0
    middle = (share + z * z / (2 * rows)) / (1 + z * z / rows)
    half = z / (1 + z * z / rows) * float(np.sqrt(share * (1 - share) / rows + z * z / (4 * rows * rows)))
    return max(0.0, middle - half), min(1.0, middle + half)
