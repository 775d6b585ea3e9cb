"""Gradient boosting.   Body: GradientTrees, their arrays as they are."""

from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.gradient.explain import shapley_values
from hedgerow.gradient.loss import Loss, LossOptions, load_loss
from hedgerow.gradient.trees import PER_NODE, GradientTrees, n_words
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Contributions, Layout, Predictions
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.tree.check import TreeError, check_structure
from hedgerow.types import Count

ESTIMATORS = {
    "gradient boosting classifier": "HistGradientBoostingClassifier",
    "gradient boosting regressor": "HistGradientBoostingRegressor",
}
_BOTH: dict[str, Any] = {
    "learning_rate": 0.1,
    "max_iter": 100,
    "max_leaf_nodes": 31,
    "max_depth": None,
    "min_samples_leaf": 20,
    "l2_regularization": 1.0,
    "max_features": 1.0,
    "max_bins": 255,
    "categorical_features": "from_dtype",
    "monotonic_cst": None,
    "interaction_cst": None,
    "warm_start": False,
    "early_stopping": "auto",
    "scoring": "loss",
    "validation_fraction": 0.1,
    "n_iter_no_change": 10,
    "tol": 1e-7,
    "verbose": 0,
    "random_state": None,
    "l1_regularization": 0.0,
    "min_hessian_leaf": 1e-3,
    "min_gain": 0.0,
    "growth": "leaf",
    "subsample": 1.0,
    "max_features_tree": 1.0,
    "callbacks": None,
    "n_jobs": None,
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "gradient boosting classifier": {**_BOTH, "loss": "log_loss", "class_weight": None},
    "gradient boosting regressor": {
        **_BOTH,
        "loss": "squared_error",
        "quantile": None,
        "tweedie_power": 1.5,
        "huber_quantile": 0.9,
    },
}
ARRAYS = {
    "baseline": Layout("F64"),
    "start": Layout("I64"),
    "column": Layout("I32"),
    "threshold": Layout("F64"),
    "subset_start": Layout("I64"),
    "first_child": Layout("I32"),
    "missing_left": Layout("U8"),
    "value": Layout("F64"),
    "gain": Layout("F64"),
    "n_rows": Layout("I64"),
    "subset_bits": Layout("U64"),
}


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: GradientTrees) -> Content:
    return Content({name: np.ascontiguousarray(getattr(body, name)) for name in ARRAYS}, {})


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> GradientTrees:
    body = GradientTrees(schema=header.inner, **{name: arrays[name] for name in ARRAYS})
    n_classes = 0 if header.classes is None else len(header.classes)
    if n_classes == 1:
        raise InvalidModelFile("has gradient boosting for one class; wanted two or more")
    if len(body.baseline) != (n_classes if n_classes > 2 else 1):
        raise InvalidModelFile(f"has {len(body.baseline)} outputs for {n_classes} classes")
    _check_spans(body)
    numbers = (body.baseline, body.value, body.gain)
    if not all(np.isfinite(array).all() for array in numbers) or np.any(body.n_rows < 0):
        raise InvalidModelFile("has values, gains or numbers of rows that cannot be")
    _check_subsets(body)
    try:
        for tree in body.trees():
            check_structure(tree)
    except TreeError as reason:
        raise InvalidModelFile(f"holds no valid tree: {reason}") from None
    return body


def _check_spans(body: GradientTrees) -> None:
    """Trees stand one behind the other, some in each round."""
    start, many = body.start, len(body.column)
    if any(len(getattr(body, name)) != many for name in PER_NODE):
        raise InvalidModelFile("has arrays of nodes of different lengths")
    if not len(start) or start[0] != 0 or start[-1] != many or np.any(start[1:] <= start[:-1]):
        raise InvalidModelFile("has trees that do not stand one behind the other")
    if (len(start) - 1) % len(body.baseline):
        raise InvalidModelFile("has a round without a tree for each output")
    if np.any(body.missing_left > 1):
        raise InvalidModelFile("has missing cells that go neither left nor right")


def _check_subsets(body: GradientTrees) -> None:
    """Every subset lies within the words; those of a tree are the tree's own and stand in its nodes' order."""
    at = np.flatnonzero(body.subset_start >= 0)
    columns = body.column[at]
    if np.any(body.subset_start < -1) or np.any((columns < 0) | (columns >= len(body.schema.names))):
        raise InvalidModelFile("has subsets of no column")
    lengths: Count = np.array([n_words(body.schema, int(j)) for j in columns], np.int64)
    ends = np.cumsum(lengths)
    if not np.array_equal(body.subset_start[at], ends - lengths) or (
        ends[-1:].sum() != len(body.subset_bits)
    ):
        raise InvalidModelFile("has subsets that do not stand one behind the other")


def loss_of(state: ModelState) -> Loss:
    parameters = state.parameters
    options = LossOptions(
        n_classes=0 if state.classes is None else len(state.classes),
        quantile=parameters.get("quantile") or 0.5,
        tweedie_power=parameters.get("tweedie_power", 1.5),
        huber_quantile=parameters.get("huber_quantile", 0.9),
    )
    return load_loss(parameters["loss"], "numbers" if state.classes is None else "classes", options)


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    rows = state.rows(table)
    trees: GradientTrees = state.body
    raw = np.ascontiguousarray(trees.raw(rows, threads_for(threads, len(rows) * max(1, trees.n_trees))).T)
    meant = loss_of(state).inverse_link(raw)
    if state.classes is None:
        return Predictions(meant[0])
    return Predictions((raw[0] > 0).astype(np.int64) if len(raw) == 1 else raw.argmax(axis=0), meant)


def explain(state: ModelState, table: Table, threads: int | None) -> Contributions:
    rows = state.rows(table)
    values, base = shapley_values(state.body, rows, threads_for(threads, rows.size))
    classes = () if state.classes is None else tuple(map(str, state.classes.tolist()))
    return Contributions(values, base, loss_of(state).raw_names(classes) or ("prediction",))


def describe(state: ModelState) -> list[tuple[str, str]]:
    trees: GradientTrees = state.body
    leaves = int(np.count_nonzero(trees.column < 0))
    each = f", {leaves // trees.n_trees:,} leaves each on average" if trees.n_trees else ""
    return [
        ("rounds", f"{trees.n_rounds:,}"),
        ("trees", f"{trees.n_trees:,}{each}"),
        ("learned from", f"{int(trees.n_rows[0]) if trees.n_trees else 0:,} rows"),
    ]
