"""A weighted vote.   Body: the members, each with its own ModelState, and their weights."""

from dataclasses import asdict, dataclass, fields
from math import isfinite
from typing import Any

import numpy as np

from hedgerow.ensemble.vote import Coefficients
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout, Predictions
from hedgerow.store.members import ARRAYS as MEMBERS
from hedgerow.store.members import describe_member, inner_table, members_from, members_to, predict_member
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.types import Float

ESTIMATORS = {
    "voting classifier": "WeightedVotingClassifier",
    "voting regressor": "WeightedVotingRegressor",
}
_BOTH: dict[str, Any] = {
    "estimators": [],
    "weights": "learned",
    "learn_on": "folds",
    "cv": 5,
    "validation_fraction": 0.2,
    "prefit": False,
    "n_jobs": None,
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "voting classifier": {**_BOTH, "voting": "soft"},
    "voting regressor": _BOTH,
}
MEMBERS_MAKE_FEATURES = True
ARRAYS = {**MEMBERS, "weights": Layout("F64")}


@dataclass(frozen=True, eq=False)
class Vote:
    names: tuple[str, ...]
    members: tuple[ModelState, ...]
    weights: Float
    learned: Coefficients | None  # None: the weights were given


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Vote) -> Content:
    learned = None
    if body.learned is not None:
        learned = {name: value for name, value in asdict(body.learned).items() if name != "weight"}
    arrays = {**members_to(body.members), "weights": body.weights}
    return Content(arrays, {"names": list(body.names), "learned": learned})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Vote:
    members, weights, names = members_from(arrays, header), arrays["weights"], extra.get("names")
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise InvalidModelFile("has members without names")
    if not len(members) == len(weights) == len(names) or len(set(names)) < len(names):
        raise InvalidModelFile("has not one name and one weight a member")
    if not np.isfinite(weights).all() or weights.min() < 0 or abs(float(weights.sum()) - 1) > 1e-9:
        raise InvalidModelFile("has weights that are negative or do not sum to one")
    listed = header.parameters["estimators"]
    if not isinstance(listed, list) or [_first(pair) for pair in listed] != names:
        raise InvalidModelFile("lists other estimators than it has members")
    for k, member in enumerate(members):
        if len(member.schema.names) != len(header.inner.names):
            raise InvalidModelFile(f"holds a member {k} that sees other columns")
    return Vote(tuple(names), members, weights, _learned(extra.get("learned"), weights))


def _first(pair: Any) -> Any:
    return pair[0] if isinstance(pair, list) and len(pair) == 2 else None


def _learned(given: Any, weights: Float) -> Coefficients | None:
    if given is None:
        return None
    names = [field.name for field in fields(Coefficients) if field.name != "weight"]
    numbers = names[:-1]
    if not isinstance(given, dict) or set(given) != set(names) or not isinstance(given["loss_name"], str):
        raise InvalidModelFile(f"has learned weights without {', '.join(names)}")
    if not all(type(given[name]) in (int, float) and isfinite(given[name]) for name in numbers):
        raise InvalidModelFile("has learned weights whose loss is no number")
    if type(given["n_rows"]) is not int:
        raise InvalidModelFile("has weights learned on a number of rows that is not whole")
    return Coefficients(weight=weights, **given)


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    body: Vote = state.body
    inside, votes = inner_table(state, table), state.parameters.get("voting") == "hard"
    total: Any = 0.0
    for weight, member in zip(body.weights, body.members, strict=True):
        total = total + weight * predict_member(member, inside, state.classes, threads, votes=votes)
    return Predictions(total[:, 0]) if state.classes is None else Predictions(total.argmax(axis=1), total)


def describe(state: ModelState) -> list[tuple[str, str]]:
    body: Vote = state.body
    lines = [
        (f"member {name}", f"weight {weight:.4f}, {describe_member(member)}")
        for name, weight, member in zip(body.names, body.weights, body.members, strict=True)
    ]
    return lines if body.learned is None else [*lines, ("weights", str(body.learned))]
