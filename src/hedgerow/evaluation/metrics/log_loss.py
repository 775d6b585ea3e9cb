"""log_loss: minus the log of the chance given to the true class."""

import numpy as np
from sklearn import metrics as scikit_learn

from hedgerow.evaluation.metrics.metric import Judged
from hedgerow.types import Float

title, task, needs, scale = "log loss", "classification", "chances", "positive"
higher_is_better, by_fold = False, False


def mass(rows: Judged) -> float:
    return float(len(rows.truth))


def value(rows: Judged) -> float:
    chances = _summing_to_one(rows)
    return float(
        scikit_learn.log_loss(rows.truth, chances, labels=range(rows.n_classes), sample_weight=rows.weight)
    )


def pulls(rows: Judged) -> Float:
    loss = losses(rows)
    return loss - loss @ rows.share


def losses(rows: Judged) -> Float:
    given = _summing_to_one(rows)[np.arange(len(rows.truth)), rows.truth]
    least = np.finfo(np.float64).eps  # a chance of 0 costs 36, as in scikit-learn
    return np.asarray(-np.log(np.clip(given, least, 1 - least)))


def _summing_to_one(rows: Judged) -> Float:
    """A class that a fold's training rows did not have has chance 0, and rounding is taken out."""
    assert rows.guess.chances is not None
    total = rows.guess.chances.sum(axis=1, keepdims=True)
    return np.asarray(rows.guess.chances / np.where(total > 0, total, 1.0))
