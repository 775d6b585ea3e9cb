"""mcnemar: on one hold-out, the rows that only one of the two models gets right (McNemar 1947).

If the models are equally good, each such row is a fair coin. `compare` tells the exact p-value, which never cries wolf
too often; `mid_p` is less timid and keeps its level nearly always (Fagerland, Lydersen and Laake 2013). The interval
is Bonett and Price's (2012).
"""

import numpy as np
from scipy.stats import binom, norm

from hedgerow.evaluate.comparisons.pair import Outcome, Pair

title = "McNemar's exact test"
design = "hold_out"
scores: tuple[str, ...] = ("accuracy",)


def compare(pair: Pair) -> Outcome:
    first = pair.first.guess.values == pair.first.truth
    second = pair.second.guess.values == pair.second.truth
    only_first, only_second = int(np.sum(first & ~second)), int(np.sum(~first & second))
    low, high = difference(only_first, only_second, len(first), pair.level)
    n = only_first + only_second
    statistic = (only_first - only_second) ** 2 / n if n else 0.0
    return Outcome(
        (only_first - only_second) / len(first), low, high, statistic, exact(only_first, only_second)
    )


def exact(only_first: int, only_second: int) -> float:
    """Two-sided, by the binomial distribution."""
    n, fewer = only_first + only_second, min(only_first, only_second)
    return min(1.0, float(2 * binom.cdf(fewer, n, 0.5))) if n else 1.0


def mid_p(only_first: int, only_second: int) -> float:
    """The exact one less half of the chance of what was seen, on both sides."""
    n, fewer = only_first + only_second, min(only_first, only_second)
    if n == 0:
        return 1.0
    if only_first == only_second:
        return float(1 - binom.pmf(fewer, n, 0.5) / 2)
    return float(2 * binom.cdf(fewer, n, 0.5) - binom.pmf(fewer, n, 0.5))


def power(n_rows: int, only_first: float, only_second: float, level: float = 0.95) -> float:
    """How often the test finds a difference, if these shares of the rows are right for one model only (Connor 1987)."""
    apart, gap = only_first + only_second, abs(only_first - only_second)
    if not (0 < apart <= 1 and min(only_first, only_second) >= 0 and n_rows >= 1):
        raise ValueError(
            f"{only_first!r} and {only_second!r} must be shares of the {n_rows} rows, not both nil."
        )
    z = float(norm.ppf((1 + level) / 2))
    spread = float(np.sqrt(max(apart - gap**2, 1e-12)))
    return float(norm.cdf((gap * np.sqrt(n_rows) - z * np.sqrt(apart)) / spread))


def difference(only_first: int, only_second: int, n_rows: int, level: float) -> tuple[float, float]:
    z = float(norm.ppf((1 + level) / 2))
    one, two = (only_first + 1) / (n_rows + 2), (only_second + 1) / (n_rows + 2)
    half = z * float(np.sqrt((one + two - (one - two) ** 2) / (n_rows + 2)))
    return max(-1.0, one - two - half), min(1.0, one - two + half)
