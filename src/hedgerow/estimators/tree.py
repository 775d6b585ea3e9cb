"""DecisionTreeClassifier and DecisionTreeRegressor: CART with scikit-learn's API.

`fit` is the path of data: validate, table, target, fit_tree. Everything it does stands in hedgerow.fitting.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from hedgerow.encode import Schema
from hedgerow.estimators.columns import remember_columns
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree_model import ClassTreeMixin, NumberTreeMixin, TreeModel
from hedgerow.fitting.params import TreeParams, validate_tree
from hedgerow.fitting.target import check_sample_weight
from hedgerow.fitting.tree import fit_tree
from hedgerow.grow import Target, TraceReport
from hedgerow.prune import CpTable, cut_path
from hedgerow.store import ModelState
from hedgerow.table import to_table
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


def validate(tree: Any) -> TreeParams:
    """The parameters of a DecisionTreeClassifier or DecisionTreeRegressor, checked."""
    return validate_tree(tree._task, tree.get_params(deep=False))


class _TreeEstimator(TreeModel):
    """What the two have in common."""

    _task: str
    tree_: Tree
    schema_: Schema
    labels_: Labels
    trace_: TraceReport
    cp_table_: CpTable

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        params = validate(self)
        table = to_table(X, categories=self.categorical_features)
        remember_columns(self, X, table)
        weight = check_sample_weight(sample_weight, table.n_rows)
        target, classes = self._target(y, table.n_rows, weight, params)
        fitted = fit_tree(table, target, params, classes=classes)
        self.tree_, self.schema_, self.labels_ = fitted.tree, fitted.schema, fitted.labels
        self.max_features_ = fitted.max_features
        for name, found in (("trace_", fitted.trace), ("cp_table_", fitted.cp_table)):
            self.__dict__.pop(name, None)  # of an earlier fit
            if found is not None:
                setattr(self, name, found)
        return self

    def _target(
        self, y: Any, n_rows: int, weight: Float | None, params: TreeParams
    ) -> tuple[Target, list[Any]]:
        """What is learned, and the names of its classes."""
        raise TypeError("a tree estimator says what its target is")

    def _stored_body(self) -> Tree | None:
        return getattr(self, "tree_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        self.tree_, self.schema_, self.labels_ = state.body, state.schema, state.labels
        self.max_features_ = validate(self).n_features(len(state.schema.names))

    def trace_of(self, X: Any) -> list[str]:
        """For each row: every decision from the root to its leaf, with what the other columns offered there."""
        check_is_fitted(self)
        if not hasattr(self, "trace_"):
            raise ValueError(f"This {type(self).__name__} kept no trace. Fit it with trace=True.")
        leaves = self.apply(X)
        texts = {int(leaf): self.trace_.path_to_text(int(leaf)) for leaf in np.unique(leaves)}
        return [texts[leaf] for leaf in leaves.tolist()]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The alphas at which the tree loses leaves, and the impurity of its leaves after each."""
        unpruned = self.__class__(**{**self.get_params(), "ccp_alpha": 0.0, "prune": None}).fit(
            X, y, sample_weight
        )
        path = cut_path(unpruned.tree_)
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk)


class DecisionTreeClassifier(ClassTreeMixin, ClassifierMixin, _TreeEstimator):  # type: ignore[misc]
    """A CART classification tree, exact and fast.

    Parameters are scikit-learn's, with the same meaning, and a few more. Columns of text or categories and missing
    cells are taken as they are.

    Parameters
    ----------
    criterion : "gini", "entropy" (or "log_loss", or "conditional_entropy"), "misclassification", "gain_ratio" (C4.5)
    splitter : "best", or "random" for one random threshold a column
    max_depth, max_leaf_nodes : limits of the tree; with max_leaf_nodes it grows best-first
    min_samples_split, min_samples_leaf : rows, or a share of all rows
    min_weight_fraction_leaf : share of all weight
    max_features : columns looked at in each node: a number, a share, "sqrt", "log2", None for all
    random_state : matters only with max_features or splitter="random"; a tree is otherwise the same every time
    min_impurity_decrease : a split must decrease impurity, times the node's share of the weight, by this
    class_weight : dict by class, "balanced", or None
    ccp_alpha : cost-complexity pruning
    prune : None; a name such as "cost_complexity" (cross-validated; hedgerow.prune.load_methods() lists all); or one of
        hedgerow.prune with its settings: Pessimistic(confidence=0.1) or {"method": "pessimistic", "confidence": 0.1}
    validation_fraction : share of the rows held out for a pruning that needs rows the tree has not seen
    merge_leaves : make one leaf of sibling leaves that decide alike; decisions stay, class shares become that leaf's
    monotonic_cst : -1, 0 or 1 a column (or a dict by name): direction of the second class's probability; two classes
    categorical_features : names or positions of number columns that are categories
    splits : "binary" for two subsets of a category's levels, "multiway" for a branch for each level
    missing : "learned" for the side where missing cells do least harm, "fractional" for all branches, by their share,
        "surrogate" for the way another column says, as CART and rpart do (`hedgerow.tree.surrogates` shows them)
    max_bins : None for exact thresholds, or at most 255 quantile bins a column
    n_jobs : threads; None and -1 for all usable cores. The tree does not depend on it
    trace : keep every column's best split at every node in `trace_`, which prints itself

    Attributes
    ----------
    tree_ : the Tree.   classes_, n_classes_, n_features_in_, feature_names_in_, max_features_, feature_importances_
    trace_ : with trace=True, what each column offered at each node; prints itself. `trace_of(X)` tells the way of a row
    cp_table_ : the table that cost-complexity pruning was cross-validated with
    schema_ : the columns as they were understood.   labels_ : the words for the tree's numbers
    """

    _task = "classification"

    def __init__(
        self,
        *,
        criterion: str = "gini",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        class_weight: Any = None,
        ccp_alpha: float = 0.0,
        prune: Any = None,
        validation_fraction: float = 0.2,
        merge_leaves: bool = False,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        n_jobs: int | None = None,
        trace: bool = False,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.class_weight = class_weight
        self.ccp_alpha = ccp_alpha
        self.prune = prune
        self.validation_fraction = validation_fraction
        self.merge_leaves = merge_leaves
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.splits = splits
        self.missing = missing
        self.max_bins = max_bins
        self.n_jobs = n_jobs
        self.trace = trace

    def _target(
        self, y: Any, n_rows: int, weight: Float | None, params: TreeParams
    ) -> tuple[Target, list[Any]]:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, self.class_weight)
        self.n_classes_ = len(self.classes_)
        return target, self.classes_.tolist()


class DecisionTreeRegressor(NumberTreeMixin, RegressorMixin, _TreeEstimator):  # type: ignore[misc]
    """A CART regression tree, exact and fast.

    Parameters are those of DecisionTreeClassifier, but for `criterion` ("squared_error", "absolute_error", "poisson")
    and `class_weight`, which it has not. Leaves predict the mean, or for absolute error the median.
    """

    _task = "regression"

    def __init__(
        self,
        *,
        criterion: str = "squared_error",
        splitter: str = "best",
        max_depth: int | None = None,
        min_samples_split: int | float = 2,
        min_samples_leaf: int | float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_features: int | float | str | None = None,
        random_state: Any = None,
        max_leaf_nodes: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        prune: Any = None,
        validation_fraction: float = 0.2,
        merge_leaves: bool = False,
        monotonic_cst: Any = None,
        categorical_features: Any = None,
        splits: str = "binary",
        missing: str = "learned",
        max_bins: int | None = None,
        n_jobs: int | None = None,
        trace: bool = False,
    ) -> None:
        self.criterion = criterion
        self.splitter = splitter
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_features = max_features
        self.random_state = random_state
        self.max_leaf_nodes = max_leaf_nodes
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.prune = prune
        self.validation_fraction = validation_fraction
        self.merge_leaves = merge_leaves
        self.monotonic_cst = monotonic_cst
        self.categorical_features = categorical_features
        self.splits = splits
        self.missing = missing
        self.max_bins = max_bins
        self.n_jobs = n_jobs
        self.trace = trace

    def _target(
        self, y: Any, n_rows: int, weight: Float | None, params: TreeParams
    ) -> tuple[Target, list[Any]]:
        return check_numbers(type(self).__name__, y, n_rows, weight, params.criterion), []
