"""One tree.   Body: a Tree."""

from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.ensemble.flat import flatten
from hedgerow.ensemble.shap import shap_values
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Contributions, Layout, Predictions, probability_titles
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.tree.check import check
from hedgerow.tree.errors import TreeError
from hedgerow.tree.predict import values as predict_values
from hedgerow.tree.tree import ARRAYS, Tree, to_arrays
from hedgerow.types import Float

ESTIMATORS = {"tree classifier": "DecisionTreeClassifier", "tree regressor": "DecisionTreeRegressor"}
_BOTH: dict[str, Any] = {
    "splitter": "best",
    "max_depth": None,
    "min_samples_split": 2,
    "min_samples_leaf": 1,
    "min_weight_fraction_leaf": 0.0,
    "max_features": None,
    "random_state": None,
    "max_leaf_nodes": None,
    "min_impurity_decrease": 0.0,
    "ccp_alpha": 0.0,
    "prune": None,
    "validation_fraction": 0.2,
    "merge_leaves": False,
    "monotonic_cst": None,
    "categorical_features": None,
    "splits": "binary",
    "missing": "learned",
    "max_bins": None,
    "n_jobs": None,
    "trace": False,
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "tree classifier": {"criterion": "gini", "class_weight": None, **_BOTH},
    "tree regressor": {"criterion": "squared_error", **_BOTH},
}
MANY_OUTPUTS = True
LAYOUT = {name: Layout(spec.code, spec.rank) for name, spec in ARRAYS.items()}


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return LAYOUT


def write(body: Tree) -> Content:
    return Content(to_arrays(body), {})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Tree:
    tree = Tree(**{name: arrays[name] for name in ARRAYS})
    try:
        check(tree)
    except TreeError as reason:
        raise InvalidModelFile(f"holds no valid tree: {reason}") from None
    _check_agree(header, tree)
    return tree


def _check_agree(header: Header, tree: Tree) -> None:
    if tree.n_features != len(header.inner.names):
        raise InvalidModelFile(f"has a tree of {tree.n_features} columns but names {len(header.inner.names)}")
    wrong = np.flatnonzero(tree.n_levels != header.inner.n_levels)
    if len(wrong):
        j = int(wrong[0])
        listed = len(header.inner.levels[j])
        raise InvalidModelFile(
            f"has {tree.n_levels[j]} levels for column {j} in its tree, but lists {listed}"
        )
    check_values(header, tree.value)


def check_values(header: Header, value: Float) -> None:
    """Of each target a number, or a share for each class."""
    wanted = sum(header.widths)
    if value.shape[1] != wanted:
        raise InvalidModelFile(f"has values for {value.shape[1]} outputs, but {wanted} are wanted")
    if not header.model.endswith(" regressor"):
        for shares in np.split(value, np.cumsum(header.widths)[:-1], axis=1):
            check_shares(shares)


def check_shares(shares: Float) -> None:
    """Of the classes, at each node."""
    if shares.min() < 0 or shares.max() > 1 + 1e-9:
        raise InvalidModelFile("has class shares that are not between 0 and 1")
    if np.abs(shares.sum(axis=1) - 1).max() > 1e-6:
        raise InvalidModelFile("has class shares that do not sum to 1")


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    rows = state.rows(table)
    values = predict_values(state.body, rows, threads_for(threads, rows.size))
    return Predictions(values[:, 0]) if state.classes is None else Predictions(values.argmax(axis=1), values)


def explain(state: ModelState, table: Table, threads: int | None) -> Contributions:
    rows = state.rows(table)
    found = shap_values(flatten([state.body]), rows, threads_for(threads, rows.size))
    return Contributions(found.values, found.base, probability_titles(state.classes))


def describe(state: ModelState) -> list[tuple[str, str]]:
    tree: Tree = state.body
    return [
        ("learned from", f"{int(tree.n_rows[0]):,} rows"),
        ("tree", f"{tree.n_leaves:,} leaves, {tree.max_depth} deep"),
    ]
