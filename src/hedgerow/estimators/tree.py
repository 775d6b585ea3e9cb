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
from hedgerow.docstrings import document
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
from hedgerow.estimators.tree_stream import fit_tree_of_stream
from hedgerow.fitting.outputs import grow_pruned, refuse_for_outputs, takes_outputs, written_out
from hedgerow.fitting.params import TreeParams, validate_tree, warn_if_friedman
from hedgerow.fitting.tree import FittedTree, fit_tree, make_labels
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Outputs, Target, TraceReport, extent
from hedgerow.prune import CpTable, cut_path
from hedgerow.store import ModelState
from hedgerow.stream import is_stream, to_stream
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
        """Grow a tree on rows X and their targets y, and prune it.

        Parameters
        ----------
        prune_with : tuple of (X, y) or None
            Validation rows of your own, for a pruning that needs rows the tree has not seen. None holds out
            `validation_fraction` of the rows.
        """
        params = validate(self)
        if is_stream(X, y):
            self.n_outputs_ = 1
            return self._keep(fit_tree_of_stream(self, to_stream(X), y, sample_weight, params, prune_with))
        table, weight = read_training_rows(self, X, y, sample_weight)
        self.n_outputs_ = count_outputs(y)
        if self.n_outputs_ > 1:
            return self._fit_outputs(table, self._outputs(y, table.n_rows, weight, params), params)
        target, classes = self._target(y, table.n_rows, weight, params)
        unseen = read_prune_with(self, prune_with)
        return self._keep(fit_tree(table, target, params, classes=classes, prune_with=unseen))

    def _keep(self, fitted: FittedTree) -> Self:
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
        """The tree in scikit-learn's own structure, made of `hedgerow_tree_`."""
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
        """Convert to scikit-learn's estimator with this tree: for shap, skl2onnx, treelite and others that know only
        these.
        """
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
        """Write every decision from the root to a row's leaf, with what the other columns offered there.

        Returns
        -------
        list of str
            A text for each row.
        """
        check_is_fitted(self)
        if not hasattr(self, "trace_"):
            raise ValueError(f"This {type(self).__name__} kept no trace. Fit it with trace=True.")
        rows, threads = self._rows(X)
        leaves = predict.leaves(self.trace_.tree, rows, threads)
        texts = {int(leaf): self.trace_.path_to_text(int(leaf)) for leaf in np.unique(leaves)}
        return [texts[leaf] for leaf in leaves.tolist()]

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Find the alphas at which the tree loses leaves, and the impurity of its leaves after each.

        Returns
        -------
        Bunch
            `ccp_alphas` and `impurities`.
        """
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
@document()
class DecisionTreeClassifier(ClassTreeMixin, ClassifierMixin, _TreeEstimator):  # type: ignore[misc]
    r"""A CART classification tree, exact and fast. Parameters are scikit-learn's, with the same meaning, and a few
    more; columns of text or categories and missing cells are taken as they are.

    Parameters
    ----------
    criterion : {"gini", "entropy", "log_loss", "misclassification", "gain_ratio"}
        What a split lowers; "log_loss" and "conditional_entropy" are entropy, "gain_ratio" is C4.5's.
    random_state : int, RandomState or None
        Matters only with `max_features` or `splitter="random"`; a tree is otherwise the same every time.
    validation_fraction : float
        Share of the rows held out for a pruning that needs rows the tree has not seen.

    Attributes
    ----------
    hedgerow_tree_, tree_, classes_, n_classes_, n_outputs_, n_features_in_, feature_names_in_, max_features_,
    feature_importances_, schema_, labels_
    trace_ : TraceReport
        With `trace=True`, what each column offered at each node. Prints itself; `trace_of(X)` is the way of a row.
        Where the pruning may raise branches it is the trace of the tree before pruning, `trace_.tree`.
    cp_table_ : CpTable
        With `prune="cost_complexity"`, the table that was cross-validated. Prints and draws itself.

    See Also
    --------
    DecisionTreeRegressor : The same for numbers.
    OptimalTreeClassifier : The best small tree, proved.
    recipe : ID3, C4.5 and CART by name.
    compare_prunings : All prunings of one tree.

    Notes
    -----
    A node of rows with class shares :math:`p_k` has the Gini impurity :math:`1 - \sum_k p_k^2` or the entropy
    :math:`-\sum_k p_k \log_2 p_k`. The split with the largest weighted decrease is taken; of equally good ones the
    first column, then the lowest threshold. Cost-complexity pruning minimises :math:`R(T) + \alpha |T|` over
    subtrees T with \|T\| leaves.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", Wadsworth, 1984.
    .. [2] J. R. Quinlan, "C4.5: Programs for Machine Learning", Morgan Kaufmann, 1993.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets
    >>> evenings = datasets.restaurant()
    >>> model = DecisionTreeClassifier(criterion="entropy", splits="multiway")
    >>> model = model.fit(evenings.table, evenings.target)
    >>> print(model.get_n_leaves(), model.score(evenings.table, evenings.target))
    8 1.0
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
@document(DecisionTreeClassifier)
class DecisionTreeRegressor(NumberTreeMixin, RegressorMixin, _TreeEstimator):  # type: ignore[misc]
    r"""A CART regression tree, exact and fast. Leaves predict the mean, or for absolute error the median.

    Parameters
    ----------
    criterion : {"squared_error", "absolute_error", "poisson"}
        What a split lowers.

    Attributes
    ----------
    hedgerow_tree_, tree_, n_outputs_, n_features_in_, feature_names_in_, max_features_, feature_importances_,
    schema_, labels_, trace_, cp_table_

    See Also
    --------
    DecisionTreeClassifier : The same for classes.
    OptimalTreeRegressor : The best small tree, proved.

    Notes
    -----
    Squared error: a split lowers :math:`\sum_i w_i (y_i - \bar y)^2` most, with the mean of each side. Poisson: it
    lowers the deviance :math:`2 \sum_i w_i (y_i \log (y_i / \bar y) - y_i + \bar y)`.

    References
    ----------
    .. [1] L. Breiman, J. Friedman, R. Olshen and C. Stone, "Classification and Regression Trees", Wadsworth, 1984.

    Examples
    --------
    >>> from hedgerow import DecisionTreeRegressor
    >>> model = DecisionTreeRegressor(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], [1.0, 1.0, 5.0, 7.0])
    >>> model.predict([[1.5], [3.5]])
    array([1., 6.])
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
