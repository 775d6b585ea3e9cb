"""linear: a plane with a zone of silence around it.   In: weighted rows.   Out: a Unit that returns

    sign(z) where |z| > delta, else 0        (soft=False)
    sign(z) max(|z| - delta, 0)              (soft=True)

z is the signed distance from the plane, in standard deviations of the inputs: the plane is found by weighted logistic
regression, which is convex, and its normal then made one long. So delta means the same in every round.
"""

from dataclasses import dataclass, field

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.sgd import Descent
from hedgerow.boost.unit import Unit, inputs_of, preparation_of
from hedgerow.boost.weak_learner import OutputKind, WeakParams
from hedgerow.encode import Preparation
from hedgerow.types import Float

ORDER = 5
PREDICTIONS = ("discrete", "abstaining", "confident")
READS_SPARSE = False
STORAGE = None


@dataclass(frozen=True)
class Linear:
    delta: float = 0.1
    soft: bool = False
    descent: Descent = field(default_factory=Descent)
    inputs: Preparation | None = None  # how rows become numbers; found on the rows if not given

    random = True  # another round may find another predictor, even where this one is of no use

    @property
    def output_kind(self) -> OutputKind:
        return "confident" if self.soft else "abstaining"

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> Unit:
        inputs = self.inputs or preparation_of(rows)
        start = np.append(np.zeros(len(inputs.names) + 1), 1.0)[None, :]
        seed = int(rng.integers(2**63))
        found = self.descent.best(inputs_of(rows, inputs), signs, weight, start, "linear", 0.0, seed)
        plane, bias = found[:-2], float(found[-2])
        length = float(np.linalg.norm(plane))
        if length == 0:  # no direction: the heavier side, everywhere
            bias, length = np.sign(bias) * (1.0 + self.delta), 1.0
        activation = "soft_threshold" if self.soft else "dead_zone"
        return Unit(inputs, plane / length, bias / length, activation, self.delta)


def build(params: WeakParams) -> Linear:
    if params.predictions == "discrete":
        return Linear(delta=0.0)
    return Linear(soft=params.predictions == "confident")
