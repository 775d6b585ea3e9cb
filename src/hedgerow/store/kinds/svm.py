"""Kernel SVMs.   Body: the support vectors as the kernel takes them, their coefficients, the certificates.

A kernel that is a function cannot stand in a file; one of precomputed values needs the training rows to predict.
"""

from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.core.kernels import KERNELS
from hedgerow.store.certificates import (
    calibrator_from,
    calibrator_to,
    certificates_from,
    certificates_to,
    facts_of,
    number,
)
from hedgerow.store.errors import InvalidModelFile
from hedgerow.store.header import Header
from hedgerow.store.kind import Arrays, Content, Layout, Predictions
from hedgerow.store.state import ModelState
from hedgerow.svm.calibrator import Calibrator
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.classes import STRATEGIES, class_scores, decide_classes, sides, two_sided
from hedgerow.svm.kernel import Kernel, kernel_dot
from hedgerow.svm.kernel_input import KernelInput, rows_of
from hedgerow.svm.scale import Scale
from hedgerow.table import Table
from hedgerow.types import Float, FloatAny, Index

ESTIMATORS = {"svm classifier": "SVC", "svm regressor": "SVR"}
_BOTH: dict[str, Any] = {
    "C": 1.0,
    "kernel": "rbf",
    "degree": 3,
    "gamma": "scale",
    "coef0": 0.0,
    "shrinking": True,
    "tol": 1e-3,
    "cache_size": 500,
    "max_iter": -1,
    "time_limit": None,
    "standardize": False,
    "n_jobs": None,
}
DEFAULTS = {
    "svm classifier": {
        **_BOTH,
        "class_weight": None,
        "multi_class": "ovo",
        "decision_function_shape": "ovr",
        "break_ties": False,
        "probability": False,
        "random_state": None,
    },
    "svm regressor": {**_BOTH, "epsilon": 0.1},
}
ARRAYS = {
    "dense": Layout("F64", rank=2),  # the support vectors; or, where the rows were sparse, the next three
    "starts": Layout("I64"),
    "at": Layout("I32"),
    "values": Layout("F64"),
    "coef": Layout("F64", rank=2),
    "intercept": Layout("F64"),
    "centre": Layout("F64"),  # empty: not centred
    "spread": Layout("F64"),  # empty: not standardised
    "support": Layout("I32"),
    "n_support": Layout("I32"),
    "n_iter": Layout("I32"),
    "class_weight": Layout("F64"),  # empty in regression
}
EXTRA = ("kernel", "sparse", "shape_fit", "odds", "certificates")
MOST = 2**31 - 1
LARGEST = 1e150  # coefficients and cells; fit refuses kernel values beyond


@dataclass(frozen=True, eq=False)
class Body:
    kernel: Kernel
    rows: Any  # support vectors, scaled: a NumPy matrix, or a SciPy one by rows
    coef: Float  # support vectors x models
    intercept: Float
    scale: Scale | None
    support: Index  # row numbers in training, by class
    n_support: Index
    n_iter: Index
    class_weight: Float
    shape_fit: tuple[int, int]
    calibrator: Calibrator | None
    certificates: tuple[Certificate, ...]


def layout(extra: dict[str, Any]) -> dict[str, Layout]:
    return ARRAYS


def write(body: Body) -> Content:
    rows, scale = rows_of(body.rows), body.scale
    none = np.empty(0)
    arrays: dict[str, Any] = {
        "dense": np.empty((0, 0)) if rows.dense is None else rows.dense,
        "starts": np.empty(0, np.int64) if rows.starts is None else rows.starts,
        "at": np.empty(0, np.int32) if rows.at is None else rows.at,
        "values": none if rows.values is None else rows.values,
        "centre": none if scale is None or scale.centre is None else scale.centre,
        "spread": none if scale is None else scale.spread,
    }
    arrays |= {name: getattr(body, name) for name in ARRAYS if name not in arrays}
    extra = {
        "kernel": asdict(body.kernel),
        "sparse": rows.dense is None,
        "shape_fit": list(body.shape_fit),
        "odds": calibrator_to(body.calibrator),
        "certificates": certificates_to(body.certificates),
    }
    return Content(arrays, extra)


def read(arrays: Arrays, extra: dict[str, Any], header: Header) -> Body:
    if set(extra) != set(EXTRA):
        raise InvalidModelFile(f"has an SVM without {', '.join(EXTRA)}")
    for name, array in arrays.items():
        if not (np.abs(array.astype(np.float64)) <= LARGEST).all():
            raise InvalidModelFile(
                f"has an array {name!r} with entries that are no finite numbers, or too large to compute with"
            )
    n_columns, n_models = len(header.inner.names), _count_models(header)
    n_support = len(arrays["support"])
    if arrays["coef"].shape != (n_support, n_models):
        raise InvalidModelFile(
            f"has no coefficients of {n_support} support vectors for {n_models} binary SVM(s)"
        )
    if len(arrays["intercept"]) != n_models or len(arrays["n_iter"]) != n_models:
        raise InvalidModelFile(f"has no intercepts and steps of {n_models} binary SVM(s)")
    _check_counts(arrays, header)
    return Body(
        kernel=_kernel(extra["kernel"], header),
        rows=_rows(arrays, extra["sparse"], n_support, n_columns),
        coef=arrays["coef"],
        intercept=arrays["intercept"],
        scale=_scale(arrays, extra["sparse"], n_columns),
        support=arrays["support"],
        n_support=arrays["n_support"],
        n_iter=arrays["n_iter"],
        class_weight=arrays["class_weight"],
        shape_fit=_shape_fit(extra["shape_fit"], arrays["support"], n_columns),
        calibrator=calibrator_from(extra["odds"], bool(header.parameters.get("probability"))),
        certificates=certificates_from(extra["certificates"], n_models),
    )


def _count_models(header: Header) -> int:
    if header.classes is None:
        return 1
    strategy = header.parameters["multi_class"]
    if strategy not in STRATEGIES:
        raise InvalidModelFile(f"has multi_class={strategy!r:.40}; wanted {' or '.join(STRATEGIES)}")
    if len(header.classes) < 2:
        raise InvalidModelFile("has an SVM for one class; wanted two or more")
    return sum(1 for _ in sides(len(header.classes), strategy))


def _check_counts(arrays: Arrays, header: Header) -> None:
    by_class, weight = arrays["n_support"], arrays["class_weight"]
    n_classes = 0 if header.classes is None else len(header.classes)
    if len(by_class) != max(n_classes, 1) or by_class.min() < 0 or by_class.sum() != len(arrays["support"]):
        raise InvalidModelFile("has counts of support vectors that do not add up")
    if len(weight) != n_classes or (weight < 0).any():
        raise InvalidModelFile(f"has no weights of {n_classes} classes")
    if arrays["n_iter"].min() < 0:
        raise InvalidModelFile("has a negative number of steps")


def _kernel(given: Any, header: Header) -> Kernel:
    if not isinstance(given, dict) or set(given) != {"name", "gamma", "coef0", "degree"}:
        raise InvalidModelFile("has a kernel without name, gamma, coef0 and degree")
    name, degree = given["name"], given["degree"]
    if name not in KERNELS or header.parameters["kernel"] != name:
        raise InvalidModelFile(
            f"has the kernel {name!r:.40}; wanted one of {', '.join(KERNELS)}, as its parameters say"
        )
    if type(degree) is not int or not 0 <= degree <= MOST:
        raise InvalidModelFile(f"has a kernel of degree {degree!r:.40}")
    gamma = number("a kernel with a gamma", given["gamma"])
    if gamma < 0:
        raise InvalidModelFile("has a kernel with a negative gamma")
    return Kernel(name, gamma, number("a kernel with a coef0", given["coef0"]), degree)


def _rows(arrays: Arrays, sparse: Any, n_support: int, n_columns: int) -> Any:
    dense, starts, at, values = (arrays[name] for name in ("dense", "starts", "at", "values"))
    if type(sparse) is not bool:
        raise InvalidModelFile("does not say whether its support vectors are sparse")
    if not sparse:
        if dense.shape != (n_support, n_columns) or len(starts) + len(at) + len(values):
            raise InvalidModelFile(f"has no {n_support} support vectors of {n_columns} columns")
        return dense
    if dense.size or len(starts) != n_support + 1 or starts[0] != 0 or (np.diff(starts) < 0).any():
        raise InvalidModelFile(f"has no {n_support} sparse support vectors")
    if starts[-1] != len(at) or len(at) != len(values):
        raise InvalidModelFile("has sparse support vectors with cells missing")
    if len(at) and (at.min() < 0 or at.max() >= n_columns):
        raise InvalidModelFile(f"has sparse support vectors with cells outside its {n_columns} columns")
    if any((np.diff(at[a:b]) <= 0).any() for a, b in pairwise(starts.tolist())):
        raise InvalidModelFile("has sparse support vectors with columns out of order")
    return KernelInput(n_support, n_columns, starts=starts, at=at, values=values).sparse()


def _scale(arrays: Arrays, sparse: bool, n_columns: int) -> Scale | None:
    centre, spread = arrays["centre"], arrays["spread"]
    if not len(spread) and not len(centre):
        return None
    if len(spread) != n_columns or len(centre) != (0 if sparse else n_columns) or spread.min() <= 0:
        raise InvalidModelFile(f"has no scale for {n_columns} columns")
    return Scale(None if sparse else centre, spread)


def _shape_fit(given: Any, support: Index, n_columns: int) -> tuple[int, int]:
    whole = isinstance(given, list) and len(given) == 2 and all(type(n) is int for n in given)
    if not whole or not 0 < given[0] <= MOST or given[1] != n_columns:
        raise InvalidModelFile("does not say how many rows and columns it learned from")
    if len(support) and (support.min() < 0 or support.max() >= given[0]):
        raise InvalidModelFile(f"has support vectors outside the {given[0]} rows it learned from")
    if len(np.unique(support)) < len(support):
        raise InvalidModelFile("names a support vector twice")
    return given[0], given[1]


def refuse_gaps(rows: FloatAny) -> Float:
    """As scikit-learn's check does for the estimator."""
    if not np.isfinite(rows).all():
        raise ValueError(
            "The rows have missing or infinite cells, and this model was fitted to plain numbers. Way out: fit "
            "make_pipeline(ToNumbers(), ...), which takes gaps."
        )
    return np.ascontiguousarray(rows, np.float64)


def predict(state: ModelState, table: Table, threads: int | None) -> Predictions:
    body: Body = state.body
    scores = _sums(body, refuse_gaps(state.rows(table)), threads) + body.intercept
    if state.classes is None:
        return Predictions(scores[:, 0])
    n_classes, strategy = len(state.classes), state.parameters["multi_class"]
    codes = decide_classes(scores, n_classes, strategy, bool(state.parameters["break_ties"]))
    if body.calibrator is None or not state.parameters["probability"]:
        return Predictions(codes, None, two_sided(class_scores(scores, n_classes, strategy)))
    return Predictions(codes, body.calibrator.probabilities(class_scores(scores, n_classes, strategy), codes))


def _sums(body: Body, X: Any, threads: int | None) -> Float:
    if len(body.coef) == 0:
        return np.zeros((len(X), body.coef.shape[1]))
    if hasattr(body.rows, "tocsr"):
        X = type(body.rows)(X)
    X = X if body.scale is None else body.scale.apply(X)
    crew = threads_for(threads, X.shape[0] * len(body.coef) * 4)
    return kernel_dot(body.kernel, rows_of(body.rows), body.coef, rows_of(X), threads=crew)


def describe(state: ModelState) -> list[tuple[str, str]]:
    body: Body = state.body
    rows = f"{len(body.support):,} of {body.shape_fit[0]:,} rows"
    return [
        ("kernel", str(body.kernel)),
        ("support vectors", rows),
        *facts_of(body.certificates),
    ]
