"""Fine-tuning.   In: a Network and the rows it was boosted on.   Out: a Network whose training loss is no larger.

Boosting finds one unit after another and never goes back. Here all layers move together, by L-BFGS on

    logistic      sum_i q_i log(1 + exp(-y_i f(x_i)))
    exponential   log sum_i q_i exp(-y_i f(x_i))        (the logarithm: same minimum, and no overflow on the way)

summed over the scores. Weights of units that belong to another class stay zero, so the layers keep their shape.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.boost.activations import ACTIVATIONS
from hedgerow.boost.network import Network
from hedgerow.types import Float, Mask


@dataclass(frozen=True, eq=False)
class Task:
    """What the loss is measured on."""

    standard: Float  # rows x inputs, standardised
    signs: Float  # rows x scores
    weight: Float  # rows, sum one
    loss: str


def training_loss(network: Network, task: Task) -> float:
    return _loss_and_pull(network.scores_of(task.standard), task)[0]


def loss_and_gradient(network: Network, task: Task) -> tuple[float, tuple[Float, Float, Float, Float]]:
    """The loss, and its derivative by hidden, bias, output and intercept."""
    kind = ACTIVATIONS[network.activation]
    z = task.standard @ network.hidden.T + network.bias
    units = kind.value(z, network.delta)
    loss, pull = _loss_and_pull(units @ network.output.T + network.intercept, task)
    back = (pull @ network.output) * kind.slope(z, network.delta)
    return loss, (back.T @ task.standard, back.sum(axis=0), pull.T @ units, pull.sum(axis=0))


def _loss_and_pull(scores: Float, task: Task) -> tuple[float, Float]:
    """The loss, and its derivative by the scores."""
    margins = task.signs * scores
    weight = task.weight[:, None]
    if task.loss == "logistic":
        loss = float((weight * np.logaddexp(0.0, -margins)).sum())
        return loss, -task.signs * weight * np.exp(-np.logaddexp(0.0, margins))
    with np.errstate(divide="ignore"):
        logs = np.log(weight) - margins
    top = float(logs.max())
    terms = np.exp(logs - top)
    total = float(terms.sum())
    return top + float(np.log(total)), -task.signs * terms / total


def fine_tuned(network: Network, task: Task, steps: int) -> Network:
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
