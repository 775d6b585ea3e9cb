"""Ranks of models over several data sets.   In: scores, data sets x models, higher = better.   Out: two tests.

Friedman (1937): do the models differ at all? Each data set ranks them, 1 the best, ties sharing their ranks. The
chi-square statistic is conservative, so the F of Iman and Davenport (1980) is made of it (Demsar 2006).

Nemenyi (1963): which of them differ? Those whose mean ranks are further apart than the critical difference. The
studentized range accounts for all pairs, so no further correction is needed.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import chi2, rankdata, studentized_range
from scipy.stats import f as fisher

from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Friedman:
    ranks: Float  # data sets x models
    mean_ranks: Float
    chi_square: float
    chi_square_p: float
    f: float
    f_p: float


@dataclass(frozen=True, eq=False)
class Nemenyi:
    mean_ranks: Float
    critical_difference: float
    p_values: Float  # models x models

    @property
    def groups(self) -> list[list[int]]:
        """Largest runs of neighbours in rank that cannot be distinguished: the bars of the picture."""
        order = np.argsort(self.mean_ranks, kind="stable")
        ranks = self.mean_ranks[order]
        runs = [
            (a, int(np.searchsorted(ranks, ranks[a] + self.critical_difference, "right")))
            for a in range(len(order))
        ]
        kept, reached = [], 0
        for a, b in runs:
            if b - a > 1 and b > reached:
                kept.append(order[a:b].tolist())
                reached = b
        return kept


def friedman_test(scores: Float) -> Friedman:
    n, k = scores.shape
    if n < 2 or k < 2:
        raise ValueError(f"{n} data sets and {k} models: at least 2 of each are wanted.")
    ranks = np.array([rankdata(-line) for line in scores])
    mean = ranks.mean(axis=0)
    counts = [np.unique(line, return_counts=True)[1].astype(float) for line in ranks]
    ties = sum(float((count**3 - count).sum()) for count in counts)
    above = 12 * n / (k * (k + 1)) * float(((mean - (k + 1) / 2) ** 2).sum())
    below = 1 - ties / (n * (k**3 - k))
    statistic = above / below if below > 0 else 0.0
    rest = n * (k - 1) - statistic
    f = (n - 1) * statistic / rest if rest > 1e-12 else np.inf
    chi_square_p = float(chi2.sf(statistic, k - 1))
    return Friedman(ranks, mean, statistic, chi_square_p, f, float(fisher.sf(f, k - 1, (k - 1) * (n - 1))))


def nemenyi_test(scores: Float, confidence_level: float = 0.95) -> Nemenyi:
    n, k = scores.shape
    mean = friedman_test(scores).mean_ranks
    unit = float(np.sqrt(k * (k + 1) / (6 * n)))
    q = float(studentized_range.ppf(confidence_level, k, np.inf)) / np.sqrt(2)
    gap = np.abs(mean[:, None] - mean[None, :]) / unit
    return Nemenyi(mean, q * unit, np.asarray(studentized_range.sf(gap * np.sqrt(2), k, np.inf)))
