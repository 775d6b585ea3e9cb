"""Pinball loss: raw is the requested quantile; a leaf takes that quantile of what its rows still lack."""

import numpy as np

from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import SolveAll
from hedgerow.gradient.search import QuantileSearch
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 4


class Loss(Base):
    refits_leaves = True

    def start_by(self, solve: SolveAll) -> Float:
        return np.array([solve(self.leaf_search(), np.asarray)])

    def losses(self, y: Float, raw: Float) -> Float:
        above = y - raw[0]
        share = self.options.quantile
        return np.asarray(np.where(above >= 0, share * above, (share - 1) * above))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        share = self.options.quantile
        gradient[0] = np.where(y >= raw[0], -share, 1 - share)
        hessian[0] = 1.0

    def leaf_search(self) -> QuantileSearch:
        return QuantileSearch(self.options.quantile)
