"""Fine-tuning.   In: a Network and the rows it was boosted on.   Out: a Network whose training loss is no larger.

Boosting finds one unit after another and never goes back. Here all layers move together, by L-BFGS on
the objective of the loss (boost/loss.py), summed over the scores. Weights of units that belong to another class stay
zero, so the layers keep their shape.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.boost.loss import Loss
from hedgerow.boost.network import Network
from hedgerow.boost.unit import ACTIVATIONS
from hedgerow.types import Float, Mask


@dataclass(frozen=True, eq=False)
class Task:
    """What the loss is measured on."""

    standard: Float  # rows x inputs, standardised
    signs: Float  # rows x scores
    weight: Float  # rows, sum one
    loss: Loss


def training_loss(network: Network, task: Task) -> float:
    return _loss_and_slope(network.scores_of(task.standard), task)[0]


def loss_and_gradient(network: Network, task: Task) -> tuple[float, tuple[Float, Float, Float, Float]]:
    """The loss, and its derivative by hidden, bias, output and intercept."""
    kind = ACTIVATIONS[network.activation]
    z = task.standard @ network.hidden.T + network.bias
    units = kind.value(z, network.delta)
    loss, slope = _loss_and_slope(units @ network.output.T + network.intercept, task)
    back = (slope @ network.output) * kind.slope(z, network.delta)
    return loss, (back.T @ task.standard, back.sum(axis=0), slope.T @ units, slope.sum(axis=0))


def _loss_and_slope(scores: Float, task: Task) -> tuple[float, Float]:
    """The loss, and its derivative by the scores."""
    loss, by_margin = task.loss.objective(task.signs * scores, task.weight[:, None])
    return loss, task.signs * by_margin


def fine_tune(network: Network, task: Task, steps: int) -> Network:
    """At most `steps` steps of L-BFGS."""
    from scipy.optimize import minimize

    if steps == 0:
        return network
    free = network.output != 0

    def objective(flat: Float) -> tuple[float, Float]:
        loss, (hidden, bias, output, intercept) = loss_and_gradient(_filled(network, flat, free), task)
        return loss, np.concatenate([hidden.ravel(), bias, output[free], intercept])

    start = np.concatenate([network.hidden.ravel(), network.bias, network.output[free], network.intercept])
    found = minimize(objective, start, jac=True, method="L-BFGS-B", options={"maxiter": steps})
    tuned = _filled(network, found.x, free)
    better = np.isfinite(found.x).all() and training_loss(tuned, task) < training_loss(network, task)
    return tuned if better else network


def _filled(network: Network, flat: Float, free: Mask) -> Network:
    sizes = np.cumsum([network.hidden.size, network.bias.size, np.count_nonzero(free)])
    hidden, bias, weights, intercept = np.split(flat, sizes)
    output = np.zeros_like(network.output)
    output[free] = weights
    return network.with_parameters(hidden.reshape(network.hidden.shape), bias, output, intercept)
