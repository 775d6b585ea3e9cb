"""r2: the proportion of the target's variance that is explained: 1 - mean squared error / variance."""

import numpy as np
from sklearn.metrics import r2_score

from hedgerow.evaluation.metric import count_rows
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 100
title, task, needs, scale = "R2", "regression", "values", "below_one"
higher_is_better, is_percentage, by_fold = True, False, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    if len(rows.y_true) < 2 or np.ptp(rows.y_true) == 0:
        return np.nan
    return float(r2_score(rows.y_true, rows.y_pred, sample_weight=rows.weight))


def influence(rows: ScoringData) -> Float:
    weight = rows.normalized_weight
    squared = (rows.y_true - rows.y_pred) ** 2
    from_mean = (rows.y_true - rows.y_true @ weight) ** 2
    variance = from_mean @ weight
    return (-squared + (squared @ weight / variance) * from_mean) / variance  # type: ignore[no-any-return]
