"""svm_path.   In: SVC or LinearSVC, a table, a grid.   Out: SvmPath: every point fitted and cross-validated."""

from collections.abc import Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.core.kernels import GAMMA_KERNELS
from hedgerow.docstrings import document
from hedgerow.estimators.columns import check_matrix
from hedgerow.estimators.kernel_svm import call_kernel, gamma_of
from hedgerow.estimators.linear_svc import LinearSVC
from hedgerow.estimators.svc import SVC
from hedgerow.estimators.svm_params import refuse_one_class, validate_svm
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.target import check_sample_weight, compute_class_weights
from hedgerow.svm.folds import assign_folds
from hedgerow.svm.kernel_input import KernelInput, gram_rows, rows_of
from hedgerow.svm.path import Part, PathTask, SvmPath, View
from hedgerow.svm.path_fits import kernel_path, linear_path
from hedgerow.svm.scale import scale_of
from hedgerow.types import Float

COSTS = tuple(float(c) for c in np.logspace(-3, 3, 13))


@document()
def svm_path(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    C: Sequence[float] | None = None,
    gamma: Sequence[float] | None = None,
    cv: int = 5,
    random_state: int = 0,
) -> SvmPath:
    """Fit every C (and gamma) of a grid, on all rows and under cross-validation, in one call. Products of rows are
    computed once, kernel matrices once for each gamma, and each C starts where the C before ended. Columns are
    standardised, if the model asks for it, by the rows that each fold learns from; so is gamma "scale".
    `model.set_params(**path.params())` takes its choice.

    Parameters
    ----------
    model : SVC or LinearSVC
        Set as wanted; its own C (and gamma) are replaced by those of the grid.
    C : sequence of float or None
        Costs. None for thirteen from 0.001 to 1000.
    gamma : sequence of float or None
        For kernels that have one. None for the model's own.
    cv : int
        Folds; the rows of each class are dealt out evenly.

    Returns
    -------
    SvmPath
        Prints and draws itself.

    See Also
    --------
    SVC : Kernel machines.
    LinearSVC : Linear machines.

    Examples
    --------
    >>> from hedgerow import LinearSVC, datasets, svm_path
    >>> points = datasets.ten_points()
    >>> X = points.frame().drop(points.target_name).to_numpy()
    >>> path = svm_path(LinearSVC(), X, points.target, C=(0.1, 1.0, 10.0), cv=3)
    >>> len(path.points)
    3
    """
    if not isinstance(model, SVC | LinearSVC):
        raise TypeError(f"svm_path wants an SVC or a LinearSVC, not a {type(model).__name__}.")
    costs = _grid("C", COSTS if C is None else C)
    model = clone(model).set_params(C=costs[0])
    X = check_matrix(model, X, reset=True)
    weight = check_sample_weight(sample_weight, X.shape[0])
    target, model.classes_ = check_classes(type(model).__name__, y, X.shape[0], weight, None)
    by_row = compute_class_weights(model.class_weight, model.classes_, target.codes, weight)[target.codes]
    by_row = by_row * (1.0 if weight is None else weight)
    refuse_one_class(model.classes_, target.codes, by_row)
    folds = _folds(cv, np.bincount(target.codes[by_row > 0]))
    task = PathTask(
        target.codes, target.n_classes, by_row, assign_folds(target.codes, folds, random_state), folds
    )
    if isinstance(model, LinearSVC):
        return _linear(model, X, weight, task, costs, gamma)
    return _kernel(model, X, weight, task, costs, gamma)


def _linear(
    model: LinearSVC, X: Any, weight: Float | None, task: PathTask, costs: list[float], gamma: Any
) -> SvmPath:
    if gamma is not None:
        raise ValueError("gamma belongs to kernels, and LinearSVC has none. Use SVC, or leave gamma out.")
    model._check_words()
    if model.penalty != "l2" or model.multi_class != "ovr":
        raise ValueError(
            f"svm_path is for penalty='l2' and multi_class='ovr', not for {model.penalty!r} and {model.multi_class!r}. "
            "For others, sklearn.model_selection.GridSearchCV tries each C."
        )
    squared = model.loss == "squared_hinge"
    _, options = model._solver_options()
    rows, _ = model._training_rows(X, weight)  # warns of uneven columns
    options = replace(options, threads=model._threads(rows))

    def see(part: Part) -> KernelInput:
        return rows_of(_scaled(X, weight, part)) if model.standardize else rows

    return linear_path(see, task, costs, options, squared=squared, intercept=bool(model.fit_intercept))


def _kernel(
    model: SVC, X: Any, weight: Float | None, task: PathTask, costs: list[float], gamma: Any
) -> SvmPath:
    params = validate_svm(model)
    rows, scaled = model._rows(X, params, weight)
    has_gamma = not callable(params.kernel) and params.kernel in GAMMA_KERNELS
    if gamma is not None and not has_gamma:
        raise ValueError(f"kernel={params.kernel!r} has no gamma. Leave gamma out.")
    gammas: list[Any] = [params.gamma] if gamma is None else _grid("gamma", gamma)
    options = replace(params.options, threads=model._threads(rows.n_rows**2))
    own_scale = params.standardize and params.kernel != "precomputed"

    def see(part: Part) -> View:
        if callable(params.kernel) and own_scale:
            values = _scaled(X, weight, part)
            return View(gram_rows(call_kernel(params.kernel, values, values)), (model._kernel,))
        if not has_gamma and not own_scale:
            return View(rows, (model._kernel,))
        values = _scaled(X, weight, part) if own_scale else scaled
        learn = part.train
        heavy = None if weight is None else weight[learn]
        kernels = tuple(
            replace(model._kernel, gamma=gamma_of(g, values[learn], heavy) if has_gamma else 0.0)
            for g in gammas
        )
        return View(rows_of(values) if own_scale else rows, kernels)

    return kernel_path(see, task, costs, model.multi_class, options)


def _scaled(X: Any, weight: Float | None, part: Part) -> Any:
    """All rows, by the scale of those that are learned from: nothing of the others leaks in."""
    return scale_of(X[part.train], None if weight is None else weight[part.train]).apply(X)


def _grid(name: str, given: Any) -> list[float]:
    """Rising, each once."""
    try:
        values = sorted({float(value) for value in np.atleast_1d(np.asarray(given, np.float64))})
    except (TypeError, ValueError):
        values = []
    if not values or not all(0 < value < np.inf for value in values):
        raise ValueError(f"{name}={given!r} is no grid. Give numbers above 0, such as [0.1, 1, 10].")
    return values


def _folds(cv: Any, counts: Any) -> int:
    if isinstance(cv, bool) or not isinstance(cv, Integral) or cv < 2:
        raise ValueError(f"cv={cv!r} is out of range. Give a whole number of folds, at least 2.")
    if counts.min() < 2:
        raise ValueError(
            "a class has a single row, which cannot both be learned from and held out. Drop it, or add rows."
        )
    return int(min(cv, counts.min()))
