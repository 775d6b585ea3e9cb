"""How a table becomes numbers.   In: a Preparation.   Out: a JSON object; and back, checked against the columns."""

from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.encode import Preparation, Schema
from hedgerow.store.errors import InvalidModelFile

PARTS = ("centre", "scale", "levels", "gaps")


def preparation_to(preparation: Preparation) -> dict[str, Any]:
    return {
        "centre": preparation.centre.tolist(),
        "scale": preparation.scale.tolist(),
        "levels": [levels.tolist() for levels in preparation.levels],
        "gaps": preparation.gaps.tolist(),
    }


def preparation_from(given: Any, schema: Schema) -> Preparation | None:
    if given is None:
        return None
    n_columns = len(schema.names)
    if not isinstance(given, dict) or set(given) != set(PARTS):
        raise InvalidModelFile(f"has a preparation without {', '.join(PARTS)}")
    for name in PARTS:
        if not isinstance(given[name], list) or len(given[name]) != n_columns:
            raise InvalidModelFile(f"has a preparation with {name!r} not for {n_columns} columns")
    for name in ("centre", "scale"):
        if not all(type(value) in (int, float) and np.isfinite(value) for value in given[name]):
            raise InvalidModelFile(f"has a preparation with a {name} that is no number")
    if min(given["scale"], default=1) <= 0:
        raise InvalidModelFile("has a preparation with a scale that is not positive")
    if not all(type(gap) is bool for gap in given["gaps"]):
        raise InvalidModelFile("has a preparation with gaps that are not true or false")
    for j, levels in enumerate(given["levels"]):
        _check_levels(j, levels, len(schema.levels[j]))
    return Preparation(
        schema,
        np.array(given["centre"], np.float64),
        np.array(given["scale"], np.float64),
        tuple(np.array(levels, np.int64) for levels in given["levels"]),
        np.array(given["gaps"], bool),
    )


def _check_levels(j: int, levels: Any, n_levels: int) -> None:
    whole = isinstance(levels, list) and all(type(k) is int and 0 <= k < n_levels for k in levels)
    if not whole or any(a >= b for a, b in pairwise(levels)):
        raise InvalidModelFile(f"has a preparation with levels of column {j} that it does not have")
