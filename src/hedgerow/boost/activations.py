"""Activations: what a neuron makes of z = w.x + b.   In: z, and the half width delta of the zone of silence.   Out: its
answer, and the slope of it.

    dead_zone        sign(z) where |z| > delta, else 0: yes, no, "I do not know"
    soft_threshold   sign(z) max(|z| - delta, 0): the same zone, and no jump at its ends
    tanh             (e^z - e^-z) / (e^z + e^-z): no zone; delta plays no part
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.types import Float


def dead_zone(z: Float, delta: float) -> Float:
    return np.where(np.abs(z) > delta, np.sign(z), 0.0)


def soft_threshold(z: Float, delta: float) -> Float:
    return np.sign(z) * np.maximum(np.abs(z) - delta, 0.0)


def tanh(z: Float, delta: float = 0.0) -> Float:
    return np.tanh(z)


def _no_slope(z: Float, delta: float) -> Float:
    return np.zeros_like(z)


def _slope_outside(z: Float, delta: float) -> Float:
    return (np.abs(z) > delta).astype(np.float64)


def _slope_of_tanh(z: Float, delta: float) -> Float:
    return 1.0 - np.tanh(z) ** 2


@dataclass(frozen=True)
class Activation:
    value: Callable[[Float, float], Float]
    slope: Callable[[Float, float], Float]


ACTIVATIONS = {
    "dead_zone": Activation(dead_zone, _no_slope),
    "soft_threshold": Activation(soft_threshold, _slope_outside),
    "tanh": Activation(tanh, _slope_of_tanh),
}
