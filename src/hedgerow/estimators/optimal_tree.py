"""OptimalTreeClassifier and OptimalTreeRegressor: the best small tree, with a certificate, by scikit-learn's API.

`fit` is the path of data: validate, table, target, fit_optimal. Everything it does stands in hedgerow.fitting.optimal.
"""

import warnings
from typing import Any, Self

from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning

from hedgerow.docstrings import document
from hedgerow.estimators.columns import read_training_rows
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree_model import ClassTreeMixin, NumberTreeMixin, TreeModel
from hedgerow.fitting.optimal import fit_optimal, validate_optimal
from hedgerow.grow import Target
from hedgerow.optimal import Certificate
from hedgerow.store import ModelState
from hedgerow.store.kinds.tree_optimal import CertifiedTree
from hedgerow.tree.tree import to_arrays
from hedgerow.types import Float


class _OptimalTree(TreeModel):
    """What the two have in common."""

    certificate_: Certificate

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Search. Ctrl-C ends it too: the best tree so far is kept, and KeyboardInterrupt goes on to the caller."""
        params = validate_optimal(self.get_params(deep=False))
        table, weight = read_training_rows(self, X, y, sample_weight)
        target, classes = self._target(y, table.n_rows, weight)
        fitted = fit_optimal(table, target, params, classes=classes)
        self.hedgerow_tree_, self.schema_, self.labels_ = fitted.tree, fitted.schema, fitted.labels
        self.certificate_ = fitted.certificate
        if fitted.interrupt is not None:
            raise fitted.interrupt
        if not self.certificate_.optimal:
            warnings.warn(
                f"time_limit={self.time_limit} was reached before the best tree was proved. {self.certificate_} A "
                "smaller tree, fewer questions (max_thresholds) or more time help.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return self

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Target, list[Any]]:
        """What is learned, and the names of its classes."""
        raise TypeError("an optimal tree says what its target is")

    def _stored_body(self) -> CertifiedTree | None:
        if not hasattr(self, "hedgerow_tree_"):
            return None
        return CertifiedTree(**to_arrays(self.hedgerow_tree_), certificate=self.certificate_)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        validate_optimal(self.get_params(deep=False))
        self.hedgerow_tree_, self.schema_, self.labels_ = state.body, state.schema, state.labels
        self.certificate_ = state.body.certificate


@document()
class OptimalTreeClassifier(ClassTreeMixin, ClassifierMixin, _OptimalTree):  # type: ignore[misc]
    """The classification tree with the fewest training errors of all trees of its size, with a proof. Columns of text
    or categories and missing cells are taken as they are. For trees that people read: up to four or five levels, or
    about ten leaves; larger ones take longer than anybody waits.

    Parameters
    ----------
    max_depth : int or None
        Most questions between the root and a leaf. None where `max_leaf_nodes` is the limit.
    max_leaf_nodes : int or None
        Most leaves. None where `max_depth` is the limit.
    ccp_alpha : float
        Price of a leaf, in units of the error rate: the sum of both is minimised.
    class_weight : dict, "balanced" or None
        Weight of each class: a dict by label, "balanced" for balanced error, None for one each.
    cost_matrix : array-like of shape (n_classes, n_classes) or None
        What deciding class j for a row of class i costs, `cost_matrix[i][j]`, in the order of `classes_`. Where it
        is more than a weight for each class, leaves hold decisions and probabilities are 0 and 1. None: each error
        costs one.
    time_limit : float or None
        Most seconds; the best tree so far is then returned with its gap. None for no limit.

    Attributes
    ----------
    certificate_ : Certificate
        What is proved: prints as a sentence; `.optimal`, `.value`, `.bound`, `.gap`, `.seconds`.
    hedgerow_tree_, classes_, n_classes_, n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    DecisionTreeClassifier : Greedy trees of any size.
    compare_growth : Greedy, pruned and optimal trees side by side.
    stability : Which splits other rows would bring back.

    References
    ----------
    .. [1] E. Demirovic et al., "MurTree: optimal decision trees via dynamic programming and search", JMLR 23, 2022.

    Examples
    --------
    >>> from hedgerow import OptimalTreeClassifier, datasets
    >>> evenings = datasets.restaurant()
    >>> model = OptimalTreeClassifier(max_depth=2).fit(evenings.table, evenings.target)
    >>> model.certificate_.optimal
    True
    """

    def __init__(
        self,
        *,
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        class_weight: Any = None,
        cost_matrix: Any = None,
        max_thresholds: int | None = 16,
        max_subset_size: int = 1,
        categorical_features: Any = None,
        time_limit: float | None = 60.0,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.max_thresholds = max_thresholds
        self.max_subset_size = max_subset_size
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Target, list[Any]]:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, self.class_weight)
        self.n_classes_ = len(self.classes_)
        return target, self.classes_.tolist()


@document(OptimalTreeClassifier)
class OptimalTreeRegressor(NumberTreeMixin, RegressorMixin, _OptimalTree):  # type: ignore[misc]
    """The regression tree with the smallest squared training error of all trees of its size, with a proof.

    Parameters
    ----------
    ccp_alpha : float
        Price of a leaf, in units of the mean squared error: the sum of both is minimised.

    Attributes
    ----------
    certificate_, hedgerow_tree_, n_features_in_, feature_names_in_, feature_importances_, schema_, labels_

    See Also
    --------
    DecisionTreeRegressor : Greedy trees of any size.
    OptimalTreeClassifier : The same for classes.

    References
    ----------
    .. [1] E. Demirovic et al., "MurTree: optimal decision trees via dynamic programming and search", JMLR 23, 2022.

    Examples
    --------
    >>> from hedgerow import OptimalTreeRegressor
    >>> model = OptimalTreeRegressor(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 7.0])
    >>> model.predict([[1.5], [3.5]])
    array([1., 6.])
    """

    def __init__(
        self,
        *,
        max_depth: int | None = 3,
        max_leaf_nodes: int | None = None,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        max_thresholds: int | None = 16,
        max_subset_size: int = 1,
        categorical_features: Any = None,
        time_limit: float | None = 60.0,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.max_leaf_nodes = max_leaf_nodes
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.max_thresholds = max_thresholds
        self.max_subset_size = max_subset_size
        self.categorical_features = categorical_features
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Target, list[Any]]:
        return check_numbers(type(self).__name__, y, n_rows, weight, ""), []
