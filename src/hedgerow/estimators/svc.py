"""SVC: the kernel SVM for classes, with scikit-learn's API."""

from dataclasses import replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hedgerow.docstrings import document
from hedgerow.errors import check_choice
from hedgerow.estimators.kernel_svm import KernelSVMMixin, warn_about
from hedgerow.estimators.linear_svc import LinearSVC
from hedgerow.estimators.svm_params import check_row_weight, refuse_one_class, validate_svm
from hedgerow.estimators.svm_probability import ProbabilityMixin
from hedgerow.estimators.targets import check_classes
from hedgerow.fitting.target import compute_class_weights
from hedgerow.store import ModelState
from hedgerow.svm.certificates import Certificates
from hedgerow.svm.classes import (
    STRATEGIES,
    BinarySVM,
    class_scores,
    decide_classes,
    learn_classes,
    sides,
    votes,
)
from hedgerow.svm.psd import measure_curvature
from hedgerow.types import Float


@document(LinearSVC)
class SVC(ProbabilityMixin, KernelSVMMixin, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    r"""A support vector machine with a kernel: fast, stoppable, with a certificate of how good the solution is.

    Parameters
    ----------
    tol : float
        Largest difference of two gradients at the end.
    max_iter : int
        Most steps (pairs of coefficients changed); -1 for no limit. The best solution so far is then kept with its
        gap, and a warning says so.
    multi_class : {"ovo", "ovr"}
        A binary SVM for each pair of classes, or one for each class.
    random_state : int, RandomState or None
        Accepted for compatibility with scikit-learn and ignored; the result is the same every time.

    Attributes
    ----------
    certificate_, progress_, support_, support_vectors_, n_support_, dual_coef_, intercept_, coef_, classes_,
    class_weight_, fit_status_, n_iter_, n_features_in_, feature_names_in_, shape_fit_

    See Also
    --------
    LinearSVC : Linear, for many rows.
    SVR : The same for numbers.
    svm_path : Every C and gamma of a grid at once.
    is_kernel : Whether a matrix is a kernel matrix.

    Notes
    -----
    Maximises :math:`\sum_i a_i - \frac12 \sum_{ij} a_i a_j y_i y_j k(x_i, x_j)` with :math:`0 \le a_i \le C` and
    :math:`\sum_i a_i y_i = 0`. Kernels: :math:`x \cdot z`; :math:`(\gamma x \cdot z + c_0)^d`; :math:`e^{-\gamma |x
    - z|^2}`; :math:`\tanh(\gamma x \cdot z + c_0)`.

    References
    ----------
    .. [1] C. Cortes and V. Vapnik, "Support-vector networks", Machine Learning 20, 1995.
    .. [2] C.-C. Chang and C.-J. Lin, "LIBSVM: a library for support vector machines", ACM TIST 2, 2011.

    Examples
    --------
    >>> import numpy as np
    >>> from hedgerow import SVC
    >>> X = np.array([[0, 0], [1, 1], [0, 1], [1, 0]])
    >>> model = SVC(C=10).fit(X, [0, 0, 1, 1])  # exclusive or
    >>> model.predict(X)
    array([0, 0, 1, 1])
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: Any = "rbf",
        degree: int = 3,
        gamma: Any = "scale",
        coef0: float = 0.0,
        shrinking: bool = True,
        tol: float = 1e-3,
        cache_size: float = 500,
        class_weight: Any = None,
        max_iter: int = -1,
        time_limit: float | None = None,
        multi_class: str = "ovo",
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
        standardize: bool = False,
        probability: bool = False,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.shrinking = shrinking
        self.tol = tol
        self.cache_size = cache_size
        self.class_weight = class_weight
        self.max_iter = max_iter
        self.time_limit = time_limit
        self.multi_class = multi_class
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties
        self.standardize = standardize
        self.probability = probability
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        params = validate_svm(self)
        strategy = check_choice("multi_class", self.multi_class, STRATEGIES)
        check_choice("decision_function_shape", self.decision_function_shape, STRATEGIES)
        X = self._validated(X, reset=True)
        weight = check_row_weight(sample_weight, X.shape[0])
        target, self.classes_ = check_classes(type(self).__name__, y, X.shape[0], weight, None)
        codes, n_classes = target.codes, target.n_classes
        self.class_weight_ = compute_class_weights(self.class_weight, self.classes_, codes, weight)
        by_row = self.class_weight_[codes] * (1.0 if weight is None else weight)
        refuse_one_class(self.classes_, codes, by_row)
        given = X
        rows, X = self._rows(X, params, weight)
        upper = np.where(by_row > 0, params.C, 0.0) if np.isinf(params.C) else params.C * by_row
        options = replace(params.options, threads=self._threads(rows.n_rows**2))
        models = learn_classes(self._kernel, rows, codes, n_classes, upper, strategy, options)
        self._keep(models, codes, n_classes, X, params.kernel)
        self.shape_fit_ = X.shape
        curvature = measure_curvature(self._kernel, rows, self.support_, options.threads)
        named = [
            (self._words(m.positive, m.negative), m.certificate.with_curvature(curvature)) for m in models
        ]
        self.certificate_ = Certificates(tuple(words for words, _ in named), tuple(c for _, c in named))
        self.fit_status_ = int(any(c.ending != "solved" for _, c in named))
        warn_about(type(self).__name__, named, options)
        self._fit_calibrator(given, codes, by_row, weight)
        return self

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        validate_svm(self)
        strategy = check_choice("multi_class", self.multi_class, STRATEGIES)
        check_choice("decision_function_shape", self.decision_function_shape, STRATEGIES)
        body, n_classes = state.body, len(self.classes_)
        self._take(body)
        self.class_weight_, self.n_iter_ = body.class_weight, body.n_iter
        by_class = np.repeat(np.arange(n_classes), body.n_support)
        self.dual_coef_ = self._as_rows_are(self._dual_coef(by_class, n_classes))
        names = tuple(self._words(*side) for side in sides(n_classes, strategy))
        self.certificate_ = Certificates(names, body.certificates)
        if body.calibrator is not None:
            self.calibrator_ = body.calibrator

    def _words(self, positive: int, negative: int) -> str:
        if len(self.classes_) == 2:
            return ""
        rest = "the rest" if negative < 0 else repr(self.classes_.tolist()[negative])
        return f" on {self.classes_.tolist()[positive]!r} against {rest}"

    def _keep(
        self, models: list[BinarySVM], codes: NDArray[Any], n_classes: int, X: Any, kernel: Any
    ) -> None:
        """Support vectors by class, then by row, as scikit-learn has them; a column of coef for each model."""
        coef = np.zeros((X.shape[0], len(models)))
        for k, model in enumerate(models):
            coef[model.rows, k] = model.solution.coef
        used = np.flatnonzero(coef.any(axis=1))
        self.support_ = used[np.argsort(codes[used], kind="stable")].astype(np.int32)
        self._coef = np.ascontiguousarray(coef[self.support_])
        self.n_support_ = np.bincount(codes[self.support_], minlength=n_classes).astype(np.int32)
        self.intercept_ = np.array([-m.solution.rho for m in models])
        self.n_iter_ = np.array([m.solution.iterations for m in models], np.int32)
        self.progress_ = [m.solution.history for m in models]
        stored = kernel != "precomputed"
        self._support_rows = X[self.support_] if stored else None
        self._kernel_rows = X if callable(kernel) else None
        self.dual_coef_ = self._as_rows_are(self._dual_coef(codes[self.support_], n_classes))
        self.support_vectors_ = self._original(self._support_rows) if stored else np.empty((0, 0))

    def _dual_coef(self, support_codes: NDArray[Any], n_classes: int) -> Float:
        """Models x support vectors; of pairs, as libsvm packs them: a row for each other class."""
        if n_classes == 2 or self.multi_class == "ovr":
            return np.ascontiguousarray(self._coef.T)
        packed = np.zeros((n_classes - 1, len(support_codes)))
        for k, (i, j) in enumerate(sides(n_classes, "ovo")):
            packed[j - 1, support_codes == i] = self._coef[support_codes == i, k]
            packed[i, support_codes == j] = self._coef[support_codes == j, k]
        return packed

    @property
    def coef_(self) -> Any:
        """Models x columns, for kernel="linear", in the units of X; sparse where X was."""
        return self._linear_coef()

    def _scores(self, X: Any) -> Float:
        """Rows x models."""
        scores: Float = self._sums(self._checked(X), self._coef) + self.intercept_
        return scores

    def decision_function(self, X: Any) -> Float:
        """Two classes: a score, positive for the second. More: a column for each class, or for each pair."""
        scores = self._scores(X)
        if len(self.classes_) == 2:
            return scores[:, 0]
        if self.multi_class == "ovr" or self.decision_function_shape == "ovo":
            return scores
        return votes(scores, len(self.classes_))

    def _class_scores(self, X: Any) -> Float:
        """Two classes: a score. More: a column for each class."""
        return class_scores(self._scores(X), len(self.classes_), self.multi_class)

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the most votes; the one model's side where there are two classes."""
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo" and len(self.classes_) > 2:
            raise ValueError(
                "break_ties must be False, or decision_function_shape='ovr': pairs have no ties to break."
            )
        codes = decide_classes(self._scores(X), len(self.classes_), self.multi_class, self.break_ties)
        return self.classes_[codes]  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Any:
        return self._tags(super().__sklearn_tags__())
