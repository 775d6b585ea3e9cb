"""friedman: do several models differ at all over several data sets? (Friedman 1937; Iman and Davenport 1980)

Each data set ranks the models, 1 the best, ties sharing their ranks. The chi-square statistic is too timid, so the F of
Iman and Davenport is made of it (Demsar 2006).
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, rankdata
from scipy.stats import f as fisher

from hedgerow.types import Float

title = "Friedman's test"


@dataclass(frozen=True, eq=False)
class Ranks:
    ranks: Float  # data sets x models
    mean: Float
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float


def over_data_sets(scores: Float, level: float = 0.95) -> Ranks:
    n, k = scores.shape
    if n < 2 or k < 2:
        raise ValueError(f"{n} data sets and {k} models: at least 2 of each are wanted.")
    ranks = np.array([rankdata(-line) for line in scores])
    mean = ranks.mean(axis=0)
    ties = sum(float((count**3 - count).sum()) for count in map(_counts, ranks))
    above = 12 * n / (k * (k + 1)) * float(((mean - (k + 1) / 2) ** 2).sum())
    below = 1 - ties / (n * (k**3 - k))
    statistic = above / below if below > 0 else 0.0
    rest = n * (k - 1) - statistic
    f = (n - 1) * statistic / rest if rest > 1e-12 else np.inf
    return Ranks(
        ranks,
        mean,
        statistic,
        float(chi2.sf(statistic, k - 1)),
        f,
        float(fisher.sf(f, k - 1, (k - 1) * (n - 1))),
    )


def _counts(ranks: Float) -> Float:
    return np.unique(ranks, return_counts=True)[1].astype(float)
