"""Exponential loss, exp(-z): the loss that AdaBoost minimises."""

import numpy as np

from hedgerow.types import Float


def loss(margins: Float) -> Float:
    with np.errstate(over="ignore"):
        return np.exp(-margins)


def weight(margins: Float) -> Float:
    return loss(margins)


def log_weight(margins: Float) -> Float:
    return -margins


def curvature(margins: Float) -> Float:
    return loss(margins)


def update(weight: Float, step: Float) -> Float:
    with np.errstate(over="ignore"):
        return weight * np.exp(-step)
