"""A forest.   Body: a Forest. 16 bytes a node, and a table of its leaves (ensemble/compact.py)."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.ensemble.compact import Compact, compact_forest, expand_forest
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.flat import flat_of
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.predict import values as predict_values
from hedgerow.ensemble.shap import shap_values
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Contributions, Layout, Predictions, probability_titles
from hedgerow.store.kinds.tree import check_values
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.tree.check import TreeError

ESTIMATORS = {
    "forest classifier": "RandomForestClassifier",
    "forest regressor": "RandomForestRegressor",
    "extra trees classifier": "ExtraTreesClassifier",
    "extra trees regressor": "ExtraTreesRegressor",
}
_ALL: dict[str, Any] = {
    "n_estimators": 100,
    "max_depth": None,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_weight_fraction_leaf": 0.0,
    "max_leaf_nodes": None,
    "min_impurity_decrease": 0.0,
    "oob_score": False,
    "n_jobs": None,
    "random_state": None,
    "verbose": 0,
    "warm_start": False,
    "ccp_alpha": 0.0,
    "max_samples": None,
    "monotonic_cst": None,
    "categorical_features": None,
    "splits": "binary",
    "missing": "learned",
    "max_bins": None,
    "redraw": True,
    "stop": None,
}
_CLASSES: dict[str, Any] = {"criterion": "gini", "max_features": "sqrt", "class_weight": None}
_NUMBERS: dict[str, Any] = {"criterion": "squared_error", "max_features": 1.0}
DEFAULTS: dict[str, dict[str, Any]] = {
    "forest classifier": {**_ALL, **_CLASSES, "bootstrap": True},
    "forest regressor": {**_ALL, **_NUMBERS, "bootstrap": True},
    "extra trees classifier": {**_ALL, **_CLASSES, "bootstrap": False},
    "extra trees regressor": {**_ALL, **_NUMBERS, "bootstrap": False},
}
ARRAYS = {
    "nodes": Layout("U8", rank=2),
    "starts": Layout("I64"),
    "words": Layout("U64"),
    "word_starts": Layout("I64"),
    "n_levels": Layout("I32"),
    "leaf_value": Layout("F64", rank=2),
    "leaf_weight": Layout("F64"),
    "leaf_rows": Layout("I64"),
    "leaf_impurity": Layout("F64"),
    "inner_value": Layout("F64", rank=2),
    "inner_weight": Layout("F64"),
    "inner_rows": Layout("I64"),
    "inner_impurity": Layout("F64"),
    "stand_starts": Layout("I64"),
    "stand_word_starts": Layout("I64"),
    "stand_node": Layout("I32"),
    "stand_feature": Layout("I32"),
    "stand_threshold": Layout("F64"),
    "stand_first_below": Layout("U8"),
    "stand_start": Layout("I64"),
    "stand_bits": Layout("U64"),
    "stand_agreement": Layout("F64"),
    "stand_adjusted": Layout("F64"),
}


MANY_OUTPUTS = True


@dataclass(frozen=True, eq=False)
class Body:
    forest: Forest
    criterion: str


def criterion_of(name: str) -> str:
    return "entropy" if name == "log_loss" else name


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Body) -> Content:
    compact = compact_forest(body.forest.trees, body.criterion)
    return Content({field.name: getattr(compact, field.name) for field in fields(Compact)}, {})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Body:
    criterion = criterion_of(str(header.parameters.get("criterion", "")))
    if len(arrays["n_levels"]) != len(header.inner.names):
        raise InvalidModelFile(
            f"has trees of {len(arrays['n_levels'])} columns but names {len(header.inner.names)}"
        )
    if not np.array_equal(arrays["n_levels"], header.inner.n_levels):
        raise InvalidModelFile("has other levels in its trees than it lists")
    check_values(header, arrays["leaf_value"])
    try:
        with np.errstate(all="ignore"):
            trees = expand_forest(arrays, criterion)
    except TreeError as reason:
        raise InvalidModelFile(f"holds no valid forest: {reason}") from None
    return Body(Forest(trees, NOBODY_KNOWS), criterion)


# Who drew which rows is no part of a file: it would be as long as the training table.
NOBODY_KNOWS = Draws("all", 0, 0, np.empty(0, np.uint32), None, 0)


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    rows = state.rows(table)
    forest: Forest = state.body.forest
    values = predict_values(forest, rows, threads_for(threads, rows.size * len(forest.trees)))
    return Predictions(values[:, 0]) if state.classes is None else Predictions(values.argmax(axis=1), values)


def explain(state: ModelState, table: Table, threads: int | None) -> Contributions:
    rows = state.rows(table)
    found = shap_values(flat_of(state.body.forest), rows, threads_for(threads, rows.size))
    return Contributions(found.values, found.base, probability_titles(state.classes))


def describe(state: ModelState) -> list[tuple[str, str]]:
    trees = state.body.forest.trees
    leaves = [tree.n_leaves for tree in trees]
    return [
        ("trees", f"{len(trees):,}, {int(np.mean(leaves)):,} leaves each on average"),
        ("learned from", f"{max(int(tree.n_rows[0]) for tree in trees):,} rows a tree"),
    ]
