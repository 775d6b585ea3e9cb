"""LinearSVR: the linear SVM for numbers, with scikit-learn's API."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin

from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.columns import check_matrix
from hedgerow.estimators.linear_svc import LinearSVC
from hedgerow.estimators.linear_svm import LinearSVMMixin, warn_if_stopped
from hedgerow.estimators.svm_params import check_row_weight
from hedgerow.estimators.targets import check_numbers
from hedgerow.store import ModelState
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.linear import column_products, linear_certificate, longest_row, number_problem, solve_linear
from hedgerow.types import Float

LOSSES = ("epsilon_insensitive", "squared_epsilon_insensitive")


@document(LinearSVC)
class LinearSVR(LinearSVMMixin, RegressorMixin, BaseEstimator):  # type: ignore[misc]
    r"""Linear regression with a tube of half width epsilon in which errors cost nothing. The intercept carries no
    penalty (scikit-learn's does). Dense and sparse rows.

    Parameters
    ----------
    C : float
        Cost of a unit of error beyond the tube, above 0 and finite.
    loss : {"epsilon_insensitive", "squared_epsilon_insensitive"}
        Cost of an error beyond the tube.
    intercept_scaling : float
        Accepted for compatibility with scikit-learn and ignored; the intercept carries no penalty.

    Attributes
    ----------
    certificate_, coef_, intercept_, n_iter_, n_features_in_, feature_names_in_, progress_

    See Also
    --------
    SVR : Kernels.
    LinearSVC : The same for classes.

    Notes
    -----
    Minimises :math:`\frac12 |w|^2 + C \sum_i \xi_i` with :math:`\xi_i = \max(0, |y_i - w x_i - b| - \epsilon)`,
    squared or not. The gap between this and its dual is the certificate: the solution is that close to the best.

    References
    ----------
    .. [1] C.-H. Ho and C.-J. Lin, "Large-scale linear support vector regression", Journal of Machine Learning
       Research 13, 2012.

    Examples
    --------
    >>> from hedgerow import LinearSVR
    >>> model = LinearSVR(C=100).fit([[0.0], [1.0], [2.0]], [1.0, 3.0, 5.0])
    >>> bool(abs(model.predict([[4.0]])[0] - 9) < 0.05)
    True
    """

    def __init__(
        self,
        *,
        epsilon: float = 0.0,
        tol: float = 1e-4,
        C: float = 1.0,
        loss: str = "epsilon_insensitive",
        fit_intercept: bool = True,
        dual: Any = "auto",
        random_state: Any = None,
        max_iter: int = 1000,
        time_limit: float | None = None,
        standardize: bool = False,
        n_jobs: int | None = None,
        intercept_scaling: float = 1.0,
        verbose: int = 0,
    ) -> None:
        self.epsilon = epsilon
        self.tol = tol
        self.C = C
        self.loss = loss
        self.fit_intercept = fit_intercept
        self.dual = dual
        self.random_state = random_state
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.standardize = standardize
        self.n_jobs = n_jobs
        self.intercept_scaling = intercept_scaling
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        C, options = self._solver_options()
        epsilon, squared = self._check_words()
        X = check_matrix(self, X, reset=True)
        weight = check_row_weight(sample_weight, X.shape[0])
        target = check_numbers(type(self).__name__, y, X.shape[0], weight, "").values
        rows, scale = self._training_rows(X, weight)
        options = replace(options, threads=self._threads(rows))
        cost = np.full(len(target), C) if weight is None else C * weight
        problem = number_problem(target, cost, epsilon, squared=squared, intercept=bool(self.fit_intercept))
        products = column_products(rows, options, intercept=problem.intercept)
        solution = solve_linear(problem, rows, options, products=products)
        coef, intercept = solution.w[None, :], np.array([solution.b])
        if scale is not None:
            coef, intercept = scale.back(coef, intercept)
        self.coef_ = coef[0]
        self.intercept_ = intercept if self.fit_intercept else 0.0
        self.n_iter_ = solution.iterations
        self.progress_ = solution.progress
        certificate = linear_certificate(problem, rows, solution, radius=longest_row(rows))
        self.certificate_ = Certificates(("",), (certificate,))
        warn_if_stopped(type(self).__name__, [("", certificate)], options)
        return self

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for its progress, from a model file."""
        self._solver_options()
        self._check_words()
        body = state.body
        self.coef_, self.n_iter_ = body.coef[0], body.n_iter
        self.intercept_ = body.intercept if self.fit_intercept else 0.0
        self.certificate_ = Certificates(("",), body.certificates)

    def _check_words(self) -> tuple[float, bool]:
        given = self.epsilon
        if (
            isinstance(given, bool)
            or not isinstance(given, int | float | np.number)
            or not 0 <= given < np.inf
        ):
            raise ValueError(f"epsilon={given!r} is out of range. Give a number of at least 0.")
        if np.isinf(self.C):
            raise ValueError(
                "C=inf asks for no error beyond the tube, which few data allow. Give a finite C."
            )
        if self.standardize and not self.fit_intercept:
            raise ValueError(
                "standardize=True moves the origin, and fit_intercept=False wants the plane through it. Leave one out."
            )
        return float(given), check_choice("loss", self.loss, LOSSES).startswith("squared")

    def predict(self, X: Any) -> Float:
        return self._scores(X)[:, 0]

    def __sklearn_tags__(self) -> Any:
        return self._tags(super().__sklearn_tags__())
