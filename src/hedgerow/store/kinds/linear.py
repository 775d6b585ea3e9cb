"""Linear SVMs.   Body: coefficients for the columns as they come, and the certificates."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.encode import align
from hedgerow.store.certificates import (
    calibrator_from,
    calibrator_to,
    certificates_from,
    certificates_to,
    facts_of,
)
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Contributions, Layout, Predictions
from hedgerow.store.kinds.svm import LARGEST, MOST, refuse_gaps
from hedgerow.store.state import ModelState
from hedgerow.svm.calibrator import Calibrator
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.classes import sides, two_sided
from hedgerow.svm.linear_classes import decide_linear, linear_scores
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Float

ESTIMATORS = {"linear svm classifier": "LinearSVC", "linear svm regressor": "LinearSVR"}
_BOTH: dict[str, Any] = {
    "dual": "auto",
    "tol": 1e-4,
    "C": 1.0,
    "fit_intercept": True,
    "random_state": None,
    "max_iter": 1000,
    "time_limit": None,
    "standardize": False,
    "n_jobs": None,
    "intercept_scaling": 1.0,
    "verbose": 0,
}
DEFAULTS = {
    "linear svm classifier": {
        **_BOTH,
        "penalty": "l2",
        "loss": "squared_hinge",
        "multi_class": "ovr",
        "class_weight": None,
        "probability": False,
    },
    "linear svm regressor": {**_BOTH, "epsilon": 0.0, "loss": "epsilon_insensitive"},
}
ARRAYS = {"coef": Layout("F64", rank=2), "intercept": Layout("F64")}
EXTRA = ("n_iter", "odds", "certificates")


@dataclass(frozen=True, eq=False)
class Body:
    coef: Float  # models x columns
    intercept: Float
    n_iter: int
    calibrator: Calibrator | None
    certificates: tuple[Certificate, ...]


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Body) -> Content:
    extra = {
        "n_iter": body.n_iter,
        "odds": calibrator_to(body.calibrator),
        "certificates": certificates_to(body.certificates),
    }
    return Content({"coef": body.coef, "intercept": body.intercept}, extra)


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Body:
    if set(extra) != set(EXTRA) or type(extra["n_iter"]) is not int or not 0 <= extra["n_iter"] <= MOST:
        raise InvalidModelFile(f"has a linear SVM without {', '.join(EXTRA)}")
    if header.classes is not None and len(header.classes) < 2:
        raise InvalidModelFile("has an SVM for one class; wanted two or more")
    n_models = 1 if header.classes is None else sum(1 for _ in sides(len(header.classes), "ovr"))
    all_at_once = header.parameters.get("multi_class") == "crammer_singer"
    coef, intercept = arrays["coef"], arrays["intercept"]
    if coef.shape != (n_models, len(header.inner.names)) or len(intercept) != n_models:
        raise InvalidModelFile(
            f"has no coefficients of {len(header.inner.names)} columns for {n_models} binary SVM(s)"
        )
    if not all((np.abs(array) <= LARGEST).all() for array in (coef, intercept)):
        raise InvalidModelFile("has coefficients that are no finite numbers, or too large to compute with")
    return Body(
        coef=coef,
        intercept=intercept,
        n_iter=extra["n_iter"],
        calibrator=calibrator_from(extra["odds"], bool(header.parameters.get("probability"))),
        certificates=certificates_from(extra["certificates"], 1 if all_at_once else n_models),
    )


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    body: Body = state.body
    scores = linear_scores(_cells(state, table), body.coef, body.intercept)
    if state.classes is None:
        return Predictions(scores[:, 0])
    scores = scores[:, 0] if len(state.classes) == 2 else scores
    codes = decide_linear(scores)
    if body.calibrator is None or not state.parameters["probability"]:
        return Predictions(codes, None, two_sided(scores))
    return Predictions(codes, body.calibrator.probabilities(scores, codes))


def _cells(state: ModelState, table: Table) -> Any:
    """A sparse table as it is: written out, its words would fill the memory."""
    if isinstance(table, SparseTable) and state.preparation is None:
        return align(state.schema, table).matrix  # type: ignore[attr-defined]
    return refuse_gaps(state.rows(table))


def explain(state: ModelState, table: Table, threads: int | None) -> Contributions:
    """Coefficient times cell."""
    body: Body = state.body
    rows = np.asarray(refuse_gaps(state.rows(table)), np.float64)
    named = (
        () if state.classes is None else tuple(f"decision value of {one}" for one in state.classes.tolist())
    )
    titles = named[1:] if len(body.coef) == 1 else named
    return Contributions(rows[:, :, None] * body.coef.T[None], body.intercept, titles or ("prediction",))


def describe(state: ModelState) -> list[tuple[str, str]]:
    body: Body = state.body
    return [
        ("coefficients", f"{body.coef.shape[1]:,} columns, {np.count_nonzero(body.coef):,} not zero"),
        *facts_of(body.certificates),
    ]
