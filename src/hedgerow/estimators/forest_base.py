"""What all forests do.   In: a table, a target, checked parameters.   Out: a Forest, and what an estimator keeps of it.

`_grow` is the path of data: check, table, target, draws, codes, trees. The public classes, with their parameters, are
in forest.py.
"""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import native, threads_for
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.encode import Encoded, Schema, encode
from hedgerow.ensemble import predict
from hedgerow.ensemble.draws import Draws, How, drawn_rows, draws_of, row_hashes
from hedgerow.ensemble.forest import Forest, SayProgress, grow_forest, mean_tree_weight
from hedgerow.ensemble.trees import Trees, parts_of
from hedgerow.errors import check_choice
from hedgerow.estimators.as_sklearn import forest_to_sklearn
from hedgerow.estimators.columns import is_plain, read_rows, read_training_rows
from hedgerow.estimators.forest_inspection import ForestInspectionMixin
from hedgerow.estimators.forest_outputs import ForestOutputsMixin
from hedgerow.estimators.forest_quantiles import QuantileMixin
from hedgerow.estimators.member_tree import make_fitted
from hedgerow.estimators.outputs import (
    check_output_classes,
    check_output_numbers,
    count_outputs,
    log_of,
    means,
    most_probable,
    probabilities,
)
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor, validate
from hedgerow.estimators.tree_stream import grow_forest_of_stream
from hedgerow.fitting.exact import with_exact_sums
from hedgerow.fitting.outputs import takes_outputs
from hedgerow.fitting.params import TreeParams, is_friedman
from hedgerow.fitting.target import compute_class_weights
from hedgerow.grow import Classes, Outputs, Target
from hedgerow.prune import cut_path
from hedgerow.store import ModelState
from hedgerow.store.kinds.forest import Body as ForestBody
from hedgerow.store.kinds.forest import criterion_of
from hedgerow.stream import is_stream, to_stream
from hedgerow.table import Table, to_table
from hedgerow.table.sparse import SparseTable
from hedgerow.tree.cut import cut
from hedgerow.tree.importance import importance
from hedgerow.types import Count, Float, FloatAny, Index, Word

TREE_PARAMETERS = (
    "criterion",
    "max_depth",
    "min_samples_split",
    "min_samples_leaf",
    "min_weight_fraction_leaf",
    "max_features",
    "max_leaf_nodes",
    "min_impurity_decrease",
    "ccp_alpha",
    "monotonic_cst",
    "categorical_features",
    "splits",
    "missing",
    "max_bins",
    "n_jobs",
)


class ForestBase(ForestOutputsMixin, ForestInspectionMixin, BaseEstimator):  # type: ignore[misc]
    """What the four have in common."""

    n_outputs_ = 1
    classes_: Any  # an array; of several outputs a list of arrays
    n_classes_: Any

    forest_: Forest
    schema_: Schema
    _splitter = "best"
    _tree_type: Any

    def _grow(self, X: Any, y: Any, sample_weight: Any) -> Self:
        params = validate(self._one_tree())
        n_trees = self._checked_numbers()
        if is_stream(X, y):
            self.n_outputs_ = 1
            self._older_trees(n_trees)
            grow_forest_of_stream(self, to_stream(X), y, sample_weight, params, n_trees)
            return self
        older = self._older_trees(n_trees)
        table, weight = read_training_rows(self, X, y, sample_weight)
        self.n_outputs_ = count_outputs(y)
        if self.n_outputs_ > 1:
            self._grow_outputs(table, y, weight, params, n_trees, older)
            return self
        target = self._target(y, table.n_rows, weight, params)
        if params.max_bins is not None:
            target = with_exact_sums(target)
        by_class, balanced = self._class_weight(target)
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns) * n_trees)
        sparse = isinstance(table, SparseTable)
        hashes = None if sparse else row_hashes(table.columns, table.n_rows, threads)
        draws = self._draws(table if hashes is None else hashes, target, by_class)
        rows = encode(table, max_bins=params.max_bins, weight=target.weight, threads=threads)
        grow_more = self._grow_trees(rows, target, params, draws, by_class, balanced, threads)
        if self.stop is None:
            more = grow_more(len(older), n_trees - len(older))
            self.forest_ = replace(more, trees=Trees(parts_of(older)) + more.trees)
        else:
            self.forest_ = self._until_flat(grow_more, Forest(older, draws), table, target, n_trees, threads)
        self._remember(table, target, hashes)
        return self

    def _grow_trees(
        self,
        rows: Encoded,
        target: Target,
        params: TreeParams,
        draws: Draws,
        by_class: Float | None,
        balanced: bool,
        threads: int,
    ) -> Callable[[int, int], Forest]:
        """What grows some trees: the number of the first, how many."""
        n_columns = len(rows.codes)
        limits = replace(
            params.limits(len(draws.order), n_columns, mean_tree_weight(target, draws, by_class)),
            redraw=bool(self.redraw),
        )
        self.schema_, self.max_features_ = rows.schema, limits.max_features
        self._missing = frozenset(np.flatnonzero(rows.n_missing).tolist())
        monotone = params.monotone(rows.schema.names, rows.schema.kinds)
        progress = SayProgress(type(self).__name__) if self.verbose else None

        def grow_more(first_tree: int, n_trees: int) -> Forest:
            forest = grow_forest(
                rows,
                target,
                params.criterion,
                limits,
                draws,
                n_trees,
                first_tree=first_tree,
                class_weight=by_class,
                balanced=balanced,
                monotone=monotone,
                threads=threads,
                progress=progress,
            )
            if params.ccp_alpha == 0:
                return forest
            return replace(
                forest, trees=Trees(cut(tree, cut_path(tree).mask(params.ccp_alpha)) for tree in forest.trees)
            )

        return grow_more

    def _stored_body(self) -> ForestBody | None:
        forest = getattr(self, "forest_", None)
        return None if forest is None else ForestBody(forest, criterion_of(self.criterion))

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        params = validate(self._one_tree())
        self._checked_numbers()
        self.forest_, self.schema_ = state.body.forest, state.schema
        self._missing = frozenset(range(len(state.schema.names))) if state.missing is None else state.missing
        self.max_features_ = params.n_features(len(state.schema.names))

    def _one_tree(self) -> Any:
        """An unfitted tree with the forest's parameters."""
        given = {name: getattr(self, name) for name in TREE_PARAMETERS}
        if is_friedman(given["criterion"]):  # warned of when the forest was made
            given["criterion"] = "squared_error"
        return self._tree_type(splitter=self._splitter, **given)

    def _checked_numbers(self) -> int:
        n: Any = self.n_estimators
        share: Any = self.max_samples
        if not isinstance(n, Integral) or isinstance(n, bool) or n < 1:
            raise ValueError(f"n_estimators={n!r} is out of range. Give a whole number of trees, at least 1.")
        whole = isinstance(share, Integral) and not isinstance(share, bool) and int(share) >= 1
        part = isinstance(share, Real) and not isinstance(share, Integral) and 0 < float(share) < np.inf
        if share is not None and not whole and not part:
            raise ValueError(
                f"max_samples={share!r} is out of range. Give a number of rows, at least 1, or a share above 0, "
                "or None for as many as there are."
            )
        if self.stop is not None:
            check_choice("stop", self.stop, ("oob",))
        asks = "oob_score" if self.oob_score else "stop='oob'" if self.stop else ""
        if asks and not self.bootstrap and share is None:
            raise ValueError(
                f"Out of bag estimation only available if bootstrap=True, or with a max_samples below all rows: {asks} "
                "needs rows that a tree has not seen. Give one of the two."
            )
        return int(n)

    def _older_trees(self, n_trees: int) -> Sequence[Any]:
        """With warm_start, the trees of the fit before; growing goes on after them."""
        if not (self.warm_start and hasattr(self, "forest_")):
            self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            return ()
        older = self.forest_.trees
        if n_trees < len(older):
            raise ValueError(
                f"n_estimators={n_trees} is fewer than the {len(older)} trees that are there already. With "
                "warm_start=True it must not fall."
            )
        if n_trees == len(older):
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new trees.", stacklevel=4
            )
        return older

    def _draws(self, content: Table | Word | None, target: Target, by_class: Float | None) -> Draws:
        weight, y = target.weight, target.codes if isinstance(target, Classes) else target.values
        if by_class is not None and not by_class.all():  # a class without weight: its rows are not there
            counts = by_class[y] > 0
            weight = counts.astype(np.float64) if weight is None else np.where(counts, weight, 0.0)
        return draws_of(content, y, weight, how=self._how(), size=self.max_samples, seed=self._seed)  # type: ignore[arg-type]

    def _how(self) -> How:
        return "bootstrap" if self.bootstrap else "all" if self.max_samples is None else "subsample"

    def _target(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Target:
        raise TypeError("a forest says what its target is")

    def _class_weight(self, target: Target) -> tuple[Float | None, bool]:
        return None, False

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        """X as the trees read it, and the number of threads worth taking."""
        if "forest_" not in self.__dict__:  # the question itself takes as long as a few trees
            check_is_fitted(self)
        if is_plain(self, X, self.schema_):
            return X, threads_for(self.n_jobs, X.size * len(self.forest_.trees))
        categories = None
        if self.categorical_features is not None:  # else 50,000 columns would be asked for each row
            categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        table = to_table(X, categories=categories)
        rows = read_rows(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, rows.size * len(self.forest_.trees))

    def apply(self, X: Any) -> Count:
        """Find the leaf each row ends in, in each tree."""
        rows, threads = self._rows(X)
        return predict.leaves(self.forest_, rows, threads).astype(np.int64)

    def decision_path(self, X: Any) -> tuple[csr_matrix, Count]:
        """A sparse matrix, rows x nodes of all trees, one where the row passes; and where each tree's nodes begin."""
        paths = [tree.decision_path(X) for tree in self.estimators_]
        ends = np.cumsum([0, *self.forest_.trees.sizes])
        return hstack(paths).tocsr(), ends

    @property
    def estimators_(self) -> Sequence[Any]:
        """The trees, each as a fitted estimator of its own."""
        check_is_fitted(self)
        return [self._fitted_tree(t) for t in range(len(self.forest_.trees))]

    @property
    def estimator(self) -> Any:
        """An unfitted tree with the forest's parameters."""
        return self._one_tree()

    @property
    def estimator_(self) -> Any:
        """The same, of a fitted forest."""
        check_is_fitted(self)
        return self._one_tree()

    @property
    def estimators_samples_(self) -> list[Index]:
        """The rows of each tree, as often as it drew them; of 32 bits, as scikit-learn's forests have them."""
        check_is_fitted(self)
        return [rows.astype(np.int32) for rows in drawn_rows(self.forest_.draws, len(self.forest_.trees))]

    def __len__(self) -> int:
        return len(self.forest_.trees)

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            return self.estimators_[place]
        return self._fitted_tree(range(len(self))[place])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def to_sklearn(self) -> Any:
        """Convert to scikit-learn's forest with these trees: for shap, skl2onnx, treelite and others that know only
        these.
        """
        check_is_fitted(self)
        return forest_to_sklearn(self)

    def _compute_partial_dependence_recursion(self, grid: Any, target_features: Any) -> Float:
        """Called by sklearn.inspection.partial_dependence(method="recursion")."""
        parts = [one._compute_partial_dependence_recursion(grid, target_features) for one in self.estimators_]
        return np.asarray(np.mean(parts, axis=0))

    def _fitted_tree(self, t: int) -> Any:
        """Its random_state grows it again from its rows (`estimators_samples_`); a model file does not keep it."""
        one, draws = self._one_tree(), self.forest_.draws
        one.random_state = native.tree_seed(draws.seed, t) if draws.n_rows else None
        return make_fitted(one, self.forest_.trees[t], self)

    @property
    def feature_importances_(self) -> Float:
        """Mean decrease of impurity: the mean over the trees, normalised to sum one. Biased towards columns of many
        values."""
        check_is_fitted(self)
        parts = [importance(tree) for tree in self.forest_.trees if tree.n_nodes > 1]
        if not parts:
            return np.zeros(self.n_features_in_)
        total = np.mean(parts, axis=0)
        return total / total.sum() if total.sum() > 0 else total  # type: ignore[no-any-return]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.target_tags.multi_output = takes_outputs(lambda: validate(self._one_tree()))
        return tags


class ForestClassifierBase(ClassifierMixin, ForestBase):  # type: ignore[misc]
    _tree_type = DecisionTreeClassifier

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        return self._grow(X, y, sample_weight)

    def _target(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Target:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, None)
        self.n_classes_ = len(self.classes_)
        if params.monotonic_cst is not None and target.n_classes > 2:
            raise ValueError(
                f"monotonic_cst needs two classes, but y has {target.n_classes}. Leave it out, or join classes."
            )
        return target

    def _class_weight(self, target: Target) -> tuple[Float | None, bool]:
        given = self.class_weight
        if given is None or not isinstance(target, Classes):
            return None, False
        if isinstance(given, str) and given == "balanced_subsample":
            return None, True
        if isinstance(given, str) and given != "balanced":
            raise ValueError(
                f"class_weight={given!r} is unknown. Give a dict by class, 'balanced', 'balanced_subsample' or None."
            )
        return compute_class_weights(given, self.classes_, target.codes, target.weight), False

    def _outputs(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Outputs:
        target, self.classes_, self._y = check_output_classes(y, n_rows, weight)
        self.n_classes_ = list(target.n_classes)
        return target

    def predict_proba(self, X: Any) -> Any:
        """The mean over the trees of the class shares of the leaf each row ends in; of several outputs a list."""
        rows, threads = self._rows(X)
        return probabilities(self, predict.values(self.forest_, rows, threads))

    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        """The class with the largest mean share; ties go to the first class."""
        rows, threads = self._rows(X)
        return most_probable(self, predict.values(self.forest_, rows, threads))

    def predict_votes(self, X: Any) -> Float:
        """The share of the trees that vote for each class."""
        rows, threads = self._rows(X)
        return predict.votes(self.forest_, rows, threads)


class ForestRegressorBase(RegressorMixin, QuantileMixin, ForestBase):  # type: ignore[misc]
    _tree_type = DecisionTreeRegressor

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        return self._grow(X, y, sample_weight)

    def _target(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Target:
        return check_numbers(type(self).__name__, y, n_rows, weight, params.criterion)

    def predict(self, X: Any) -> Float:
        """The mean over the trees of the value of the leaf each row ends in."""
        rows, threads = self._rows(X)
        return means(self, predict.values(self.forest_, rows, threads))

    def _outputs(self, y: Any, n_rows: int, weight: Float | None, params: TreeParams) -> Outputs:
        return check_output_numbers(y, n_rows, weight, params.criterion)
