"""Tweedie deviance with a power between 1 (Poisson) and 2 (gamma), for many zeros and a long tail, such as claims: raw
is the log of the expected target."""

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.loss import LARGEST_RAW, LogLink, LossOptions
from hedgerow.types import Float

TARGET = "numbers"
ORDER = 7


class Loss(LogLink):
    def __init__(self, options: LossOptions) -> None:
        super().__init__(options)
        if not 1 < options.tweedie_power < 2:
            raise ValueError(
                f"tweedie_power={options.tweedie_power!r} is out of range. Give a number between 1 and 2; use "
                "loss='poisson' for 1 and loss='gamma' for 2."
            )

    def check_target(self, y: Float) -> None:
        if y.min() < 0 or y.sum() <= 0:
            raise ValueError(
                f"loss='tweedie' is for targets of 0 and more, but y has the minimum {y.min():g} and the sum "
                f"{y.sum():g}. Use loss='squared_error' otherwise."
            )

    def _powers(self, raw: Float, threads: int) -> tuple[Float, Float]:
        """exp((1 - p) raw) and exp((2 - p) raw)."""
        held = np.clip(raw[0], -LARGEST_RAW, LARGEST_RAW)
        power = self.options.tweedie_power
        return native.exp_values((1 - power) * held, threads), native.exp_values((2 - power) * held, threads)

    def losses(self, y: Float, raw: Float) -> Float:
        power = self.options.tweedie_power
        first, second = self._powers(raw, 1)
        return np.asarray(y * first / (power - 1) + second / (2 - power))

    def gradients(self, y: Float, raw: Float, gradient: Float, hessian: Float, threads: int) -> None:
        power = self.options.tweedie_power
        first, second = self._powers(raw, threads)
        gradient[0] = second - y * first
        hessian[0] = (2 - power) * second + (power - 1) * y * first
