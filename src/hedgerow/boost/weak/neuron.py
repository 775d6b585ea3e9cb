"""neuron: a Z(w.x + b), trained through Z.   In: weighted rows.   Out: a Unit with a soft threshold or tanh.

The loss is not convex, and need not be: a linear fit of rows that earlier rounds have weighted finds nothing left, a
neuron still finds a corner to cut off. Descent starts at the mean difference of the two sides and at random planes
through rows that carry weight; the start that comes down furthest is kept.
"""

from dataclasses import dataclass, field

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.sgd import Descent
from hedgerow.boost.unit import Unit, inputs_of, preparation_of
from hedgerow.boost.weak_learner import OutputKind, WeakParams
from hedgerow.encode import Preparation
from hedgerow.types import Float

ORDER = 6
PREDICTIONS = ("confident",)
READS_SPARSE = False
STORAGE = None


@dataclass(frozen=True)
class Neuron:
    activation: str = "tanh"  # or "soft_threshold"
    delta: float = 1.0
    starts: int = 4
    descent: Descent = field(default_factory=Descent)
    inputs: Preparation | None = None  # how rows become numbers; found on the rows if not given

    random = True  # another round may find another predictor, even where this one is of no use

    @property
    def output_kind(self) -> OutputKind:
        return "confident"

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> Unit:
        inputs = self.inputs or preparation_of(rows)
        x = inputs_of(rows, inputs)
        starts = _starts(x, signs, weight, self.starts, self.delta, rng)
        seed = int(rng.integers(2**63))
        found = self.descent.best(
            x, signs, weight, starts, self.activation, self.delta, seed, min(rows.threads, len(starts))
        )
        return Unit(inputs, found[:-2], float(found[-2]), self.activation, self.delta, float(found[-1]))


def build(params: WeakParams) -> Neuron:
    return Neuron()


def _starts(
    x: Float, signs: Float, weight: Float, many: int, delta: float, rng: np.random.Generator
) -> Float:
    """Directions one and a half long (and out of the zone of silence), biases, heights of one half."""
    length = 1.5 + delta
    edge = (weight * signs) @ x
    planes = np.vstack([edge, rng.normal(size=(many - 1, x.shape[1]))])
    size = np.linalg.norm(planes, axis=1, keepdims=True)
    planes *= length / np.where(size > 0, size, 1.0)
    chosen = np.searchsorted(np.cumsum(weight), rng.random(many) * weight.sum(), side="right")
    through = x[np.minimum(chosen, len(x) - 1)]
    bias = -(planes * through).sum(axis=1)
    bias[0] = 0.0
    return np.column_stack([planes, bias, np.full(many, 0.5)])
