"""Absolute error. raw is the median; a leaf takes the median of what its rows still lack."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import SolveAll
from hedgerow.gradient.search import QuantileSearch
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 2


class Loss(Base):
    refits_leaves = True

    def start_by(self, solve: SolveAll) -> Float:
        return np.array([solve(self.leaf_search(), np.asarray)])

    def losses(self, y: Float, raw: Float) -> Float:
        return np.asarray(np.abs(raw[0] - y))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        np.sign(raw[0] - y, out=gradient[0])
        hessian[0] = 1.0

    def leaf_search(self) -> QuantileSearch:
        return QuantileSearch(0.5)
