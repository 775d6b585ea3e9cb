"""Poisson deviance, for counts: raw is the log of the expected target."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.loss import LARGEST_RAW, LogLink
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 5


class Loss(LogLink):
    def check_target(self, y: Float) -> None:
        if y.min() < 0 or y.sum() <= 0:
            raise ValueError(
                f"loss='poisson' requires non-negative y and sum(y) > 0. The minimum is {y.min():g}, the sum "
                f"{y.sum():g}. Use loss='squared_error' otherwise."
            )

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(self.inverse_link(raw)[0] - y * raw[0])

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        hessian[0] = native.exp_values(np.clip(raw[0], -LARGEST_RAW, LARGEST_RAW), threads)
        np.subtract(hessian[0], y, out=gradient[0])
