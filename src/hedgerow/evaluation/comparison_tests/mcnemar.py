"""mcnemar: on one hold-out, the rows that only one of the two models gets right (McNemar 1947).

If the models are equally good, each such row is a fair coin. `compare` gives the exact p-value, whose error rate never
exceeds its level; `mid_p` is less conservative and nearly always keeps it (Fagerland, Lydersen and Laake 2013). The
interval is Bonett and Price's (2012).
"""

import numpy as np
from scipy.stats import binom, norm

from hedgerow.evaluation.comparison_test import HOLD_OUT, Outcome, Pair

title = "McNemar's exact test"
design = HOLD_OUT
metrics: tuple[str, ...] = ("accuracy",)


def compare(pair: Pair) -> Outcome:
    first = pair.first.y_pred == pair.first.y_true
    second = pair.second.y_pred == pair.second.y_true
    only_first, only_second = int(np.sum(first & ~second)), int(np.sum(~first & second))
    low, high = difference_interval(only_first, only_second, len(first), pair.confidence_level)
    n, p = only_first + only_second, exact_p(only_first, only_second)
    statistic = (only_first - only_second) ** 2 / n if n else 0.0
    if p > 1 - pair.confidence_level:  # the exact test is the stricter of the two: they say the same
        low, high = min(low, 0.0), max(high, 0.0)
    return Outcome((only_first - only_second) / len(first), low, high, statistic, p)


def exact_p(only_first: int, only_second: int) -> float:
    """Two-sided, by the binomial distribution."""
    n, fewer = only_first + only_second, min(only_first, only_second)
    return min(1.0, float(2 * binom.cdf(fewer, n, 0.5))) if n else 1.0


def mid_p(only_first: int, only_second: int) -> float:
    """The exact one less half of the probability of what was observed, on both sides."""
    n, fewer = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    if only_first == only_second:
        return float(1 - binom.pmf(fewer, n, 0.5) / 2)
    return float(2 * binom.cdf(fewer, n, 0.5) - binom.pmf(fewer, n, 0.5))


def power(n_rows: int, only_first: float, only_second: float, confidence_level: float = 0.95) -> float:
    """How often the exact test finds a difference, if these shares of the rows are right for one model only: summed
    over all numbers of such rows, and all ways they may fall."""
    discordant = only_first + only_second
    if not (0 < discordant <= 1 and min(only_first, only_second) >= 0 and n_rows >= 1):
        raise ValueError(
            f"{only_first!r} and {only_second!r} must be shares of the {n_rows} rows, not both nil."
        )
    n, tail = np.arange(n_rows + 1), (1 - confidence_level) / 2
    fewer = binom.ppf(tail, n, 0.5)
    fewer = np.where(binom.cdf(fewer, n, 0.5) <= tail, fewer, fewer - 1)  # at most so many: rejected
    share = only_first / discordant
    found = binom.cdf(fewer, n, share) + binom.sf(n - fewer - 1, n, share)
    return float(binom.pmf(n, n_rows, discordant) @ np.where(fewer >= 0, found, 0.0))


def difference_interval(
    only_first: int, only_second: int, n_rows: int, confidence_level: float
) -> tuple[float, float]:
    z = float(norm.ppf((1 + confidence_level) / 2))
    one, two = (only_first + 1) / (n_rows + 2), (only_second + 1) / (n_rows + 2)
    half = z * float(np.sqrt((one + two - (one - two) ** 2) / (n_rows + 2)))
    return max(-1.0, one - two - half), min(1.0, one - two + half)
