"""combined_5x2cv_f: the combined 5x2 cv F-test (Alpaydin 1999).

Five times two folds. With differences p of the ten splits and the variance s of the two of each time,
sum of p squared / (2 x sum of s) has about an F distribution with 10 and 5 degrees of freedom.
"""

import numpy as np
from scipy.stats import f as fisher

from hedgerow.evaluation.comparison_test import Design, Outcome, Pair, undecided

title = "5x2 cv F-test"
design = Design(2, 5, required=True)
metrics: tuple[str, ...] = ()


def compare(pair: Pair) -> Outcome:
    nan = float("nan")
    d = pair.differences
    mean = float(d.mean()) if len(d) else nan
    if len(d) != 10:
        return undecided(mean)
    twos = d.reshape(5, 2)
    spread = float(((twos - twos.mean(axis=1, keepdims=True)) ** 2).sum())
    if spread <= 1e-30:
        return Outcome(mean, mean, mean, nan, 1.0 if np.allclose(d, 0) else 0.0)
    statistic = float((d**2).sum() / (2 * spread))
    return Outcome(mean, nan, nan, statistic, float(fisher.sf(statistic, 10, 5)))
