"""mae: the mean absolute error."""

import numpy as np
from sklearn.metrics import mean_absolute_error

from hedgerow.evaluation.metrics.metric import Judged
from hedgerow.types import Float

title, task, needs, scale = "mean absolute error", "regression", "values", "positive"
higher_is_better, by_fold = False, False


def value(rows: Judged) -> float:
    return float(mean_absolute_error(rows.truth, rows.guess.values, sample_weight=rows.weight))


def pulls(rows: Judged) -> Float:
    error = np.abs(rows.truth - rows.guess.values)
    return error - error @ rows.share  # type: ignore[no-any-return]


def mass(rows: Judged) -> float:
    return float(len(rows.truth))
