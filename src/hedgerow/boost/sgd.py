"""Stochastic gradient descent.   In: rows, signs, weights, starts.   Out: the best neuron that was reached.

The problem, and the two ways to let weights count, stand in native/neurons/descend.hpp. Importance sampling
("draws") looks at heavy rows more often; importance weights ("weights") look at all rows alike and count the heavy ones
more. Their mean steps are the same and so is the minimum; draws are steadier when few rows carry most of the weight.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from hedgerow.core import native
from hedgerow.types import Float

Sampling = Literal["weights", "draws"]
SAMPLINGS: tuple[Sampling, ...] = ("weights", "draws")


@dataclass(frozen=True)
class Descent:
    """How to descend."""

    sampling: Sampling = "draws"
    steps: int = 1000
    batch: int = 32
    rate: float = 0.3
    l2: float = 1e-3

    def best(
        self,
        rows: Float,
        signs: Float,
        weight: Float,
        starts: Float,
        activation: str,
        delta: float,
        seed: int,
        threads: int = 1,
    ) -> Float:
        """Weights, bias and height of the neuron of least loss; of equal ones the first. `weight` sums to one."""
        neurons, loss = native.descend(
            rows=np.ascontiguousarray(rows, np.float64),
            signs=np.ascontiguousarray(signs, np.float64),
            weight=np.ascontiguousarray(weight, np.float64),
            starts=np.ascontiguousarray(starts, np.float64),
            activation=activation,
            delta=float(delta),
            sampling=self.sampling,
            l2=self.l2,
            rate=self.rate,
            steps=self.steps,
            batch=self.batch,
            seed=seed,
            threads=threads,
        )
        best: Float = neurons[int(np.argmin(np.where(np.isfinite(loss), loss, np.inf)))]
        return best
