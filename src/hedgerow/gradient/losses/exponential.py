"""Exponential loss exp(-s raw), s = -1 or 1: AdaBoost's. raw is half the log odds of the second class."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import LossOptions
from hedgerow.gradient.sums import mean_of_limbs
from hedgerow.types import Count, Float

TARGET = "classes"
ORDER = 2


class Loss(Base):
    hessians_vanish = True
    raw_is = "half the log odds of {}"

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        if options.n_classes > 2:
            raise ValueError(
                f"loss='exponential' is for two classes, but there are {options.n_classes}. Use loss='log_loss'."
            )

    def start_from(self, statistics: Count) -> Float:
        share = np.clip(mean_of_limbs(statistics), np.finfo(float).eps, 1 - np.finfo(float).eps)
        return np.array([0.5 * np.log(share / (1 - share))])

    def losses(self, y: Float, raw: Float) -> Float:
        return native.exp_values((1 - 2 * y) * raw[0], 1)

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        sign = 2 * y - 1
        hessian[0] = native.exp_values(-sign * raw[0], threads)
        gradient[0] = -sign * hessian[0]

    def inverse_link(self, raw: Float) -> Float:
        return native.binary_probabilities(2 * raw[0], 1)
