"""Half the squared error. raw is the expected target."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.sums import mean_of_limbs
from hedgerow.types import Count, Float

TARGET = "numbers"
ORDER = 1


class Loss(Base):
    def start_from(self, statistics: Count) -> Float:
        return np.array([mean_of_limbs(statistics)])

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(0.5 * (raw[0] - y) ** 2)

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.subtract(raw[0], y, out=gradient[0])
        hessian[0] = 1.0
