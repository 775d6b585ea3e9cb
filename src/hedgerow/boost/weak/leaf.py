"""A leaf of a tree as a rule that is silent elsewhere.   In: rows.   Out: a Tree whose leaves but one say 0.

    if x1 <= 3 and x7 > 5 then +, else silent

A tree is grown by the exponential loss; of its leaves the one is kept that lowers the loss most by itself:
(sqrt(mu+) - sqrt(mu-))^2. With "confident" predictions it answers 1/2 log(mu+/mu-), with "abstaining" its heavier side.
"""

from dataclasses import dataclass, replace

import numpy as np

from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.weak import tree
from hedgerow.boost.weak_learner import OutputKind, WeakParams
from hedgerow.tree.tree import LEAF
from hedgerow.types import Float

ORDER = 4
PREDICTIONS = ("abstaining", "confident")
READS_SPARSE = False
STORAGE = tree.STORAGE


@dataclass(frozen=True)
class Leaf:
    output_kind: OutputKind = "abstaining"  # or "calibrated"
    max_depth: int | None = 3
    smoothing: float | None = None  # of calibrated outputs; None: half a row's weight

    def fit(self, rows: BoostInput, signs: Float, weight: Float, rng: np.random.Generator) -> tree.TreeWeak:
        learner = tree.Tree("calibrated", max_depth=self.max_depth)
        grown = learner.grow_tree(rows, (signs > 0).astype(np.int32), 2, weight, rng)
        mass = grown.value * grown.weight[:, None] * rows.share
        gain = np.where(grown.kind == LEAF, (np.sqrt(mass[:, 1]) - np.sqrt(mass[:, 0])) ** 2, -1.0)
        best = int(np.argmax(np.round(gain, 12)))
        value = np.zeros((grown.n_nodes, 1))
        value[best] = self._output(mass[best], 0.5 * rows.share if self.smoothing is None else self.smoothing)
        return tree.TreeWeak(replace(grown, value=value))

    def _output(self, mass: Float, smoothing: float) -> float:
        if self.output_kind == "abstaining":
            return 1.0 if mass[1] > mass[0] else -1.0
        with np.errstate(divide="ignore"):
            return float(0.5 * (np.log(mass[1] + smoothing) - np.log(mass[0] + smoothing)))


def build(params: WeakParams) -> Leaf:
    kind: OutputKind = "calibrated" if params.predictions == "confident" else "abstaining"
    return Leaf(kind, params.max_depth, params.smoothing)
