"""HistGradientBoosting: what the classifier and the regressor share.   In: rows and a target.   Out: trees_.

`fit` is the path of data: check, table, target, bins, boost. What it does stands in hedgerow.gradient.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import SparseRows, as_matrix, in_blocks
from hedgerow.encode import Schema, matrix
from hedgerow.estimators.columns import is_plain, read_rows, read_training_rows
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.gradient_columns import has_same_columns, read_numbers, read_table
from hedgerow.estimators.gradient_params import (
    boost_params,
    check_max_bins,
    check_min_rows,
    check_stopping,
    held_out_share,
    loss_options,
)
from hedgerow.estimators.gradient_stream import fit_stream
from hedgerow.estimators.gradient_trees import GradientTreesMixin
from hedgerow.estimators.gradient_watch import (
    RoundWatch,
    Watched,
    held_out_rows,
    missing_columns,
    naming_watched,
    validation_pair,
)
from hedgerow.fitting.target import check_sample_weight
from hedgerow.gradient import Binned, GradientTrees, Loss, bin_table, boost, load_loss
from hedgerow.gradient.penalties import fewest_rows
from hedgerow.store.state import ModelState
from hedgerow.stream import is_stream
from hedgerow.table import Table
from hedgerow.table.copies import find_copies
from hedgerow.types import Count, Float, FloatAny


class Seen(NamedTuple):
    """What a warm start goes on from."""

    schema: Schema
    classes: Any  # None for numbers
    raw_is: str  # what the sum of the trees is (Loss)


class HistGradientBoosting(ExportMixin, GradientTreesMixin, BaseEstimator):  # type: ignore[misc]
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
        """Fit the rounds to rows X and their targets y.

        Parameters
        ----------
        X : array-like, frame, or what is read block by block
            Rows; or a `hedgerow.TableStream`, a path, a lazy frame, whose blocks are read one after the other.
        y : array-like or str
            Their targets; of what is read block by block, the name of a column.
        sample_weight : array-like, str or None
            Their weights; of what is read block by block, the name of a column. None for one each.
        X_val : array-like or None
            Validation rows that score the rounds. None holds some out, if ``early_stopping`` is on.
        y_val : array-like or None
            Their targets.
        sample_weight_val : array-like or None
            Their weights. None for one each.
        eval_set : tuple of (X, y) or None
            The same as `X_val, y_val`.
        """
        before = dict(vars(self)) if self.warm_start and hasattr(self, "trees_") else None
        try:
            X_val, y_val = validation_pair(self, X_val, y_val, eval_set)
            check_stopping(self, X_val, y_val, sample_weight_val)
            self._fit(X, y, sample_weight, (X_val, y_val, sample_weight_val))
        except BaseException:  # what is left is the model that was to go on, or none
            if before is None:
                self.__dict__.pop("trees_", None)
            else:
                self.__dict__.clear()
                self.__dict__.update(before)
            raise
        return self

    def _fit(self, X: Any, y: Any, sample_weight: Any, given: tuple[Any, Any, Any]) -> None:
        """`given`: X, y and weights of rows to judge the rounds by, or None."""
        if is_stream(X, y):
            fit_stream(self, X, y, sample_weight, given)
            return
        seen = None
        if self.warm_start and hasattr(self, "trees_"):
            seen = Seen(self.schema_, getattr(self, "classes_", None), self._loss.raw_is)
        table, weight = read_training_rows(self, X, y, sample_weight, lambda X: read_table(self, X, None))
        target, weight = self._fit_target(y, table.n_rows, weight)
        self._loss = self._new_loss()
        self._loss.check_target(target if weight is None else target[weight > 0])
        if seen is None:
            self._begin()
        train, aside = self._divide(
            table.n_rows, target, weight, given[0] is not None, lambda: find_copies(table)
        )
        watched = None
        if given[0] is not None:
            watched = self._given_rows(*given)
        elif len(aside):
            watched = self._held_out(table, target, weight, aside)
        if len(train) < table.n_rows:
            table, target = table.take(train), target[train]
            weight = None if weight is None else weight[train]
        del train, aside  # eight bytes a row that the rounds do not need
        self._fit_rounds(table, target, weight, watched, seen)

    def _begin(self) -> None:
        self.__dict__.pop("trees_", None)
        self._seed = _draw_seed(self.random_state)
        self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)

    def _divide(
        self,
        n_rows: int,
        target: Float,
        weight: Float | None,
        own_rows: bool,
        find_sets: Callable[[], Count | None],
    ) -> tuple[Count, Count]:
        """Rows to train on, and rows held out to stop by; rows without weight are in neither."""
        used = np.arange(n_rows) if weight is None else np.flatnonzero(weight > 0)
        given = self.early_stopping
        self.do_early_stopping_ = len(used) > 10_000 if given == "auto" else bool(given)
        share = held_out_share(self) if self.do_early_stopping_ and not own_rows else None
        return held_out_rows(find_sets, used, target, share, self._seed, self._target_kind)

    def _fit_rounds(
        self,
        table: Table,
        target: Float,
        weight: Float | None,
        watched: Watched | None,
        seen: Seen | None,
    ) -> None:
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns))
        min_rows = fewest_rows(check_min_rows(self), self._loss.hessians_vanish)
        binned = bin_table(table, max_bins=check_max_bins(self), min_rows=min_rows, threads=threads)
        earlier, raw = None, None
        if seen is not None:
            self._refuse_other_data(seen, binned.schema)
            earlier = self.trees_
            raw = np.ascontiguousarray(earlier.raw(matrix(self.schema_, table), threads).T)
        watch = RoundWatch(self, self._loss, table, target, weight, watched, threads)
        self._boost(binned, target, weight, watch, threads, earlier=earlier, raw=raw)

    def _boost(
        self,
        binned: Binned,
        target: Float,
        weight: Float | None,
        watch: RoundWatch,
        threads: int,
        *,
        earlier: GradientTrees | None = None,
        **options: Any,
    ) -> None:
        params = boost_params(self, binned.schema, threads)
        rng = np.random.default_rng([self._seed, 0 if earlier is None else earlier.n_rounds])
        trees = boost(
            binned,
            target,
            weight,
            self._loss,
            params,
            rng,
            earlier=earlier,
            watches=(watch,) if watch.needed else (),
            begin=watch.begin,
            **options,
        )
        self.train_score_, self.validation_score_ = np.array(watch.train), np.array(watch.validation)
        self._keep(binned.schema, trees, missing_columns(binned))

    def _given_rows(self, X: Any, y: Any, sample_weight: Any) -> Watched:
        with naming_watched():
            rows = read_table(self, X, None)
            target = self._known_target(y, rows.n_rows)
            self._loss.check_target(target)
            weight = check_sample_weight(sample_weight, rows.n_rows)
        return Watched(rows, target, weight, X, y)

    def _held_out(self, table: Table, target: Float, weight: Float | None, aside: Count) -> Watched:
        rows, own = table.take(aside), target[aside]
        return Watched(rows, own, None if weight is None else weight[aside], rows, self._labels(own))

    def _refuse_other_data(self, seen: Seen, schema: Schema) -> None:
        other_classes = seen.classes is not None and not np.array_equal(seen.classes, self.classes_)
        if other_classes or not has_same_columns(seen.schema, schema):
            raise ValueError(
                "warm_start=True goes on with the rounds there are, but y has other classes, or X other columns or "
                "levels, than before. Give the same, or warm_start=False."
            )
        if seen.raw_is != self._loss.raw_is:
            was, is_now = (one.replace("{}", "a class") for one in (seen.raw_is, self._loss.raw_is))
            raise ValueError(
                f"warm_start=True goes on with the rounds there are, which add up to the {was}, but those of "
                f"loss={self.loss!r} to the {is_now}. Give the loss of before, or warm_start=False."
            )
        if self.max_iter < self.n_iter_:
            raise ValueError(
                f"max_iter={self.max_iter} must be larger than or equal to n_iter_={self.n_iter_} when "
                "warm_start==True"
            )

    def _stored_body(self) -> GradientTrees | None:
        if not isinstance(self.loss, str):
            raise TypeError(
                f"loss={self.loss!r} is an object, and a model file holds no code. Ways out: pickle or joblib for this "
                "model, or the loss as a file of hedgerow/gradient/losses (CONTRIBUTING.md), which has a name."
            )
        return getattr(self, "trees_", None)

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, but for the scores of the rounds, from a model file."""
        boost_params(self, state.schema, 1)
        self._loss = self._new_loss()
        self._seed, self.do_early_stopping_ = 0, False
        self.train_score_, self.validation_score_ = np.empty(0), np.empty(0)
        self._keep(state.schema, state.body, state.missing)

    def _new_loss(self) -> Loss:
        return load_loss(self.loss, self._target_kind, loss_options(self))

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        if "trees_" not in self.__dict__:  # the question itself takes as long as a few trees
            check_is_fitted(self, "trees_")
        if is_plain(self, X, self.schema_):
            return X, threads_for(self.n_jobs, len(X) * self.trees_.n_trees)
        if self.schema_.has_categories:
            coded = read_numbers(self, X, self.schema_, 1)
            if coded is not None:
                return coded, threads_for(self.n_jobs, len(coded) * self.trees_.n_trees)
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

    def _mean_of(self, raw: Float) -> Float:
        """What raw (rows x outputs) means: class probabilities, or the expected target."""
        return self._loss.inverse_link(np.ascontiguousarray(raw.T))

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


def _draw_seed(random_state: Any) -> int:
    """As scikit-learn draws it, so that the same rows are held out."""
    return int(check_random_state(random_state).randint(np.iinfo(np.uint32).max, dtype="u8"))
