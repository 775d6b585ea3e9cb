"""What LinearSVC and LinearSVR share.   In: parameters and matrices as the caller has them.   Out: rows, options; words
of warning."""

import warnings
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.encode import Schema
from hedgerow.estimators.columns import check_matrix
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.kernel_svm import schema_of_numbers
from hedgerow.estimators.slack import SlackMixin
from hedgerow.estimators.svm_params import cost, positive, time_limit
from hedgerow.estimators.svm_probability import refuse_late_probability
from hedgerow.fitting.validate import whole
from hedgerow.store.kinds.linear import Body
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.kernel_input import KernelInput, rows_of
from hedgerow.svm.linear import LinearSolverOptions
from hedgerow.svm.linear_classes import linear_scores
from hedgerow.svm.scale import Scale, scale_of, warn_if_uneven
from hedgerow.types import Float

METHODS = {"auto": "auto", True: "descent", False: "newton"}


class LinearSVMMixin(SlackMixin, ExportMixin):
    """Mixed into an estimator with the parameters that are read here."""

    C: float
    dual: Any
    tol: float
    max_iter: int
    time_limit: float | None
    standardize: bool
    random_state: Any
    n_jobs: int | None
    coef_: Any  # an array; after LinearSVC.sparsify a sparse matrix
    intercept_: Any
    n_iter_: int
    certificate_: Certificates

    def _solver_options(self) -> tuple[float, LinearSolverOptions]:
        """C, and how long to try."""
        if not (
            isinstance(self.dual, bool | np.bool_) or (isinstance(self.dual, str) and self.dual == "auto")
        ):
            raise ValueError(
                f"dual={self.dual!r} is unknown. Give 'auto', True (coordinate descent) or False (Newton's method)."
            )
        method = METHODS[self.dual if isinstance(self.dual, str) else bool(self.dual)]
        return cost(self.C), LinearSolverOptions(
            tol=positive("tol", self.tol, "a duality gap, relative to the objective"),
            time_limit=time_limit(self.time_limit),
            max_iter=whole("max_iter", self.max_iter, 1),
            method=method,
            seed=int(check_random_state(self.random_state).randint(2**31 - 1)),
        )

    def _training_rows(self, X: Any, weight: Float | None) -> tuple[KernelInput, Scale | None]:
        if self.standardize:
            scale = scale_of(X, weight)
            return rows_of(scale.apply(X)), scale
        warn_if_uneven(X, getattr(self, "feature_names_in_", None))
        _refuse_overflow(X)
        return rows_of(X), None

    @property
    def schema_(self) -> Schema:
        return schema_of_numbers(self)

    def _stored_body(self) -> Body | None:
        if not hasattr(self, "certificate_"):
            return None
        refuse_late_probability(self)
        coef = np.atleast_2d(self.coef_.toarray() if issparse(self.coef_) else self.coef_)
        return Body(
            coef=coef,
            intercept=np.zeros(len(coef)) + self.intercept_,
            n_iter=int(self.n_iter_),
            calibrator=getattr(self, "calibrator_", None),
            certificates=self.certificate_.each,
        )

    def _threads(self, rows: KernelInput) -> int:
        cells = rows.dense.size if rows.dense is not None else len(rows.values)  # type: ignore[arg-type]
        return threads_for(self.n_jobs, cells)

    def _scores(self, X: Any) -> Float:
        check_is_fitted(self)
        X = check_matrix(self, X, reset=False)
        return linear_scores(X, self.coef_, self.intercept_)

    def _tags(self, tags: Any) -> Any:
        tags.input_tags.sparse = True
        return tags


def _refuse_overflow(X: Any) -> None:
    values = X.data if hasattr(X, "tocsr") else X
    largest = max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
    if largest > 1e100:
        raise ValueError(
            f"X holds {largest:g}, beyond what can be computed with. Scale the columns, or use standardize=True."
        )


def warn_if_stopped(
    name: str, certificates: list[tuple[str, Certificate]], options: LinearSolverOptions
) -> None:
    stopped = [(words, c) for words, c in certificates if c.ending != "solved"]
    if not stopped:
        return
    words, worst = max(stopped, key=lambda pair: pair[1].relative_gap)
    if worst.ending == "rounding" and worst.relative_gap <= 10 * options.tol:
        return
    why = {
        "time_limit": f"time_limit={options.time_limit} s",
        "max_iter": f"max_iter={options.max_iter}",
        "rounding": f"rounding: tol={options.tol:g} is beyond float64 for these rows and C",
    }[worst.ending]
    warnings.warn(
        f"{name} stopped early{words} by {why}, after {worst.iterations:,} iterations. This is the best solution so "
        f"far: its duality gap is {worst.gap:.3g} ({worst.relative_gap:.2g} of the objective). Allow more, scale the "
        "columns, or accept it.",
        ConvergenceWarning,
        stacklevel=3,
    )
