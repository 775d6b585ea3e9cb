"""Gamma deviance, for positive numbers whose spread grows with their size: raw is the log of the expected target."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.loss import LARGEST_RAW, LogLink
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 6


class Loss(LogLink):
    def check_target(self, y: Float) -> None:
        if y.min() <= 0:
            raise ValueError(
                f"loss='gamma' requires strictly positive y. The minimum is {y.min():g}. Use loss='tweedie' where "
                "some are zero, loss='squared_error' where some are negative."
            )

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(raw[0] + y * native.exp_values(np.clip(-raw[0], -LARGEST_RAW, LARGEST_RAW), 1))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        hessian[0] = y * native.exp_values(np.clip(-raw[0], -LARGEST_RAW, LARGEST_RAW), threads)
        np.subtract(1.0, hessian[0], out=gradient[0])
