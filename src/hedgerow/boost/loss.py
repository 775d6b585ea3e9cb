"""What a boosting loss is.   In: margins z = y f(x), above zero where the score f is right.   Out: what a row costs,
how much it matters to the next round, and the probability that a score stands for.

One file each in boost/losses; the file's name is what `loss=` takes. Nobody else knows a loss by its name. With

    q(z) = -loss'(z)          the weight of a row
    p = q(-f) / (q(f) + q(-f))   the probability at which the score f has the least expected loss

boosting's alpha, which is found for the exponential loss of the weighted rows, never increases a loss whose curvature
is at most its weight (loss'' <= q: then loss(z + s) <= loss(z) + q(z) (exp(-s) - 1)). Every file is tested for this.
"""

from typing import Protocol

import numpy as np

from hedgerow.core import native
from hedgerow.plugins import load_plugin, plugin_names
from hedgerow.types import Float

PACKAGE = "hedgerow.boost.losses"


class Loss(Protocol):
    NATIVE: str | None  # what native/boost/step.cpp calls it; None: the NumPy step below is used
    LOSS_IS_PRODUCT: bool  # weight = loss, so that a round multiplies the mean loss by its normaliser

    def loss(self, margins: Float) -> Float:
        """Of each row; falling, so that the mean of loss(z) / loss(0) is no less than the error."""

    def weight(self, margins: Float) -> Float:
        """q: minus the derivative of the loss."""

    def log_weight(self, margins: Float) -> Float:
        """log q, where q itself may be beyond a float."""

    def curvature(self, margins: Float) -> Float:
        """The second derivative; at most `weight`."""

    def log_odds(self, scores: Float) -> Float:
        """log p / (1 - p) of the second class at which the scores have the least expected loss."""

    def objective(self, margins: Float, base: Float) -> tuple[float, Float]:
        """For gradient methods: the mean loss (or a rising function of it) under the weights `base`, and its gradient
        by the margins."""


def loss_names() -> tuple[str, ...]:
    return plugin_names(PACKAGE)


def load_loss(name: str) -> Loss:
    return load_plugin(PACKAGE, Loss, name, "loss")  # type: ignore[type-abstract]


def loss_at_zero(name: str) -> float:
    """What a mistake costs at least."""
    return float(load_loss(name).loss(np.zeros(1))[0])


def normalized_weights(loss: Loss, margins: Float, base: Float) -> Float:
    """The weight of each cell at these margins, sum one; `base` is the weight before boosting, of each cell or of each
    row (a column). No margin is too large."""
    logs, base = loss.log_weight(margins), np.broadcast_to(base, margins.shape)
    raw = base * np.exp(np.minimum(logs - logs[base > 0].max(), 0.0))
    return np.asarray(raw / raw.sum())


def take_step(
    loss: Loss,
    signs: Float,
    outputs: Float,
    alphas: tuple[float, float],
    base: Float,
    margins: Float,
    since: Float,
    weight: Float,
    threads: int,
) -> tuple[float, float, float]:
    """One round's step, in place: margins and `since` (margins since the weights were last reset; may be the same
    array) grow by y alpha h, weights become those of the loss. The normaliser sum(weight exp(-step)), the mean loss
    (meaningless where LOSS_IS_PRODUCT) and the training error after it."""
    yes, no = alphas
    if loss.NATIVE is not None:
        return native.boost_step(signs, outputs, yes, no, base, loss.NATIVE, margins, since, weight, threads)
    step = signs * outputs * np.where(outputs > 0, yes, no)
    normaliser = float(weight @ np.exp(-step))
    margins += step
    if since is not margins:
        since += step
    weight[:] = normalized_weights(loss, since, base)
    wrong = (margins * signs > 0) != (signs > 0)  # a score of zero is a no
    return normaliser, float(base @ loss.loss(margins)), float(base @ wrong)
