"""Decision stumps: one test of one column."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hedgerow.boost.rows import Rows
from hedgerow.boost.weak.learner import Answers
from hedgerow.types import Float


@dataclass(frozen=True)
class StumpWeak:
    column: int
    threshold: float
    below: float  # answer where value <= threshold
    above: float

    def answers(self, rows: Rows) -> Float:
        values = np.asarray(rows.matrix[:, self.column], np.float64)
        return np.where(values <= self.threshold, self.below, self.above)


@dataclass(frozen=True)
class Stump:
    gives: Answers = "signs"

    def fit(self, rows: Rows, signs: Float, weight: Float, rng: np.random.Generator) -> StumpWeak:
        best, found = -1.0, StumpWeak(0, np.inf, 1.0, 1.0)
        for j in range(rows.matrix.shape[1]):
            values = np.asarray(rows.matrix[:, j], np.float64)
            order = np.argsort(values, kind="stable")
            pull = np.cumsum((weight * signs)[order])
            cuts = np.flatnonzero(np.diff(values[order]))
            edge = 2 * pull[cuts] - pull[-1]
            if len(cuts) and np.abs(edge).max() > best + 1e-11:
                at = int(np.flatnonzero(np.abs(edge) >= np.abs(edge).max() - 1e-11)[0])
                best = float(np.abs(edge[at]))
                low, high = values[order][cuts[at]], values[order][cuts[at] + 1]
                side = float(np.sign(edge[at]))
                found = StumpWeak(j, float(low / 2 + high / 2), side, -side)
        return found
