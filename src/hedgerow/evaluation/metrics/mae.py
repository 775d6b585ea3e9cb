"""mae: the mean absolute error."""

import numpy as np

from hedgerow.evaluation.metric import count_rows
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 120
BEST_CONSTANT = "median"
title, task, needs, scale = "mean absolute error", "regression", "values", "positive"
higher_is_better, is_percentage, by_fold = False, False, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    return float(np.abs(rows.y_true - rows.y_pred) @ rows.normalized_weight)


def influence(rows: ScoringData) -> Float:
    error = np.abs(rows.y_true - rows.y_pred)
    return error - error @ rows.normalized_weight  # type: ignore[no-any-return]
