"""What SVC and SVR share.   In: parameters and matrices as the caller has them.   Out: Kernel, KernelInput, options."""

import warnings
from numbers import Number
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.kernels import KERNELS as STORED_KERNELS
from hedgerow.encode import Schema
from hedgerow.estimators.columns import check_matrix
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.slack import SlackMixin
from hedgerow.estimators.svm_params import SvmParams
from hedgerow.estimators.svm_probability import refuse_late_probability
from hedgerow.store.kinds.svm import Body
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.kernel import Kernel, kernel_dot, kernel_matrix
from hedgerow.svm.kernel_input import KernelInput, gram_rows, rows_of
from hedgerow.svm.problem import classes_problem, numbers_problem
from hedgerow.svm.psd import KernelWarning, explain
from hedgerow.svm.scale import Scale, scale_of, warn_if_uneven
from hedgerow.svm.solution import SolverOptions
from hedgerow.svm.steps import SolverSteps, trace_steps
from hedgerow.svm.symmetric import check_symmetric
from hedgerow.table import Kind
from hedgerow.types import Float


class KernelSVMMixin(SlackMixin, ExportMixin):
    """Mixed into an estimator with the parameters that validate_svm reads."""

    kernel: Any
    n_jobs: int | None
    tol: float
    standardize: bool
    support_: Any
    n_support_: Any
    intercept_: Float
    support_vectors_: Any
    shape_fit_: tuple[int, int]
    fit_status_: int
    n_iter_: Any
    certificate_: Certificates
    _scale: Scale | None
    _kernel: Kernel
    _coef: Float  # support vectors x models
    _support_rows: Any  # what the kernel is computed against; None for a kernel matrix
    # What a function of the caller's is computed against, as in scikit-learn: all rows of training
    _kernel_rows: Any

    def _rows(self, X: Any, params: SvmParams, weight: Float | None) -> tuple[KernelInput, Any]:
        """Training rows as the solver takes them, and the (scaled) matrix they come from. Sets the kernel."""
        names = getattr(self, "feature_names_in_", None)
        self._scale = None
        if params.kernel == "precomputed":
            self._kernel, self._gamma = Kernel("precomputed"), 0.0
            if X.shape[0] != X.shape[1]:
                raise ValueError(
                    f"kernel='precomputed' wants a square matrix of kernel values at fit, but X is {X.shape[0]} x "
                    f"{X.shape[1]}. Precomputed matrix must be a square matrix: rows x the same rows."
                )
            check_symmetric(X, "the precomputed kernel matrix")
            return gram_rows(X), X
        if params.standardize:
            self._scale = scale_of(X, weight)
            X = self._scale.apply(X)
        elif X.shape[0] > 1 and X.ndim == 2:
            warn_if_uneven(X, names)
        if callable(params.kernel):
            self._kernel, self._gamma = Kernel("precomputed"), 0.0
            matrix = call_kernel(params.kernel, X, X)
            check_symmetric(matrix, f"the matrix of kernel={params.kernel!r}")
            return gram_rows(matrix), X
        self._gamma = gamma_of(params.gamma, X, weight) if Kernel(params.kernel).has_gamma else 0.0
        self._kernel = Kernel(params.kernel, self._gamma, params.coef0, params.degree)
        rows = rows_of(X)
        _refuse_overflow(self._kernel, rows)
        return rows, X

    def _validated(self, X: Any, reset: bool) -> Any:
        """A matrix of finite float64 by rows, dense or CSR; kernel values are dense. A function of the caller's may
        take other things, such as texts: one a row."""
        if callable(self.kernel) and not self.standardize and _holds_things(X):
            return things_of(X)
        if self.kernel == "precomputed" and issparse(X):
            raise TypeError(
                "Sparse precomputed kernels are not supported: a sparse matrix of kernel values was given. Way out: "
                "X.toarray()."
            )
        sparse: str | bool = False if self.kernel == "precomputed" else "csr"
        return check_matrix(self, X, reset=reset, sparse=sparse)

    @property
    def schema_(self) -> Schema:
        return schema_of_numbers(self)

    def _take(self, body: Any) -> None:
        """Of a model file, what all kernel SVMs have."""
        self._kernel, self._gamma, self._scale = body.kernel, body.kernel.gamma, body.scale
        self._coef, self._support_rows = body.coef, body.rows
        self.support_, self.n_support_, self.intercept_ = body.support, body.n_support, body.intercept
        self.support_vectors_ = self._original(body.rows)
        self.shape_fit_ = body.shape_fit
        self.fit_status_ = int(any(one.ending != "solved" for one in body.certificates))

    def _stored_body(self) -> Body | None:
        if not hasattr(self, "certificate_"):
            return None
        name = type(self).__name__
        if self._kernel.name == "precomputed":
            raise TypeError(
                f"A {name} with kernel={self.kernel!r} cannot be saved as a model file: only the built-in kernels "
                f"{', '.join(STORED_KERNELS)} can be kept in one. Way out: one of these, or pickle."
            )
        if self.kernel != self._kernel.name:
            raise ValueError(
                f"kernel={self.kernel!r} was set after {name} was fitted. Fit it again before saving."
            )
        refuse_late_probability(self)
        return Body(
            kernel=self._kernel,
            rows=self._support_rows,
            coef=self._coef,
            intercept=self.intercept_,
            scale=self._scale,
            support=self.support_,
            n_support=self.n_support_,
            n_iter=np.atleast_1d(np.asarray(self.n_iter_, np.int32)),
            class_weight=getattr(self, "class_weight_", np.empty(0)),
            shape_fit=(int(self.shape_fit_[0]), int(self.shape_fit_[1])),
            calibrator=getattr(self, "calibrator_", None),
            certificates=self.certificate_.each,
        )

    def _threads(self, cells: int) -> int:
        return threads_for(self.n_jobs, cells)

    def _checked(self, X: Any) -> Any:
        """New rows, scaled as the training rows were."""
        check_is_fitted(self)
        X = self._validated(X, reset=False)
        if self._support_rows is not None and hasattr(X, "tocsr") != hasattr(self._support_rows, "tocsr"):
            # As the training rows were
            X = X.toarray() if hasattr(X, "tocsr") else type(self._support_rows)(X)
        return X if self._scale is None else self._scale.apply(X)

    def _sums(self, X: Any, coef: Float) -> Float:
        """For each new row and column of coef, the sum over support vectors of coef times kernel."""
        if len(coef) == 0:
            return np.zeros((X.shape[0], coef.shape[1]))
        if self._kernel.name == "precomputed":
            matrix = (
                X[:, self.support_]
                if self._support_rows is None
                else call_kernel(self.kernel, X, self._kernel_rows)[:, self.support_]
            )
            return np.asarray(matrix @ coef)
        threads = self._threads(X.shape[0] * len(coef) * 4)
        return kernel_dot(self._kernel, rows_of(self._support_rows), coef, rows_of(X), threads=threads)

    def trace_steps(self, X: Any, y: Any, *, machine: int = 0, sample_weight: Any = None) -> SolverSteps:
        """Every step of the solver, one by one.

        Returns
        -------
        SolverSteps
            Of each step the two rows that move, by how much, and both objectives and the largest violation after it,
            as arrays; it prints and draws itself. These are the steps of a fit of up to 200 rows. More rows are
            fitted in working sets, by other steps to the same optimum.
        """
        name, row, target, upper = self._binary(y, machine, sample_weight)
        X = self._checked(X)
        if self._kernel.name == "precomputed":
            matrix = (X if self._support_rows is None else call_kernel(self.kernel, X, X))[np.ix_(row, row)]
        else:
            rows = rows_of(X[row])
            matrix = kernel_matrix(self._kernel, rows, rows, self._threads(len(row) ** 2))
        if hasattr(self, "classes_"):
            problem = classes_problem(target, upper)
        else:
            problem = numbers_problem(target, float(self.epsilon), upper)  # type: ignore[attr-defined]
        return trace_steps(name, problem, matrix, row, float(self.tol))

    def _original(self, rows: Any) -> Any:
        """Support vectors in the units they came in."""
        return rows if self._scale is None else self._scale.undo(rows)

    def _as_rows_are(self, coef: Float) -> Any:
        """Sparse where the support vectors are, as in scikit-learn."""
        sparse = issparse(self._support_rows) and self._kernel.name != "precomputed"
        return csr_matrix(coef) if sparse else coef

    def _linear_coef(self) -> Any:
        if self.kernel != "linear":
            raise AttributeError("coef_ is for kernel='linear' only.")
        check_is_fitted(self)
        coef = np.asarray(self._support_rows.T @ self._coef).T
        coef = coef if self._scale is None else self._scale.back(coef, np.zeros(len(coef)))[0]
        coef.flags.writeable = False  # computed anew for each reader: what is written here would be lost
        return self._as_rows_are(coef)

    def _tags(self, tags: Any) -> Any:
        tags.input_tags.sparse = self.kernel != "precomputed"
        tags.input_tags.pairwise = self.kernel == "precomputed"
        return tags


def _holds_things(X: Any) -> bool:
    """A list, or an array of one dimension, of what are no rows of numbers."""
    if not (isinstance(X, (list, tuple)) or (isinstance(X, np.ndarray) and X.ndim == 1)):
        return False
    return any(isinstance(one, (str, bytes)) or not np.iterable(one) for one in X)


def things_of(X: Any) -> NDArray[Any]:
    """One thing a row; numbers by themselves are no rows."""
    things = np.empty(len(X), object)
    things[:] = list(X)
    if len(things) == 0 or any(isinstance(one, (Number, np.number)) for one in things):
        raise ValueError(
            "Expected 2D array, got 1D array instead: X has one dimension. Reshape your data: X.reshape(-1, 1) if it "
            "is one column. A kernel function may also be given things that are no numbers, one a row."
        )
    return things


def schema_of_numbers(model: Any) -> Schema:
    """The columns of a fitted model: numbers, all of them."""
    n = model.n_features_in_
    names = tuple(getattr(model, "feature_names_in_", ()))
    if len(set(names)) < len(names):
        raise ValueError("Two columns have the same name. Give them different names, and fit again.")
    number: Kind = "number"
    return Schema(names or tuple(f"x{j}" for j in range(n)), (number,) * n, ((),) * n, named=bool(names))


def gamma_of(gamma: float | str, X: Any, weight: Float | None) -> float:
    """ "scale": 1 / (columns x variance of all cells), rows counted by weight; "auto": 1 / columns."""
    if not isinstance(gamma, str):
        return gamma
    if gamma == "auto":
        return float(1.0 / X.shape[1])
    if weight is None:
        variance = X.multiply(X).mean() - X.mean() ** 2 if hasattr(X, "tocsr") else X.var()
    else:
        share = weight / (weight.sum() * X.shape[1])
        if hasattr(X, "tocsr"):
            mean = float((share @ X).sum())
            variance = float((share @ X.multiply(X)).sum()) - mean**2
        else:
            mean = float(share @ X.sum(axis=1))
            variance = float(share @ ((X - mean) ** 2).sum(axis=1))
    if not np.isfinite(variance):
        raise ValueError(
            "The numbers of X are so large that their variance overflows. Scale the columns (standardize=True), or "
            "give gamma as a number."
        )
    return float(1.0 / (X.shape[1] * variance)) if variance != 0 else 1.0


def call_kernel(kernel: Any, X: Any, other: Any) -> Float:
    values = kernel(X, other)
    matrix = np.asarray(values.toarray() if issparse(values) else values, np.float64)
    if matrix.shape != (X.shape[0], other.shape[0]):
        raise ValueError(
            f"kernel={kernel!r} gave values of shape {matrix.shape} for {X.shape[0]} x {other.shape[0]} rows; wanted "
            f"{(X.shape[0], other.shape[0])}."
        )
    if not all(np.isfinite(row).all() for row in matrix):
        raise ValueError(f"kernel={kernel!r} gave NaN or infinity. A kernel's values must be finite numbers.")
    return matrix


def _refuse_overflow(kernel: Kernel, rows: KernelInput) -> None:
    from hedgerow.svm.kernel import diagonal

    with np.errstate(over="ignore", invalid="ignore"):
        largest = np.abs(diagonal(kernel, rows)).max()
    if not largest < 1e150:
        raise ValueError(
            f"The {kernel.name} kernel of a row with itself reaches {largest:g}, beyond what can be computed with. "
            "Scale the columns (standardize=True), or choose a smaller gamma or degree."
        )


def warn_about(name: str, certificates: list[tuple[str, Certificate]], options: SolverOptions) -> None:
    """One warning a kind, however many models there are."""
    stopped = [(words, c) for words, c in certificates if c.ending != "solved"]
    if stopped:
        words, worst = max(stopped, key=lambda pair: pair[1].relative_gap)
        why = {
            "time_limit": f"time_limit={options.time_limit:g} s" if options.time_limit is not None else "",
            "max_iter": f"max_iter={options.max_iter}",
            "rounding": f"rounding: tol={options.tol:g} is out of reach of float64 for this kernel and C",
        }[worst.ending]
        warnings.warn(
            f"{name} stopped early{words} by {why}, after {worst.iterations:,} steps. The best solution so far: "
            f"its duality gap is {worst.gap:.3g} ({worst.relative_gap:.2g} of the objective). Allow more, scale the "
            "columns, or accept it.",
            ConvergenceWarning,
            stacklevel=3,
        )
    words, worst = min(certificates, key=lambda pair: pair[1].curvature)
    message = explain(worst.curvature)
    if message:
        warnings.warn(f"{name}{words}: {message}", KernelWarning, stacklevel=3)
