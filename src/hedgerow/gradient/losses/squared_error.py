"""Half the squared error. raw is the expected target."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 1


class Loss(Base):
    def start(self, y: Float, weight: Float | None) -> Float:
        return np.atleast_1d(np.average(y, weights=weight))

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(0.5 * (raw[0] - y) ** 2)

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.subtract(raw[0], y, out=gradient[0])
        hessian[0] = 1.0
