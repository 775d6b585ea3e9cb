"""log_loss: minus the logarithm of the probability given to the true class."""

import numpy as np

from hedgerow.evaluation.metric import count_rows
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 80
title, task, needs, scale = "log loss", "classification", "proba", "positive"
higher_is_better, is_percentage, by_fold = False, False, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    return float(losses(rows) @ rows.normalized_weight)


def influence(rows: ScoringData) -> Float:
    loss = losses(rows)
    return loss - loss @ rows.normalized_weight


def losses(rows: ScoringData) -> Float:
    of_truth = _normalized(rows)[np.arange(len(rows.y_true)), rows.y_true]
    least = np.finfo(np.float64).eps  # a probability of 0 costs 36, as in scikit-learn
    return np.asarray(-np.log(np.clip(of_truth, least, 1 - least)))


def _normalized(rows: ScoringData) -> Float:
    """Probabilities that sum to one."""
    total = rows.proba.sum(axis=1, keepdims=True)
    return np.asarray(rows.proba / np.where(total > 0, total, 1.0))
