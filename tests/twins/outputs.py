"""Splits that serve several targets, slowly: every threshold of every column is tried.

In: numbers without gaps, rows x outputs, weights.   Out: the decrease of the mean impurity of the best split.
"""

import numpy as np
from numpy.typing import NDArray

Matrix = NDArray[np.float64]


def impurity(y: NDArray[np.int64] | Matrix, weight: Matrix, of_classes: bool) -> float:
    """The mean over the outputs of Gini, or of the variance."""
    found = []
    for column in y.T:
        if of_classes:
            share = np.bincount(column.astype(np.int64), weight) / weight.sum()
            found.append(1 - (share**2).sum())
        else:
            mean = np.average(column, weights=weight)
            found.append(np.average((column - mean) ** 2, weights=weight))
    return float(np.mean(found))


def best_decrease(X: Matrix, y: NDArray[np.int64] | Matrix, weight: Matrix, of_classes: bool) -> float:
    """Weight times impurity that the best threshold takes away; 0 where nothing parts the rows."""
    whole, best = weight.sum() * impurity(y, weight, of_classes), 0.0
    for column in X.T:
        for value in np.unique(column)[:-1]:
            left = column <= value
            parts = (
                weight[side].sum() * impurity(y[side], weight[side], of_classes) for side in (left, ~left)
            )
            best = max(best, whole - sum(parts))
    return best
