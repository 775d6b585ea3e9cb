"""Bagging.   Body: a Bag. Of hedgerow's trees it is kept as the forest it is; of other models, model by model."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.ensemble.columns import columns_a_member, columns_of
from hedgerow.store.damage import Defect
from hedgerow.store.header import Header
from hedgerow.store.kind import Answers, Arrays, Written
from hedgerow.store.kinds import forest
from hedgerow.store.members import ARRAYS as ARRAYS
from hedgerow.store.members import (
    inner_table,
    member_parts,
    members_from,
    members_to,
    said,
    told,
    with_columns,
)
from hedgerow.store.parts import Parts
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


@dataclass(frozen=True, eq=False)
class Bag:
    trees: bool  # then there is one member: the forest of all trees
    members: tuple[Parts, ...]
    seed: int  # the columns of each member follow from it


def taken(model: Any) -> Bag | None:
    if not hasattr(model, "draws_"):
        return None
    seed = model.draws_.seed
    if hasattr(model, "forest_"):
        return Bag(True, (_forest_of(model),), seed)
    members = (member_parts(str(k), member) for k, member in enumerate(model.estimators_))
    return Bag(False, tuple(members), seed)


def _forest_of(model: Any) -> Parts:
    classes = getattr(model, "classes_", None)
    tag = "forest regressor" if classes is None else "forest classifier"
    criterion = getattr(model.estimator, "criterion", forest.DEFAULTS[tag]["criterion"])
    return Parts(
        model=tag,
        body=forest.Body(model.forest_, forest.criterion_of(criterion)),
        schema=model.schema_,
        classes=classes,
        names_in=hasattr(model, "feature_names_in_"),
        parameters={**forest.DEFAULTS[tag], "criterion": criterion},
    )


def written(body: Bag) -> Written:
    return Written(members_to(body.members), {"trees": body.trees, "seed": body.seed})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Bag:
    trees, seed = extra.get("trees"), extra.get("seed")
    if type(trees) is not bool or type(seed) is not int or not 0 <= seed < MOST_SEED:
        raise Defect("does not say whether its members are trees, or has no seed")
    members = members_from(arrays, header)
    n_columns = len(header.inner.names)
    if trees:
        if len(members) != 1 or not isinstance(members[0].body, forest.Body):
            raise Defect("says that it is of trees, but holds no forest")
        if members[0].schema != header.inner or not _same_classes(members[0], header):
            raise Defect("has other columns or classes than its trees")
        return Bag(True, members, seed)
    size = _size(header.parameters, n_columns)
    for k, member in enumerate(members):
        if len(member.schema.names) != size:
            raise Defect(f"holds a member {k} that sees {len(member.schema.names)} columns, not {size}")
    return Bag(False, members, seed)


def _same_classes(member: Parts, header: Header) -> bool:
    own, wanted = member.classes, header.classes
    return own is wanted is None or (own is not None and wanted is not None and np.array_equal(own, wanted))


def _size(parameters: Any, n_columns: int) -> int:
    share, repeat = parameters["max_features"], parameters["bootstrap_features"]
    most = {int: np.inf if repeat else n_columns, float: 1.0}.get(type(share), 0)
    if type(repeat) is not bool or not 0 < share <= most:
        raise Defect(f"has max_features={share!r:.40}, which {n_columns} columns cannot give")
    return columns_a_member(share, n_columns)


def _columns(parts: Parts, k: int) -> Count:
    n = len(parts.inner.names)
    size = _size(parts.parameters, n)
    return columns_of(parts.body.seed, k, n, size, repeat=parts.parameters["bootstrap_features"])


def answers(parts: Parts, table: Table, threads: int | None) -> Answers:
    body: Bag = parts.body
    if body.trees:
        return forest.answers(replace(parts, body=body.members[0].body), table, threads)
    inside = inner_table(parts, table)
    total: Any = 0.0
    for k, member in enumerate(body.members):
        own = with_columns(inside, _columns(parts, k))
        total = total + said(member, own, parts.classes, threads, votes=False)
    mean = total / len(body.members)
    return Answers(mean[:, 0]) if parts.classes is None else Answers(mean.argmax(axis=1), mean)


def facts(parts: Parts) -> list[tuple[str, str]]:
    body: Bag = parts.body
    if body.trees:
        return forest.facts(replace(parts, body=body.members[0].body))
    return [("members", f"{len(body.members):,}, such as {told(body.members[0])}")]
