"""Log loss: minus the log of the probability of the row's own class. Two classes: raw is the log odds of the second;
more: an output for each class, probabilities by softmax."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.loss import Loss as Base
from hedgerow.gradient.loss import LossOptions
from hedgerow.gradient.sums import round_limbs, weigh_limbs
from hedgerow.types import Count, Float

TARGET = "classes"
ORDER = 1


class Loss(Base):
    hessians_vanish = True

    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        self.n_outputs = 1 if options.n_classes <= 2 else options.n_classes
        self.raw_is = "log odds of {}" if self.n_outputs == 1 else "score of {}"

    def statistics(self, y: Float, weight: Float | None) -> Count:
        """The weight of each class."""
        classes = range(max(2, self.options.n_classes))
        return np.stack(
            [weigh_limbs(y[y == k], None if weight is None else weight[y == k])[1] for k in classes]
        )

    def start_from(self, statistics: Count) -> Float:
        mass = np.array([round_limbs(row) for row in statistics])
        share = np.clip(mass / mass.sum(), np.finfo(float).eps, 1 - np.finfo(float).eps)
        if self.n_outputs == 1:
            return np.array([np.log(share[1] / share[0])])
        logs = np.log(share)
        return np.asarray(logs - logs.mean())

    def losses(self, y: Float, raw: Float) -> Float:
        if self.n_outputs == 1:
            return np.asarray(np.logaddexp(0.0, raw[0]) - y * raw[0])
        top = raw.max(axis=0)
        total = top + np.log(np.exp(raw - top).sum(axis=0))
        return np.asarray(total - raw[y.astype(np.int64), np.arange(len(y))])

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        self.weighted_gradients(y, raw, None, gradient, hessian, threads)

    def weighted_gradients(
        self, y: Float, raw: Float, weight: Float | None, gradient: Float, hessian: Float, threads: int
    ) -> None:
        if self.n_outputs == 1:
            native.binary_log_loss_gradients(raw[0], y, weight, gradient[0], hessian[0], threads)
        else:
            native.multinomial_gradients(raw, y.astype(np.int32), weight, gradient, hessian, threads)

    def inverse_link(self, raw: Float) -> Float:
        if self.n_outputs == 1:
            return native.binary_probabilities(raw[0], 1)
        return native.class_probabilities(raw, 1)
