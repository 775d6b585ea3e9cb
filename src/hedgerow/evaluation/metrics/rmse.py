"""rmse: the root of the mean squared error."""

import numpy as np

from hedgerow.evaluation.metric import count_rows
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 110
title, task, needs, scale = "root mean squared error", "regression", "values", "root"
higher_is_better, is_percentage, by_fold = False, False, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    return float(np.sqrt((rows.y_true - rows.y_pred) ** 2 @ rows.normalized_weight))


def influence(rows: ScoringData) -> Float:
    squared = (rows.y_true - rows.y_pred) ** 2
    mean = squared @ rows.normalized_weight
    return (squared - mean) / (2 * np.sqrt(mean)) if mean > 0 else np.zeros(len(squared))
