"""SVR: the kernel SVM for numbers, with scikit-learn's API."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.estimators.kernel_svm import (
    KernelSVMMixin,
    warn_about,
)
from hedgerow.estimators.svc import SVC
from hedgerow.estimators.svm_params import SvmParams, check_row_weight, validate_svm
from hedgerow.estimators.targets import check_numbers
from hedgerow.store import ModelState
from hedgerow.svm.certificate import certificate
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.hard import solve_tube
from hedgerow.svm.problem import numbers_problem
from hedgerow.svm.psd import measure_curvature
from hedgerow.svm.solve import solve
from hedgerow.types import Float


@document(SVC)
class SVR(KernelSVMMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Support vector regression: errors up to epsilon cost nothing, larger ones by how much they are larger.

    Parameters
    ----------
    C : float
        Cost of a unit of error beyond the tube, above 0. Infinity allows no error beyond it.

    Attributes
    ----------
    certificate_, progress_, support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, fit_status_,
    n_iter_, n_features_in_, feature_names_in_, shape_fit_

    See Also
    --------
    LinearSVR : Linear, for many rows.
    SVC : The same for classes.

    References
    ----------
    .. [1] A. Smola and B. Schoelkopf, "A tutorial on support vector regression", Statistics and Computing 14, 2004.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVR
    >>> x = np.linspace(0, 6, 60)[:, np.newaxis]
    >>> model = SVR(C=10, epsilon=0.05).fit(x, np.sin(x[:, 0]))
    >>> bool(abs(model.predict([[1.5]])[0] - np.sin(1.5)) < 0.1)
    True
    """

    def __init__(
        self,
        *,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        tol: float = 1e-3,
        C: float = 1.0,
        epsilon: float = 0.1,
        shrinking: bool = True,
        cache_size: float = 500,
        max_iter: int = -1,
        time_limit: float | None = None,
        standardize: bool = False,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.tol = tol
        self.C = C
        self.epsilon = epsilon
        self.shrinking = shrinking
        self.cache_size = cache_size
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.standardize = standardize
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        params = self._check_words()
        X = self._validated(X, reset=True)
        weight = check_row_weight(sample_weight, X.shape[0])
        target = check_numbers(type(self).__name__, y, X.shape[0], weight, "squared_error").values
        rows, X = self._rows(X, params, weight)
        options = replace(params.options, threads=self._threads(rows.n_rows**2))
        which = np.arange(X.shape[0]) if weight is None else np.flatnonzero(weight > 0)
        some = rows if weight is None or weight.all() else rows.take(which)
        upper = params.C * (np.ones(len(which)) if weight is None else weight[which])
        problem = numbers_problem(target[which], float(self.epsilon), upper)
        if np.isinf(params.C):
            problem, solution = solve_tube(problem, self._kernel, some, options)
        else:
            solution = solve(problem, self._kernel, some, options)
        used = np.flatnonzero(solution.coef)
        self.support_ = which[used].astype(np.int32)
        self._coef = solution.coef[used, None]
        self.intercept_ = np.array([-solution.rho])
        self.n_support_ = np.array([len(used)], np.int32)
        self.n_iter_ = solution.iterations
        self.progress_ = solution.history
        stored = params.kernel != "precomputed"
        self._support_rows = X[self.support_] if stored else None
        self._kernel_rows = X if callable(params.kernel) else None
        self.dual_coef_ = self._as_rows_are(np.ascontiguousarray(self._coef.T))
        self.support_vectors_ = self._original(self._support_rows) if stored else np.empty((0, 0))
        self.shape_fit_ = X.shape
        curvature = measure_curvature(self._kernel, some, used, options.threads)
        self.certificate_ = Certificates(("",), (certificate(problem, solution, curvature=curvature),))
        self.fit_status_ = int(solution.stopped_early)
        warn_about(type(self).__name__, [("", self.certificate_.each[0])], options)
        return self

    def _check_words(self) -> SvmParams:
        params = validate_svm(self)
        if not 0 <= float(self.epsilon) < np.inf:
            raise ValueError(f"epsilon={self.epsilon!r} is out of range. Give a number of at least 0.")
        return params

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        self._check_words()
        self._take(state.body)
        self.dual_coef_ = self._as_rows_are(np.ascontiguousarray(self._coef.T))
        self.n_iter_ = int(state.body.n_iter[0])
        self.certificate_ = Certificates(("",), state.body.certificates)

    def predict(self, X: Any) -> Float:
        check_is_fitted(self)
        return self._sums(self._checked(X), self._coef)[:, 0] + self.intercept_[0]  # type: ignore[no-any-return]

    @property
    def coef_(self) -> Any:
        """1 x columns, for kernel="linear", in the units of X; sparse where X was."""
        return self._linear_coef()

    def __sklearn_tags__(self) -> Any:
        return self._tags(super().__sklearn_tags__())
