"""LinearSVC: the linear SVM for classes, with scikit-learn's API."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, issparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.columns import check_matrix
from hedgerow.estimators.linear_svm import LinearSVMMixin, warn_if_stopped
from hedgerow.estimators.svm_params import check_row_weight, positive, refuse_one_class
from hedgerow.estimators.svm_probability import ProbabilityMixin
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.target import compute_class_weights
from hedgerow.store import ModelState
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.classes import sides
from hedgerow.svm.crammer_singer import learn_crammer_singer
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.linear import LinearSolverOptions
from hedgerow.svm.linear_classes import decide_linear, learn_l1_classes, learn_linear_classes
from hedgerow.types import Float, Index

LOSSES = ("hinge", "squared_hinge")
PENALTIES = ("l1", "l2")
STRATEGIES = ("ovr", "crammer_singer")


@document()
class LinearSVC(ProbabilityMixin, LinearSVMMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A linear support vector machine: fast, stoppable, with a certificate of how good the solution is. The intercept
    carries no penalty (scikit-learn's does), except with `penalty="l1"` and `multi_class="crammer_singer"`, which
    solve scikit-learn's problem. Dense and sparse rows.

    Parameters
    ----------
    penalty : {"l2", "l1"}
        "l1" leaves most coefficients at zero: for `loss="squared_hinge"`, `dual=False` or "auto".
    loss : {"squared_hinge", "hinge"}
        Cost of a row inside the margin.
    tol : float
        The duality gap at the end, relative to the objective.
    C : float
        Cost of a unit of slack, above 0. Infinity is the hard margin, which raises NotSeparable, with rows that
        prove it, where the classes cannot be separated.
    multi_class : {"ovr", "crammer_singer"}
        One binary SVM for each class; or one problem of all classes, in which each row wants its class's score
        above every other.
    random_state : int, RandomState or None
        Order of the rows in coordinate descent.
    max_iter : int
        Most Newton steps or epochs of coordinate descent; the best solution so far is then kept with its gap, and a
        warning says so.
    verbose : int
        Accepted for compatibility with scikit-learn and ignored.

    Attributes
    ----------
    certificate_, coef_, intercept_, classes_, n_iter_, n_features_in_, feature_names_in_, progress_

    See Also
    --------
    SVC : Kernels.
    LinearSVR : The same for numbers.
    svm_path : Every C of a grid at once.

    Notes
    -----
    Minimises :math:`\frac12 |w|^2 + C \sum_i \xi_i` with :math:`\xi_i = \max(0, 1 - y_i (w x_i + b))`, squared or
    not. The gap between this and its dual is the certificate: the solution is that close to the best.

    References
    ----------
    .. [1] C. Cortes and V. Vapnik, "Support-vector networks", Machine Learning 20, 1995.
    .. [2] R.-E. Fan et al., "LIBLINEAR: a library for large linear classification", Journal of Machine Learning
       Research 9, 2008.

    Examples
    --------
    >>> from hedgerow import LinearSVC
    >>> model = LinearSVC(C=1e3).fit([[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1])
    >>> bool(abs(model.certificate_.margin - 1) < 1e-3)  # from the boundary at 2 to the rows at 1 and 3
    True
    """

    def __init__(
        self,
        penalty: str = "l2",
        loss: str = "squared_hinge",
        *,
        dual: Any = "auto",
        tol: float = 1e-4,
        C: float = 1.0,
        multi_class: str = "ovr",
        fit_intercept: bool = True,
        class_weight: Any = None,
        random_state: Any = None,
        max_iter: int = 1000,
        time_limit: float | None = None,
        standardize: bool = False,
        probability: bool = False,
        n_jobs: int | None = None,
        intercept_scaling: float = 1.0,
        verbose: int = 0,
    ) -> None:
        self.penalty = penalty
        self.loss = loss
        self.dual = dual
        self.tol = tol
        self.C = C
        self.multi_class = multi_class
        self.fit_intercept = fit_intercept
        self.class_weight = class_weight
        self.random_state = random_state
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.standardize = standardize
        self.probability = probability
        self.n_jobs = n_jobs
        self.intercept_scaling = intercept_scaling
        self.verbose = verbose

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        C, options = self._solver_options()
        self._check_words()
        X = check_matrix(self, X, reset=True)
        weight = check_row_weight(sample_weight, X.shape[0])
        target, self.classes_ = check_classes(type(self).__name__, y, X.shape[0], weight, None)
        codes = target.codes
        by_row = compute_class_weights(self.class_weight, self.classes_, codes, weight)[codes]
        by_row = by_row * (1.0 if weight is None else weight)
        refuse_one_class(self.classes_, codes, by_row)
        rows, scale = self._training_rows(X, weight)
        options = replace(options, threads=self._threads(rows))
        cost = np.where(by_row > 0, C, 0.0) if np.isinf(C) else C * by_row
        if self.multi_class == "crammer_singer":
            coef, intercept, named = self._learn_all(rows, codes, cost, options)
        else:
            coef, intercept, named = self._learn_each(rows, codes, cost, options)
        self.coef_, back = (coef, intercept) if scale is None else scale.back(coef, intercept)
        self.intercept_ = back if self.fit_intercept else 0.0
        self.certificate_ = Certificates(tuple(w for w, _ in named), tuple(c for _, c in named))
        warn_if_stopped(type(self).__name__, named, options)
        self._fit_calibrator(X, codes, by_row, weight)
        return self

    def _learn_each(
        self, rows: KernelInput, codes: Index, cost: Float, options: LinearSolverOptions
    ) -> tuple[Float, Float, list[tuple[str, Certificate]]]:
        """One class against the rest, each: coefficients, intercepts, certificates with their words."""
        n_classes = len(self.classes_)
        if self.penalty == "l1":
            models = learn_l1_classes(rows, codes, n_classes, cost, options, self._constant())
        else:
            squared, intercept = self.loss == "squared_hinge", bool(self.fit_intercept)
            models = learn_linear_classes(
                rows, codes, n_classes, cost, options, squared=squared, intercept=intercept
            )
        self.n_iter_ = int(max(m.solution.iterations for m in models))
        self.progress_ = [m.solution.progress for m in models]
        named = [(self._words(m.positive), m.certificate) for m in models]
        return np.stack([m.solution.w for m in models]), np.array([m.solution.b for m in models]), named

    def _learn_all(
        self, rows: KernelInput, codes: Index, cost: Float, options: LinearSolverOptions
    ) -> tuple[Float, Float, list[tuple[str, Certificate]]]:
        """All classes at once; of two, the difference."""
        found = learn_crammer_singer(rows, codes, len(self.classes_), cost, self._constant(), options)
        self.n_iter_, self.progress_ = found.iterations, [found.progress]
        coef, intercept = found.coef, found.intercept
        if len(coef) == 2:
            coef, intercept = coef[1:] - coef[:1], intercept[1:] - intercept[:1]
        return coef, intercept, [("", found.certificate)]

    def _constant(self) -> float | None:
        """The cells of the intercept's column, where the intercept carries a penalty."""
        if not self.fit_intercept:
            return None
        return positive("intercept_scaling", self.intercept_scaling, "the cells of the intercept's column")

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for its progress, from a model file."""
        self._solver_options()
        self._check_words()
        body, n_classes = state.body, len(self.classes_)
        self.coef_, self.n_iter_ = body.coef, body.n_iter
        self.intercept_ = body.intercept if self.fit_intercept else 0.0
        names = tuple(self._words(side[0]) for side in sides(n_classes, "ovr"))
        self.certificate_ = Certificates(names[: len(body.certificates)], body.certificates)
        if body.calibrator is not None:
            self.calibrator_ = body.calibrator

    def _check_words(self) -> None:
        check_choice("penalty", self.penalty, PENALTIES)
        check_choice("loss", self.loss, LOSSES)
        all_at_once = check_choice("multi_class", self.multi_class, STRATEGIES) == "crammer_singer"
        if self.penalty == "l1" and not all_at_once and (self.loss == "hinge" or self.dual is True):
            raise ValueError(
                f"Unsupported set of arguments: penalty='l1', loss={self.loss!r}, dual={self.dual!r}. penalty='l1' "
                "goes with loss='squared_hinge' and dual=False or 'auto'; penalty='l2' with all of them."
            )
        if np.isinf(self.C) and (self.penalty == "l1" or all_at_once):
            raise ValueError(
                "C=inf, the hard margin, is for penalty='l2' with multi_class='ovr'. Give a finite C, such as 1e6."
            )
        if self.standardize and not self.fit_intercept:
            raise ValueError(
                "standardize=True moves the origin, and fit_intercept=False wants the boundary through it. "
                "Leave one out."
            )

    def _words(self, positive: int) -> str:
        if len(self.classes_) == 2:
            return ""
        return f" on {self.classes_.tolist()[positive]!r} against the rest"

    def sparsify(self) -> Self:
        """Make `coef_` a sparse matrix: smaller where most coefficients are zero.

        Returns
        -------
        Self
            The estimator.
        """
        check_is_fitted(self)
        self.coef_ = csr_matrix(self.coef_)
        return self

    def densify(self) -> Self:
        """Make `coef_` an array again.

        Returns
        -------
        Self
            The estimator.
        """
        check_is_fitted(self)
        if issparse(self.coef_):
            self.coef_ = self.coef_.toarray()
        return self

    def decision_function(self, X: Any) -> Float:
        """Two classes: a score, positive for the second. More: a column for each class."""
        scores = self._scores(X)
        return scores[:, 0] if len(self.classes_) == 2 else scores

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest score; of two, the second where the score is above 0."""
        scores = self.decision_function(X)
        return self.classes_[decide_linear(scores)]  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Any:
        return self._tags(super().__sklearn_tags__())
