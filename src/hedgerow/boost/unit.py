"""Neurons as weak predictors.   In: rows.   Out: a Z(w.x + b), a number a row.

Activations Z, of z = w.x + b and the half width delta of the zone in which a neuron abstains:

    dead_zone        sign(z) where |z| > delta, else 0: yes, no, "I do not know"
    soft_threshold   sign(z) max(|z| - delta, 0): the same zone, and no jump at its ends
    tanh             (e^z - e^-z) / (e^z + e^-z): no zone; delta plays no part

Neurons add columns up, so that a column in metres and one in millimetres must be brought to one scale, and a category
be written as numbers. How, stands in encode/numbers.py; the matrix is made once, and every round shares it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.encode import Preparation, numbers, prepare
from hedgerow.table import Table
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


MOST_LEVELS = 100  # of a category

_prepared: "WeakKeyDictionary[BoostInput, Preparation]" = WeakKeyDictionary()
_made: "WeakKeyDictionary[BoostInput, tuple[Preparation, Float]]" = WeakKeyDictionary()


def preparation_of(rows: BoostInput, weight: Float | None = None) -> Preparation:
    """How training rows become numbers; found once."""
    if rows not in _prepared:
        _prepared[rows] = prepare(_table(rows), weight, standardize=True, max_levels=MOST_LEVELS)
    return _prepared[rows]


def inputs_of(rows: BoostInput, preparation: Preparation) -> Float:
    kept = _made.get(rows)
    if kept is None or kept[0] is not preparation:
        kept = _made[rows] = (preparation, numbers(preparation, _table(rows)))
    return kept[1]


def _table(rows: BoostInput) -> Table:
    return rows._dense()[0]


@dataclass(frozen=True, eq=False)
class Unit:
    inputs: Preparation
    weights: Float  # of the inputs
    bias: float
    activation: str
    delta: float
    height: float = 1.0  # a: the output where Z is 1; several neurons of one round share an alpha

    def outputs(self, rows: BoostInput) -> Float:
        z = inputs_of(rows, self.inputs) @ self.weights + self.bias
        return self.height * ACTIVATIONS[self.activation].value(z, self.delta)

    def describe(self, most: int = 3) -> str:
        """The heaviest inputs: `+1.20 age -0.85 sex=female ...`"""
        heavy = np.argsort(-np.abs(self.weights), kind="stable")[:most]
        names = self.inputs.names
        parts = [f"{self.weights[j]:+.2f} {names[j]}" for j in heavy if self.weights[j] != 0]
        more = " ..." if np.count_nonzero(self.weights) > most else ""
        return f"{' '.join(parts)}{more} {self.bias:+.2f}".strip()
