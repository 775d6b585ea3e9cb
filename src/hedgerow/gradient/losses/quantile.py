"""Pinball loss: raw is the quantile asked for; a leaf takes that quantile of what its rows still lack."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import weighted_quantile
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 4


class Loss(Base):
    refits_leaves = True

    def start(self, y: Float, weight: Float | None) -> Float:
        return np.array([weighted_quantile(y, weight, self.options.quantile)])

    def losses(self, y: Float, raw: Float) -> Float:
        above = y - raw[0]
        share = self.options.quantile
        return np.asarray(np.where(above >= 0, share * above, (share - 1) * above))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        share = self.options.quantile
        gradient[0] = np.where(y >= raw[0], -share, 1 - share)
        hessian[0] = 1.0

    def leaf_value(self, y: Float, raw: Float, weight: Float | None) -> float:
        return weighted_quantile(y - raw, weight, self.options.quantile)
