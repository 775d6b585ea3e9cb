"""Splits that serve several targets, slowly: every threshold of every column is tried.

In: numbers without gaps, rows x outputs, weights.   Out: the decrease of the mean impurity of the best split.
"""

import numpy as np
from numpy.typing import NDArray

from .loss import loss

Matrix = NDArray[np.float64]


def impurity(y: NDArray[np.int64] | Matrix, weight: Matrix, criterion: str) -> float:
    """The mean over the outputs of Gini, of the variance, or of the distance from the median."""
    found = []
    for column in y.T:
        if criterion == "absolute_error":
            found.append(loss(criterion, column, weight) / weight.sum())
        elif criterion == "gini":
            share = np.bincount(column.astype(np.int64), weight) / weight.sum()
            found.append(1 - (share**2).sum())
        else:
            mean = np.average(column, weights=weight)
            found.append(np.average((column - mean) ** 2, weights=weight))
    return float(np.mean(found))


def best_decrease(X: Matrix, y: NDArray[np.int64] | Matrix, weight: Matrix, criterion: str) -> float:
    """Weight times impurity that the best threshold takes away; 0 where nothing parts the rows."""
    whole, best = weight.sum() * impurity(y, weight, criterion), 0.0
    for column in X.T:
        for value in np.unique(column)[:-1]:
            left = column <= value
            parts = (
                weight[side].sum() * impurity(y[side], weight[side], criterion) for side in (left, ~left)
            )
            best = max(best, whole - sum(parts))
    return best
