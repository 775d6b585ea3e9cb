"""Chances.   In: scores, and the loss they were boosted with.   Out: the class shares at which that loss is least.

exponential   score = 1/2 log(p / (1 - p)), so that p = 1 / (1 + exp(-2 score))
logistic      score = log(p / (1 - p)), so that p = 1 / (1 + exp(-score))

With a score for each class, against the rest, the chances are divided by their sum.
"""

import numpy as np

from hedgerow.types import Float


def chances(scores: Float, loss: str) -> Float:
    """Rows x classes; `scores` has one column for two classes, else one a class."""
    z = scores * (1.0 if loss == "logistic" else 2.0)
    small = np.exp(-np.abs(z))  # never too large, and the smaller chance keeps its digits
    above = z >= 0
    yes = np.where(above, 1.0, small) / (1.0 + small)
    if scores.shape[1] == 1:
        return np.column_stack([np.where(above, small, 1.0) / (1.0 + small), yes])
    total = yes.sum(axis=1, keepdims=True)
    return np.asarray(np.where(total > 0, yes / np.where(total > 0, total, 1.0), 1 / scores.shape[1]))
