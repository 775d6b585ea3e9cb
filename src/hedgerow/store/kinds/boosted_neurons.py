"""Boosted neurons.   Body: a Network. The rounds it was found in are not kept."""

from typing import Any

import numpy as np

from hedgerow.boost.combine import classes_of_scores, probabilities_of_scores
from hedgerow.boost.loss import loss_names
from hedgerow.boost.network import Network, check
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout, Predictions
from hedgerow.store.preparation import preparation_from, preparation_to
from hedgerow.store.state import ModelState
from hedgerow.table import Table

ESTIMATORS = {"boosted neurons": "BoostedNeuronsClassifier"}
DEFAULTS: dict[str, dict[str, Any]] = {
    "boosted neurons": {
        "n_estimators": 50,
        "activation": "tanh",
        "delta": 1.0,
        "loss": "exponential",
        "learning_rate": 1.0,
        "fine_tune": 0,
        "starts": 4,
        "sampling": "draws",
        "n_steps": 1000,
        "batch_size": 32,
        "step_size": 0.3,
        "l2": 1e-3,
        "categorical_features": None,
        "random_state": None,
        "n_jobs": None,
    }
}
ARRAYS = {
    "hidden": Layout("F64", rank=2),
    "bias": Layout("F64"),
    "output": Layout("F64", rank=2),
    "intercept": Layout("F64"),
}
EXTRA = ("activation", "delta", "preparation")


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Network) -> Content:
    arrays = {name: np.ascontiguousarray(getattr(body, name)) for name in ARRAYS}
    extra = {
        "activation": body.activation,
        "delta": body.delta,
        "preparation": preparation_to(body.inputs),
    }
    return Content(arrays, extra)


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Network:
    if set(extra) != set(EXTRA) or type(extra["delta"]) not in (int, float):
        raise InvalidModelFile(f"has a network without {', '.join(EXTRA)}")
    inputs = preparation_from(extra["preparation"], header.inner)
    if inputs is None:
        raise InvalidModelFile("has a network without its preparation")
    layers = {name: arrays[name] for name in ARRAYS}
    network = Network(inputs, str(extra["activation"]), float(extra["delta"]), **layers)
    try:
        check(network)
    except ValueError as reason:
        raise InvalidModelFile(f"holds no valid network: {reason}") from None
    many = 0 if header.classes is None else len(header.classes)
    if many < 2 or len(network.intercept) != (1 if many == 2 else many):
        raise InvalidModelFile(f"has a network of {len(network.intercept)} scores for {many} classes")
    if str(header.parameters.get("loss")) not in loss_names():
        raise InvalidModelFile("has a network without a known loss")
    return network


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    network: Network = state.body
    scores = network.scores(table if state.preparation is None else state.rows(table))
    return Predictions(
        classes_of_scores(scores), probabilities_of_scores(scores, str(state.parameters["loss"]))
    )


def describe(state: ModelState) -> list[tuple[str, str]]:
    network: Network = state.body
    return [
        ("network", f"{len(network.inputs.names):,} inputs, {network.n_units:,} units {network.activation}"),
        ("parameters", f"{network.n_parameters:,}"),
    ]
