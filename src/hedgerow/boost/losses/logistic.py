"""Logistic loss, log(1 + exp(-z)): grows like -z for mistakes, so that noise in the labels weighs less."""

import numpy as np

from hedgerow.types import Float


def loss(margins: Float) -> Float:
    return np.logaddexp(0.0, -margins)


def weight(margins: Float) -> Float:
    return np.exp(log_weight(margins))


def log_weight(margins: Float) -> Float:
    return -np.logaddexp(0.0, margins)


def curvature(margins: Float) -> Float:
    return np.asarray(np.exp(-np.logaddexp(0.0, margins) - np.logaddexp(0.0, -margins)))


def update(weight: Float, step: Float) -> Float:
    with np.errstate(over="ignore"):
        return weight / (weight + (1.0 - weight) * np.exp(step))
