"""Huber's loss: squared up to a bend, absolute beyond. The bend is the quantile `huber_quantile` of the distances from
the median of y, found at the start and kept."""

from functools import partial

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import LossOptions, SolveAll
from hedgerow.gradient.search import HuberSearch, QuantileSearch
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 3


class Loss(Base):
    refits_leaves = True

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        self.bend = 1.0
        self.is_started = False

    def start_by(self, solve: SolveAll) -> Float:
        middle = solve(QuantileSearch(0.5), np.asarray)
        bend = solve(QuantileSearch(self.options.huber_quantile), partial(_distances, middle))
        self.bend, self.is_started = bend if bend > 0 else 1.0, True
        return np.array([middle + solve(self.leaf_search(), partial(_lacks, middle))])

    def losses(self, y: Float, raw: Float) -> Float:
        away = np.abs(raw[0] - y)
        return np.asarray(np.where(away <= self.bend, 0.5 * away**2, self.bend * (away - 0.5 * self.bend)))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.clip(raw[0] - y, -self.bend, self.bend, out=gradient[0])
        hessian[0] = 1.0

    def leaf_search(self) -> HuberSearch:
        return HuberSearch(self.bend)


def _lacks(middle: float, y: Float) -> Float:
    return y - middle


def _distances(middle: float, y: Float) -> Float:
    return np.abs(y - middle)
