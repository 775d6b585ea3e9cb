"""Exponential loss, exp(-z): the loss that AdaBoost minimises. Its weight is the loss itself."""

import numpy as np

from hedgerow.types import Float

ORDER = 1
NATIVE = "exponential"
LOSS_IS_PRODUCT = True


def loss(margins: Float) -> Float:
    with np.errstate(over="ignore"):
        return np.exp(-margins)


def weight(margins: Float) -> Float:
    return loss(margins)


def log_weight(margins: Float) -> Float:
    return -margins


def curvature(margins: Float) -> Float:
    return loss(margins)


def log_odds(scores: Float) -> Float:
    return 2.0 * scores


def objective(margins: Float, base: Float) -> tuple[float, Float]:
    """The logarithm of the mean loss: the same minimum, and no overflow on the way."""
    with np.errstate(divide="ignore"):
        logs = np.log(base) - margins
    top = float(logs.max())
    terms = np.exp(logs - top)
    total = float(terms.sum())
    return top + float(np.log(total)), -(terms / total)
