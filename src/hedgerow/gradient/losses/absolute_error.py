"""Absolute error. raw is the median; a leaf takes the median of what its rows still lack."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import weighted_quantile
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 2


class Loss(Base):
    refits_leaves = True

    def start(self, y: Float, weight: Float | None) -> Float:
        return np.array([weighted_quantile(y, weight, 0.5)])

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(np.abs(raw[0] - y))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.sign(raw[0] - y, out=gradient[0])
        hessian[0] = 1.0

    def leaf_value(self, y: Float, raw: Float, weight: Float | None) -> float:
        return weighted_quantile(y - raw, weight, 0.5)
