"""Huber's loss: squared up to a bend, absolute beyond. The bend is the quantile `huber_quantile` of the distances from
the median of y, found at the start and kept."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import LossOptions, weighted_quantile
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 3
MOST_STEPS = 50


class Loss(Base):
    refits_leaves = True

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        self.bend = 1.0

    def start(self, y: Float, weight: Float | None) -> Float:
        middle = weighted_quantile(y, weight, 0.5)
        bend = weighted_quantile(np.abs(y - middle), weight, self.options.huber_quantile)
        self.bend = bend if bend > 0 else 1.0
        return np.array([middle + self.leaf_value(y, np.full(len(y), middle), weight)])

    def losses(self, y: Float, raw: Float) -> Float:
        away = np.abs(raw[0] - y)
        return np.asarray(np.where(away <= self.bend, 0.5 * away**2, self.bend * (away - 0.5 * self.bend)))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.clip(raw[0] - y, -self.bend, self.bend, out=gradient[0])
        hessian[0] = 1.0

    def leaf_value(self, y: Float, raw: Float, weight: Float | None) -> float:
        """The zero of the sum of clipped distances, a falling function of the constant: between the extremes, halved
        until two neighbouring numbers are left or MOST_STEPS are done."""
        lack = y - raw
        low, high = float(lack.min()), float(lack.max())
        for _ in range(MOST_STEPS):
            middle = low / 2 + high / 2
            if not low < middle < high:
                break
            pull = np.clip(lack - middle, -self.bend, self.bend)
            if float(np.sum(pull if weight is None else pull * weight)) > 0:
                low = middle
            else:
                high = middle
        return low / 2 + high / 2
