"""Bagging.   Body: a Bag. Of hedgerow's trees it is kept as the forest it is; of other models, model by model."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.ensemble.columns import columns_a_member, columns_of
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout, Predictions
from hedgerow.store.kinds import forest
from hedgerow.store.members import ARRAYS as ARRAYS
from hedgerow.store.members import (
    describe_member,
    inner_table,
    members_from,
    members_to,
    predict_member,
    with_columns,
)
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.types import Count

ESTIMATORS = {"bagging classifier": "BaggingClassifier", "bagging regressor": "BaggingRegressor"}
_BOTH: dict[str, Any] = {
    "estimator": None,
    "n_estimators": 10,
    "max_samples": None,
    "max_features": 1.0,
    "bootstrap": True,
    "bootstrap_features": False,
    "oob_score": False,
    "warm_start": False,
    "n_jobs": None,
    "random_state": None,
    "verbose": 0,
    "stop": None,
}
DEFAULTS: dict[str, dict[str, Any]] = {"bagging classifier": _BOTH, "bagging regressor": _BOTH}
MOST_SEED = 2**31
MANY_OUTPUTS = True


@dataclass(frozen=True, eq=False)
class Bag:
    trees: bool  # then there is one member: the forest of all trees
    members: tuple[ModelState, ...]
    seed: int  # the columns of each member follow from it


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Bag) -> Content:
    return Content(members_to(body.members), {"trees": body.trees, "seed": body.seed})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Bag:
    trees, seed = extra.get("trees"), extra.get("seed")
    if type(trees) is not bool or type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise InvalidModelFile("does not say whether its members are trees, or has no seed")
    members = members_from(arrays, header)
    n_columns = len(header.inner.names)
    if trees:
        if len(members) != 1 or not isinstance(members[0].body, forest.Body):
            raise InvalidModelFile("says that it is of trees, but holds no forest")
        if members[0].schema != header.inner or not _same_classes(members[0], header):
            raise InvalidModelFile("has other columns or classes than its trees")
        return Bag(True, members, seed)
    size = _size(header.parameters, n_columns)
    for k, member in enumerate(members):
        if len(member.schema.names) != size:
            raise InvalidModelFile(
                f"holds a member {k} that sees {len(member.schema.names)} columns, not {size}"
            )
    return Bag(False, members, seed)


def _same_classes(member: ModelState, header: Header) -> bool:
    own, wanted = member.classes, header.classes
    return own is wanted is None or (own is not None and wanted is not None and np.array_equal(own, wanted))


def _size(parameters: Any, n_columns: int) -> int:
    share, repeat = parameters["max_features"], parameters["bootstrap_features"]
    most = {int: np.inf if repeat else n_columns, float: 1.0}.get(type(share))
    if type(repeat) is not bool or most is None or not 0 < share <= most:
        raise InvalidModelFile(f"has max_features={share!r:.40}, which {n_columns} columns cannot give")
    return columns_a_member(share, n_columns)


def _columns(state: ModelState, k: int) -> Count:
    n = len(state.inner.names)
    size = _size(state.parameters, n)
    return columns_of(state.body.seed, k, n, size, repeat=state.parameters["bootstrap_features"])


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    body: Bag = state.body
    if body.trees:
        return forest.predict(replace(state, body=body.members[0].body), table, threads)
    inside = inner_table(state, table)
    total: Any = 0.0
    for k, member in enumerate(body.members):
        own = with_columns(inside, _columns(state, k))
        total = total + predict_member(member, own, state.classes, threads, votes=False)
    mean = total / len(body.members)
    return Predictions(mean[:, 0]) if state.classes is None else Predictions(mean.argmax(axis=1), mean)


def describe(state: ModelState) -> list[tuple[str, str]]:
    body: Bag = state.body
    if body.trees:
        return forest.describe(replace(state, body=body.members[0].body))
    return [("members", f"{len(body.members):,}, such as {describe_member(body.members[0])}")]
