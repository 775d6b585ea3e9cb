"""Logistic loss, log(1 + exp(-z)): grows like -z for mistakes, so that wrong labels weigh less."""

import numpy as np

from hedgerow.types import Float

ORDER = 2
NATIVE = "logistic"
LOSS_IS_PRODUCT = False


def loss(margins: Float) -> Float:
    return np.logaddexp(0.0, -margins)


def weight(margins: Float) -> Float:
    return np.exp(log_weight(margins))


def log_weight(margins: Float) -> Float:
    return -np.logaddexp(0.0, margins)


def curvature(margins: Float) -> Float:
    return np.asarray(np.exp(-np.logaddexp(0.0, margins) - np.logaddexp(0.0, -margins)))


def log_odds(scores: Float) -> Float:
    return scores


def objective(margins: Float, base: Float) -> tuple[float, Float]:
    return float((base * loss(margins)).sum()), -(base * weight(margins))
