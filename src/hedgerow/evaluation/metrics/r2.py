"""r2: the share of the target's spread that is explained: 1 - mean squared error / variance."""

import numpy as np
from sklearn.metrics import r2_score

from hedgerow.evaluation.metrics.metric import Judged
from hedgerow.types import Float

title, task, needs, scale = "R2", "regression", "values", "below_one"
higher_is_better, by_fold = True, False


def value(rows: Judged) -> float:
    if len(rows.truth) < 2 or np.ptp(rows.truth) == 0:
        return np.nan
    return float(r2_score(rows.truth, rows.guess.values, sample_weight=rows.weight))


def pulls(rows: Judged) -> Float:
    share = rows.share
    error2 = (rows.truth - rows.guess.values) ** 2
    away2 = (rows.truth - rows.truth @ share) ** 2
    spread = away2 @ share
    return (-error2 + (error2 @ share / spread) * away2) / spread  # type: ignore[no-any-return]


def mass(rows: Judged) -> float:
    return float(len(rows.truth))
