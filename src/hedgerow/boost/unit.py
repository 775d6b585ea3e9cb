"""Unit: one neuron as a weak predictor.   In: rows.   Out: a Z(w.x + b), a number a row."""

from dataclasses import dataclass

import numpy as np

from hedgerow.boost.activations import ACTIVATIONS
from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.inputs import inputs_of
from hedgerow.encode import Preparation
from hedgerow.types import Float


@dataclass(frozen=True, eq=False)
class Unit:
    inputs: Preparation
    weights: Float  # of the inputs
    bias: float
    activation: str
    delta: float
    height: float = 1.0  # a: how sure it is where Z is 1; several neurons of one round share an alpha

    def answers(self, rows: BoostInput) -> Float:
        z = inputs_of(rows, self.inputs) @ self.weights + self.bias
        return self.height * ACTIVATIONS[self.activation].value(z, self.delta)

    def describe(self, most: int = 3) -> str:
        """The heaviest inputs: `+1.20 age -0.85 sex=female ...`"""
        heavy = np.argsort(-np.abs(self.weights), kind="stable")[:most]
        names = self.inputs.names
        parts = [f"{self.weights[j]:+.2f} {names[j]}" for j in heavy if self.weights[j] != 0]
        more = " ..." if np.count_nonzero(self.weights) > most else ""
        return f"{' '.join(parts)}{more} {self.bias:+.2f}".strip()
