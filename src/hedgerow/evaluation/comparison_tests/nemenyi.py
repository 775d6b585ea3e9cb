"""nemenyi: which of several models differ over several data sets? (Nemenyi 1963; Demsar 2006)

Two models differ when their mean ranks are further apart than the critical difference. The studentized range takes all
pairs into account, so nothing needs to be corrected afterwards.
"""

from dataclasses import dataclass

import numpy as np
from scipy.stats import studentized_range

from hedgerow.evaluation.comparison_tests.friedman import over_data_sets as ranks_of
from hedgerow.types import Float

title = "Nemenyi's test"


@dataclass(frozen=True, eq=False)
class Nemenyi:
    mean_ranks: Float
    critical_difference: float
    p_values: Float  # models x models

    @property
    def groups(self) -> list[list[int]]:
        """Largest runs of neighbours in rank that cannot be told apart: the bars of the picture."""
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


def over_data_sets(scores: Float, level: float = 0.95) -> Nemenyi:
    n, k = scores.shape
    mean = ranks_of(scores).mean
    unit = float(np.sqrt(k * (k + 1) / (6 * n)))
    q = float(studentized_range.ppf(level, k, np.inf)) / np.sqrt(2)
    gap = np.abs(mean[:, None] - mean[None, :]) / unit
    return Nemenyi(mean, q * unit, np.asarray(studentized_range.sf(gap * np.sqrt(2), k, np.inf)))
