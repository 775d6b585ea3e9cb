"""rmse: the root of the mean squared error."""

import numpy as np
from sklearn.metrics import root_mean_squared_error

from hedgerow.evaluation.metrics.metric import Judged
from hedgerow.types import Float

title, task, needs, scale = "root mean squared error", "regression", "values", "root"
higher_is_better, by_fold = False, False


def value(rows: Judged) -> float:
    return float(root_mean_squared_error(rows.truth, rows.guess.values, sample_weight=rows.weight))


def pulls(rows: Judged) -> Float:
    error2 = (rows.truth - rows.guess.values) ** 2
    mean = error2 @ rows.share
    return (error2 - mean) / (2 * np.sqrt(mean)) if mean > 0 else np.zeros(len(error2))


def mass(rows: Judged) -> float:
    return float(len(rows.truth))
