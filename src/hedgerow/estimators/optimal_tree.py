"""OptimalTreeClassifier and OptimalTreeRegressor: the best small tree, with a certificate, by scikit-learn's API.

`fit` is the path of data: validate, table, target, fit_optimal. Everything it does stands in hedgerow.fitting.optimal.
"""

import warnings
from typing import Any, Self

from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.exceptions import ConvergenceWarning

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


class OptimalTreeClassifier(ClassTreeMixin, ClassifierMixin, _OptimalTree):  # type: ignore[misc]
    """The classification tree with the fewest training errors of all trees of its size, with a proof.

    Columns of text or categories and missing cells are taken as they are. For trees that people read: up to four or
    five levels, or about ten leaves; larger ones take longer than anybody waits.

    Parameters
    ----------
    max_depth, max_leaf_nodes : the size of the tree; one of them may be None
    min_samples_leaf : rows, or a share of all rows
    min_weight_fraction_leaf : share of all weight
    ccp_alpha : price of a leaf, in units of the error rate: the sum of both is minimised
    class_weight : dict by class, "balanced" for balanced error, or None
    cost_matrix : what deciding class j for a row of class i costs, cost_matrix[i][j], in the order of `classes_`. Where
        it is more than a weight for each class, leaves hold decisions and probabilities are 0 and 1
    max_thresholds : most thresholds a column, chosen as gradient boosting finds them; None for all
    max_subset_size : most levels of a category in one question
    categorical_features : names or positions of number columns that are categories
    time_limit : seconds; the best tree so far is returned then, with its gap. None for no limit
    n_jobs : threads; None and -1 for all usable cores. The tree does not depend on it

    Attributes
    ----------
    certificate_ : what is proved: prints as a sentence; `.optimal`, `.value`, `.bound`, `.gap`, `.seconds`
    hedgerow_tree_ : the Tree.   classes_, n_classes_, n_features_in_, feature_names_in_, feature_importances_
    schema_ : the columns as they were understood.   labels_ : the words for the tree's numbers
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


class OptimalTreeRegressor(NumberTreeMixin, RegressorMixin, _OptimalTree):  # type: ignore[misc]
    """The regression tree with the smallest squared training error of all trees of its size, with a proof.

    Parameters are those of OptimalTreeClassifier, but for `class_weight` and `cost_matrix`, which it has not;
    `ccp_alpha` is in units of the mean squared error.
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
