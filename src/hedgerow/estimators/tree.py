"""DecisionTreeClassifier and DecisionTreeRegressor: CART with scikit-learn's API.

`fit` is the path of data: validate, table, target, fit_tree. Everything it does stands in hedgerow.fitting.
"""

from dataclasses import replace
from functools import cache, cached_property
from typing import Any, Self

import numpy as np
from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils import Bunch
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.encode import encode
from hedgerow.estimators.as_sklearn import register_as_sklearn, to_sklearn_tree, tree_to_sklearn
from hedgerow.estimators.columns import read_training_rows
from hedgerow.estimators.outputs import (
    check_output_classes,
    check_output_numbers,
    count_outputs,
    output_weights,
    times,
)
from hedgerow.estimators.prune_with import read_prune_with
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree_model import ClassTreeMixin, NumberTreeMixin, TreeModel
from hedgerow.fitting.outputs import grow_pruned, refuse_for_outputs, takes_outputs, written_out
from hedgerow.fitting.params import TreeParams, validate_tree, warn_if_friedman
from hedgerow.fitting.tree import fit_tree, make_labels
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Outputs, Target, TraceReport, extent
from hedgerow.prune import CpTable, cut_path
from hedgerow.store import ModelState
from hedgerow.table import Table
from hedgerow.tree import predict
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


def validate(tree: Any) -> TreeParams:
    """The parameters of a DecisionTreeClassifier or DecisionTreeRegressor, checked."""
    return validate_tree(tree._task, tree.get_params(deep=False))


class _TreeEstimator(TreeModel):
    """What the two have in common."""

    _task: str
    n_classes_: Any
    trace_: TraceReport
    cp_table_: CpTable

    @classmethod
    @cache
    def _get_param_names(cls) -> list[str]:
        """Read from the signature once a class: at each fit it would take as long as growing a tree of 100 rows."""
        return list(super()._get_param_names())

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        check_input: bool = True,
        *,
        prune_with: tuple[Any, Any] | None = None,
    ) -> Self:
        """prune_with : rows (X, y) of your own for a pruning that is judged on rows the tree has not seen; without
        them `validation_fraction` of the rows is held out.   check_input : scikit-learn's; X is always checked
        """
        params = validate(self)
        table, weight = read_training_rows(self, X, y, sample_weight)
        self.n_outputs_ = count_outputs(y)
        if self.n_outputs_ > 1:
            return self._fit_outputs(table, self._outputs(y, table.n_rows, weight, params), params)
        target, classes = self._target(y, table.n_rows, weight, params)
        unseen = read_prune_with(self, prune_with)
        fitted = fit_tree(table, target, params, classes=classes, prune_with=unseen)
        self.hedgerow_tree_, self.schema_, self.labels_ = fitted.tree, fitted.schema, fitted.labels
        self.max_features_ = fitted.max_features
        found = {"trace_": fitted.trace, "cp_table_": fitted.cp_table, "tree_": None}
        for name, value in found.items():
            self.__dict__.pop(name, None)  # of an earlier fit
            if value is not None:
                setattr(self, name, value)
        return self

    def _fit_outputs(self, table: Table, target: Outputs, params: TreeParams) -> Self:
        """One tree for several targets."""
        refuse_for_outputs(params)
        table = written_out(table)
        n_columns, (n_rows, weight) = len(table.columns), extent(target)
        threads = threads_for(params.n_jobs, table.n_rows * n_columns)
        rows = encode(table, max_bins=params.max_bins, weight=target.weight, threads=threads)
        limits = params.limits(n_rows, n_columns, weight)
        seed = draw_seed(params.random_state)
        self.hedgerow_tree_ = grow_pruned(rows, target, params, limits, seed, threads)
        self.schema_, self.max_features_ = rows.schema, limits.max_features
        self.labels_ = make_labels(rows, (), params.criterion)
        for name in ("trace_", "cp_table_", "tree_"):
            self.__dict__.pop(name, None)  # of an earlier fit
        return self

    def _outputs(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Outputs:
        raise TypeError("a tree estimator says what its targets are")

    @cached_property
    def tree_(self) -> Any:
        """scikit-learn's own structure, made of `hedgerow_tree_`."""
        return to_sklearn_tree(self.hedgerow_tree_, self._classes_by_output())

    def _classes_by_output(self) -> list[int]:
        """How many classes each output has; 1 for a number."""
        many = getattr(self, "n_classes_", 1)
        if self.n_outputs_ == 1:
            return [many]
        return many if isinstance(many, list) else [1] * self.n_outputs_

    def _compute_partial_dependence_recursion(self, grid: Any, target_features: Any) -> Float:
        """Called by sklearn.inspection.partial_dependence(method="recursion")."""
        found = np.zeros(len(grid))
        points = np.asarray(grid, np.float32, order="C")
        self.tree_.compute_partial_dependence(points, np.asarray(target_features, np.intp), found)
        return found

    def to_sklearn(self) -> Any:
        """scikit-learn's estimator with this tree: for shap, skl2onnx, treelite and others that know only these."""
        check_is_fitted(self)
        return tree_to_sklearn(self)

    def _target(
        self, y: Any, n_rows: int, weight: Float | None, params: TreeParams
    ) -> tuple[Target, list[Any]]:
        """What is learned, and the names of its classes."""
        raise TypeError("a tree estimator says what its target is")

    def _stored_body(self) -> Tree | None:
        return getattr(self, "hedgerow_tree_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        self.hedgerow_tree_, self.schema_, self.labels_ = state.body, state.schema, state.labels
        self.max_features_ = validate(self).n_features(len(state.schema.names))
        self.n_outputs_ = max(1, len(state.outputs))

    def trace_of(self, X: Any) -> list[str]:
        """For each row: every decision from the root to its leaf, with what the other columns offered there."""
        check_is_fitted(self)
        if not hasattr(self, "trace_"):
            raise ValueError(f"This {type(self).__name__} kept no trace. Fit it with trace=True.")
        rows, threads = self._rows(X)
        leaves = predict.leaves(self.trace_.tree, rows, threads)
        texts = {int(leaf): self.trace_.path_to_text(int(leaf)) for leaf in np.unique(leaves)}
        return [texts[leaf] for leaf in leaves.tolist()]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """The alphas at which the tree loses leaves, and the impurity of its leaves after each."""
        unpruned = self.__class__(**{**self.get_params(), "ccp_alpha": 0.0, "prune": None}).fit(
            X, y, sample_weight
        )
        path = cut_path(unpruned.hedgerow_tree_)
        return Bunch(ccp_alphas=path.alpha, impurities=path.risk)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = takes_outputs(lambda: validate(self))
        return tags


@register_as_sklearn
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
        "surrogate" for the way another column says, as CART and rpart do (`hedgerow.tree.surrogates` shows them),
        "stop" for the node's own answer, as rpart's usesurrogate=0 does
    max_bins : None for exact thresholds, or at most 255 quantile bins a column
    n_jobs : threads; None and -1 for all usable cores. The tree does not depend on it
    trace : keep every column's best split at every node in `trace_`, which prints itself

    Attributes
    ----------
    hedgerow_tree_ : the Tree.   tree_ : the same in scikit-learn's own structure, where it has room for it
    classes_, n_outputs_, n_classes_, n_features_in_, feature_names_in_, max_features_, feature_importances_
    trace_ : with trace=True, what each column offered at each node; prints itself. `trace_of(X)`: the way of a row.
        Where the pruning may raise branches it is the trace of the tree before pruning, `trace_.tree`
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

    def _outputs(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Outputs:
        target, self.classes_, y = check_output_classes(y, n_rows, weight)
        self.n_classes_ = list(target.n_classes)
        return replace(target, weight=times(weight, output_weights(self.class_weight, y)))


@register_as_sklearn
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
        warn_if_friedman(criterion)
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

    def _outputs(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Outputs:
        return check_output_numbers(y, n_rows, weight, params.criterion)
