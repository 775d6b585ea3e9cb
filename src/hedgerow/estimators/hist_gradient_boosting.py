"""HistGradientBoostingClassifier and HistGradientBoostingRegressor behind scikit-learn's face.

`fit` is the path of data: check, table, target, bins, boost. What it does stands in hedgerow.gradient.
"""

from collections.abc import Iterator
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import SparseRows, as_matrix, in_blocks
from hedgerow.encode import Schema, matrix
from hedgerow.estimators.columns import read_rows, remember_columns
from hedgerow.estimators.gradient_explained import GradientExplained
from hedgerow.estimators.gradient_params import (
    boost_params,
    check_max_bins,
    check_stopping,
    loss_options,
    read_table,
)
from hedgerow.estimators.gradient_watch import RoundWatch, held_out_rows
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.fitting.target import check_sample_weight
from hedgerow.gradient import GradientTrees, Loss, bin_table, boost, load_loss
from hedgerow.store.state import ModelState
from hedgerow.table import Table
from hedgerow.types import Float, FloatAny


class _HistGradientBoosting(GradientExplained, BaseEstimator):  # type: ignore[misc]
    trees_: GradientTrees
    schema_: Schema
    _target_kind: str

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        X_val: Any = None,
        y_val: Any = None,
        sample_weight_val: Any = None,
        eval_set: Any = None,
    ) -> Self:
        """eval_set : (X, y), rows to judge the rounds by; the same as X_val, y_val."""
        if eval_set is not None:
            X_val, y_val = eval_set[0] if len(eval_set) == 1 else eval_set
        elif X_val is not None and y_val is not None and self.early_stopping is False:
            raise ValueError(
                "X_val and y_val are passed to fit while at the same time early_stopping is False. Give "
                "early_stopping=True; or eval_set=(X_val, y_val), to see their score after each round and not stop."
            )
        check_stopping(self, X_val, y_val)
        going_on = bool(self.warm_start) and hasattr(self, "trees_")
        seen = (self.schema_, getattr(self, "classes_", None)) if going_on else None
        table = read_table(self, X, None)
        remember_columns(self, X, table)
        target, weight = self._fit_target(y, table.n_rows, check_sample_weight(sample_weight, table.n_rows))
        self._loss = self._new_loss()
        self._loss.check_target(target)
        if not going_on:
            self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        used = np.arange(table.n_rows) if weight is None else np.flatnonzero(weight > 0)
        self.do_early_stopping_ = (
            len(used) > 10_000 if self.early_stopping == "auto" else bool(self.early_stopping)
        )
        split_off = self.do_early_stopping_ and X_val is None and self.validation_fraction is not None
        train, aside = held_out_rows(
            table,
            used,
            target,
            self.validation_fraction if split_off else None,
            self._seed,
            self._target_kind,
        )
        watched = self._watched(X_val, y_val, sample_weight_val, table, target, weight, aside)
        self._fit_rounds(
            table if len(train) == table.n_rows else table.take(train),
            target if len(train) == table.n_rows else target[train],
            None if weight is None else weight[train],
            watched,
            seen,
        )
        return self

    def _fit_rounds(self, table: Table, target: Float, weight: Float | None, watched: Any, seen: Any) -> None:
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns))
        binned = bin_table(table, max_bins=check_max_bins(self), threads=threads)
        params = boost_params(self, binned.schema, threads)
        earlier, raw = None, None
        if seen is not None:
            self._refuse_other_data(seen, binned.schema)
            earlier = self.trees_
            raw = np.ascontiguousarray(earlier.raw(matrix(self.schema_, table), threads).T)
        self.schema_ = binned.schema
        watch = RoundWatch(self, self._loss, table, target, weight, watched, threads)
        self.trees_ = boost(
            binned,
            target,
            weight,
            self._loss,
            params,
            np.random.default_rng([self._seed, 0 if earlier is None else earlier.n_rounds]),
            earlier=earlier,
            raw=raw,
            watches=(watch,) if watch.needed else (),
            begin=watch.begin,
        )
        self.n_trees_per_iteration_ = self.trees_.n_outputs
        mask = binned.categorical.astype(bool)
        self.is_categorical_ = mask if mask.any() else None

    def _watched(
        self, X_val: Any, y_val: Any, weight_val: Any, table: Table, target: Float, weight: Any, aside: Any
    ) -> tuple[Table, Float, Float | None, Any, Any] | None:
        """The rows the rounds are judged by: the caller's, or those held out."""
        if X_val is not None:
            rows = self._new_table(X_val)
            return (
                rows,
                self._known_target(y_val, rows.n_rows),
                check_sample_weight(weight_val, rows.n_rows),
                X_val,
                y_val,
            )
        if not len(aside):
            return None
        held = table.take(aside)
        return (
            held,
            target[aside],
            None if weight is None else weight[aside],
            held,
            self._labels(target[aside]),
        )

    def _refuse_other_data(self, seen: tuple[Schema, Any], schema: Schema) -> None:
        before, classes = seen
        other_classes = classes is not None and not np.array_equal(classes, self.classes_)
        if before.names != schema.names or before.kinds != schema.kinds or other_classes:
            raise ValueError(
                "warm_start=True goes on with the rounds there are, but y has other classes or X other columns than "
                "before. Give the same, or warm_start=False."
            )
        if self.max_iter < self.n_iter_:
            raise ValueError(
                f"max_iter={self.max_iter} must be larger than or equal to n_iter_={self.n_iter_} when "
                "warm_start==True"
            )

    def _stored_body(self) -> GradientTrees | None:
        return getattr(self, "trees_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for the scores of the rounds, from a model file."""
        self.schema_, self.trees_ = state.schema, state.body
        boost_params(self, self.schema_, 1)
        self._loss = self._new_loss()
        self._seed, self.do_early_stopping_ = 0, False
        self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        self.n_trees_per_iteration_ = self.trees_.n_outputs
        mask = np.array([kind == "category" for kind in self.schema_.kinds])
        self.is_categorical_ = mask if mask.any() else None

    def _new_loss(self) -> Loss:
        return load_loss(self.loss, self._target_kind, loss_options(self))

    def _new_table(self, X: Any) -> Table:
        """Rows with the columns of training (or, during fit, of the table at hand)."""
        return read_table(self, X, None)

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        check_is_fitted(self, "trees_")
        table = read_table(self, X, self.schema_)
        rows = read_rows(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, len(rows) * self.trees_.n_trees)

    def _matrix(self, X: Any) -> tuple[FloatAny, int]:
        """All cells of X, sparse or not."""
        rows, threads = self._rows(X)
        return as_matrix(rows), threads

    def _raw_predict(self, X: Any) -> Float:
        """The sum of the trees: rows x outputs."""
        rows, threads = self._rows(X)
        return np.asarray(in_blocks(lambda part: self.trees_.raw(part, threads), rows))

    def _staged_raw_predict(self, X: Any) -> Iterator[Float]:
        rows, threads = self._matrix(X)
        return self.trees_.staged_raw(rows, threads)

    @property
    def n_iter_(self) -> int:
        check_is_fitted(self, "trees_")
        return self.trees_.n_rounds

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "trees_")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.sparse = True
        return tags


class HistGradientBoostingClassifier(ClassifierMixin, _HistGradientBoosting):  # type: ignore[misc]
    """Trees on binned columns, each fitted to the gradient of the loss at the sum of those before it.

    Parameters
    ----------
    loss : "log_loss" (two and more classes), "exponential" (two), or an object with gradients and losses
    learning_rate : each tree's values are multiplied by it.   max_iter : rounds
    max_leaf_nodes, max_depth, min_samples_leaf : of each tree; None for no limit
    min_hessian_leaf : least sum of second derivatives in a leaf.   min_gain : least gain of a split
    l1_regularization, l2_regularization : penalties on leaf values, in the scale of sums of second derivatives (of
        squared errors, one a row). scikit-learn's default for l2 is 0; 1 is better on nearly every small table
    growth : "leaf" (the leaf with the largest gain first) or "level" (level by level)
    subsample : share of the rows drawn for each round
    max_features : share of the columns drawn at each node.   max_features_tree : drawn for each tree
    max_bins : of a number column, 2 to 255; missing cells have one more
    categorical_features : names, positions or a mask of columns that are categories although they hold numbers;
        text and categoricals are categories in any case
    monotonic_cst : 1, -1 or 0 for each column, or a dict by name.   interaction_cst : groups of columns that may meet
        in a branch, "pairwise" or "no_interactions"
    warm_start : go on from the rounds there are, up to max_iter
    early_stopping, scoring, validation_fraction, n_iter_no_change, tol : end when the score of rows held out (or of
        X_val, y_val given to fit) has not risen by tol for so many rounds; "auto": with more than 10,000 rows
    callbacks : functions that are given a RoundInfo after each round; one that returns True ends the fit
    class_weight : a dict by class, or "balanced".   n_jobs : threads; the model does not depend on it

    Attributes
    ----------
    trees_ : all trees.   n_iter_, n_trees_per_iteration_, train_score_, validation_score_, do_early_stopping_
    classes_, is_categorical_, n_features_in_, feature_names_in_, feature_importances_, schema_
    """

    _target_kind = "classes"
    classes_: NDArray[Any]

    def __init__(
        self,
        loss: Any = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 1.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | int | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        class_weight: Any = None,
        l1_regularization: float = 0.0,
        min_hessian_leaf: float = 1e-3,
        min_gain: float = 0.0,
        growth: str = "leaf",
        subsample: float = 1.0,
        max_features_tree: float = 1.0,
        callbacks: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight
        self.l1_regularization = l1_regularization
        self.min_hessian_leaf = min_hessian_leaf
        self.min_gain = min_gain
        self.growth = growth
        self.subsample = subsample
        self.max_features_tree = max_features_tree
        self.callbacks = callbacks
        self.n_jobs = n_jobs

    def _fit_target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Float, Float | None]:
        target, self.classes_ = check_classes(type(self).__name__, y, n_rows, weight, self.class_weight)
        if len(self.classes_) < 2:
            raise ValueError(
                f"{type(self).__name__} needs at least two classes, but y has one class only: "
                f"{self.classes_.tolist()}."
            )
        return target.codes.astype(np.float64), target.weight

    def _known_target(self, y: Any, n_rows: int) -> Float:
        target, classes = check_classes(type(self).__name__, y, n_rows, None, None)
        unknown = np.setdiff1d(classes, self.classes_)
        if len(unknown):
            raise ValueError(
                f"y_val holds {unknown.tolist()[0]!r}, which is no class. Classes: {self.classes_.tolist()}."
            )
        return np.searchsorted(self.classes_, classes)[target.codes].astype(np.float64)

    def _labels(self, target: Float) -> NDArray[Any]:
        return np.asarray(self.classes_[target.astype(np.int64)])

    def predict_proba(self, X: Any) -> Float:
        raw = self._raw_predict(X)
        return self._loss.inverse_link(np.ascontiguousarray(raw.T))

    def predict(self, X: Any) -> NDArray[Any]:
        return self._class_of(self._raw_predict(X))

    def decision_function(self, X: Any) -> Float:
        raw = self._raw_predict(X)
        return raw[:, 0] if raw.shape[1] == 1 else raw

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """After each round."""
        return map(self._class_of, self._staged_raw_predict(X))

    def staged_predict_proba(self, X: Any) -> Iterator[Float]:
        return (self._loss.inverse_link(np.ascontiguousarray(raw.T)) for raw in self._staged_raw_predict(X))

    def staged_decision_function(self, X: Any) -> Iterator[Float]:
        return (raw[:, 0] if raw.shape[1] == 1 else raw for raw in self._staged_raw_predict(X))

    def _class_of(self, raw: Float) -> NDArray[Any]:
        place = (raw[:, 0] > 0).astype(np.int64) if raw.shape[1] == 1 else raw.argmax(axis=1)
        return np.asarray(self.classes_[place])


class HistGradientBoostingRegressor(RegressorMixin, _HistGradientBoosting):  # type: ignore[misc]
    """Trees on binned columns, each fitted to the gradient of the loss at the sum of those before it.

    Parameters
    ----------
    loss : "squared_error", "absolute_error", "huber", "quantile", "poisson", "gamma", "tweedie", or an object with
        gradients and losses
    quantile : of loss="quantile".   tweedie_power : between 1 and 2.   huber_quantile : share of the errors that huber
        squares
    Others, and the attributes, are those of HistGradientBoostingClassifier.
    """

    _target_kind = "numbers"

    def __init__(
        self,
        loss: Any = "squared_error",
        *,
        quantile: float | None = None,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 1.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: bool | str = "auto",
        scoring: Any = "loss",
        validation_fraction: float | int | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        tweedie_power: float = 1.5,
        huber_quantile: float = 0.9,
        l1_regularization: float = 0.0,
        min_hessian_leaf: float = 1e-3,
        min_gain: float = 0.0,
        growth: str = "leaf",
        subsample: float = 1.0,
        max_features_tree: float = 1.0,
        callbacks: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.tweedie_power = tweedie_power
        self.huber_quantile = huber_quantile
        self.l1_regularization = l1_regularization
        self.min_hessian_leaf = min_hessian_leaf
        self.min_gain = min_gain
        self.growth = growth
        self.subsample = subsample
        self.max_features_tree = max_features_tree
        self.callbacks = callbacks
        self.n_jobs = n_jobs

    def _fit_target(self, y: Any, n_rows: int, weight: Float | None) -> tuple[Float, Float | None]:
        return check_numbers(type(self).__name__, y, n_rows, weight, "").values, weight

    def _known_target(self, y: Any, n_rows: int) -> Float:
        return self._fit_target(y, n_rows, None)[0]

    def _labels(self, target: Float) -> Float:
        return target

    def predict(self, X: Any) -> Float:
        raw = self._raw_predict(X)
        return np.asarray(self._loss.inverse_link(np.ascontiguousarray(raw.T))[0])

    def staged_predict(self, X: Any) -> Iterator[Float]:
        """After each round."""
        return (
            self._loss.inverse_link(np.ascontiguousarray(raw.T))[0] for raw in self._staged_raw_predict(X)
        )

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        return float(r2_score(y, self.predict(X), sample_weight=sample_weight))
