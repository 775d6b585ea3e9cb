"""What the two bagging estimators share.   In: rows, a target, an estimator.   Out: fitted members, and predictions.

`fit` is the path of data: check, table, draw, train. Our own trees take a fast way (bag_trees.py), any other learner
the general one (bag_any.py). What an ensemble of trees can say is in forest_inspection.py.
"""

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import replace
from numbers import Integral
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import check_random_state, get_tags
from sklearn.utils.validation import check_is_fitted

from hedgerow.core import threads_for
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.encode import schema_of
from hedgerow.ensemble import predict
from hedgerow.ensemble.draws import Draws, drawn_rows, draws_of
from hedgerow.estimators.bag_any import MemberBag
from hedgerow.estimators.bag_members import table_of_members
from hedgerow.estimators.bag_routing import RoutedBag
from hedgerow.estimators.bag_trees import TreeBag
from hedgerow.estimators.bagging_params import validate_bagging
from hedgerow.estimators.columns import read_rows, read_training_rows
from hedgerow.estimators.outputs import (
    count_outputs,
    one_number_a_row,
)
from hedgerow.estimators.saving import extract_member, restore_model
from hedgerow.grow import Classes, Outputs, Target
from hedgerow.store import ModelState
from hedgerow.store.kinds import forest
from hedgerow.store.kinds.bagging import Bag
from hedgerow.store.kinds.forest import NOBODY_KNOWS
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float, FloatAny


class BaggingBase(RoutedBag, TreeBag, MemberBag, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """Fitting, storing and predicting with members."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None, **fit_params: Any) -> Self:
        """Fit the members to draws of the rows.

        Parameters
        ----------
        **fit_params : dict
            Metadata that the members' fit has requested (scikit-learn's enable_metadata_routing).
        """
        more = self._routed_to_fit(fit_params)
        n_members = validate_bagging(self).n_members
        learner = self._tree_type() if self.estimator is None else self.estimator
        fast = _is_plain_tree(learner, self._tree_type)
        older = self._older(n_members)
        table, weight = read_training_rows(self, X, y, sample_weight, lambda X: self._table_of(X, learner))
        self.n_outputs_ = count_outputs(y)
        many = self.n_outputs_ > 1
        target: Any = (
            self._outputs(y, table.n_rows, weight) if many else self._target(y, table.n_rows, weight)
        )
        draws = self._draws(table, target)
        self.schema_ = schema_of(table)
        for name in ("_members", "forest_", "stopped_"):
            self.__dict__.pop(name, None)
        self.draws_ = draws
        if fast and not many and not more:
            self._fit_trees(learner, table, target, draws, older, n_members)
        else:
            self._fit_members(learner, X, table, target, draws, older, n_members, more)
        if not many:
            self._remember(table, target)
        return self

    def _table_of(self, X: Any, learner: Any) -> Table:
        """Our own trees refuse infinities here; others see X as it came."""
        if learner is None or isinstance(learner, self._tree_type):
            return to_table(X, categories=self._categories(learner))
        return table_of_members(X)

    def _outputs(self, y: Any, n_rows: int, weight: Float | None) -> Outputs:
        raise TypeError("a bagging says what its targets are")

    def _stored_body(self) -> Bag | None:
        if not hasattr(self, "draws_"):
            return None
        if hasattr(self, "forest_"):
            return Bag(True, (self._forest_state(),), self.draws_.seed)
        members = (extract_member(str(k), member) for k, member in enumerate(self.estimators_))
        return Bag(False, tuple(members), self.draws_.seed)

    def _forest_state(self) -> ModelState:
        classes = getattr(self, "classes_", None)
        tag = "forest regressor" if classes is None else "forest classifier"
        criterion = getattr(self.estimator, "criterion", forest.DEFAULTS[tag]["criterion"])
        return ModelState(
            model=tag,
            body=forest.Body(self.forest_, forest.criterion_of(criterion)),
            schema=self.schema_,
            classes=classes,
            names_in=hasattr(self, "feature_names_in_"),
            parameters={**forest.DEFAULTS[tag], "criterion": criterion},
        )

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        validate_bagging(self)
        body = state.body
        self._seed = body.seed
        self.schema_, self.draws_ = state.schema, replace(NOBODY_KNOWS, seed=body.seed)
        if body.trees:
            self.forest_ = replace(body.members[0].body.forest, draws=self.draws_)
            self._missing = frozenset(range(len(state.schema.names)))
        else:
            self._members = [restore_model(member) for member in body.members]

    def _categories(self, learner: Any) -> Any:
        """Number columns that are categories, as our own trees say it."""
        return learner.categorical_features if isinstance(learner, self._tree_type) else None

    def _draws(self, table: Table, target: Any) -> Draws:
        y: Any = one_number_a_row(target) if self.n_outputs_ > 1 else _values_of(target)
        share = (
            None
            if self.max_samples == 1.0 and not isinstance(self.max_samples, Integral)
            else self.max_samples
        )
        how: Any = "bootstrap" if self.bootstrap else "all" if share is None else "subsample"
        return draws_of(table, y, target.weight, how=how, size=share, seed=self._seed)

    def _older(self, n_members: int) -> Sequence[Any]:
        if not (self.warm_start and hasattr(self, "draws_")):
            self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))
            return ()
        older: Sequence[Any] = self._members if hasattr(self, "_members") else self.forest_.trees
        if n_members < len(older):
            raise ValueError(
                f"n_estimators={n_members} is fewer than the {len(older)} members that are there already. With "
                "warm_start=True it must not fall."
            )
        if n_members == len(older):
            warnings.warn(
                "Warm-start fitting without increasing n_estimators does not fit new members.", stacklevel=3
            )
        return older

    def _rows(self, X: Any) -> tuple[FloatAny | SparseRows, int]:
        check_is_fitted(self)
        categories = [j for j, kind in enumerate(self.schema_.kinds) if kind == "category"]
        named = self._categories(self.estimator) is not None
        table = to_table(X, categories=categories) if named else self._table_of(X, self.estimator)
        rows = read_rows(self, X, table, self.schema_)
        return rows, threads_for(self.n_jobs, rows.size * self._many())

    def _many(self) -> int:
        return len(self.forest_.trees) if hasattr(self, "forest_") else len(self._members)

    def _values(self, X: Any, **more: Any) -> Float:
        """Rows x outputs: the mean over the members. `more`: what they are given beside X."""
        rows, threads = self._rows(X)
        if hasattr(self, "forest_"):
            return predict.values(self.forest_, rows, threads)
        predicted = self._member_values(X, threads, **more)
        total = np.zeros_like(predicted[0])
        for values in predicted:  # in their order
            total += values
        return np.asarray(total / len(predicted))

    @property
    def estimators_(self) -> list[Any]:
        """The members, fitted. hedgerow's trees take all columns, also where they were grown on some; other members
        take theirs only: `estimators_features_`."""
        check_is_fitted(self)
        if hasattr(self, "_members"):
            return list(self._members)
        return [self._fitted_tree(t) for t in range(self._many())]

    @property
    def estimators_features_(self) -> list[Count]:
        """The columns of each member."""
        check_is_fitted(self)
        return [self._columns(t, self.n_features_in_) for t in range(self._many())]

    @property
    def estimators_samples_(self) -> list[Count]:
        """The rows of each member, as often as it drew them."""
        check_is_fitted(self)
        return drawn_rows(self.draws_, self._many())

    @property
    def estimator_(self) -> Any:
        """The learner that the members are copies of."""
        return self._tree_type() if self.estimator is None else self.estimator

    def __len__(self) -> int:
        return self._many()

    def __getitem__(self, place: Any) -> Any:
        return self.estimators_[place]

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators_)

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        raise TypeError("a bagging says what its target is")

    def _refuse_oob(self) -> None:
        if self.oob_score or self.stop:
            raise ValueError(
                "oob_score and stop='oob' of bagging are for one target, but y has several columns. Leave them out; "
                "random forests score several targets out of bag."
            )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        member = get_tags(self._tree_type() if self.estimator is None else self.estimator)
        tags.input_tags.allow_nan = member.input_tags.allow_nan
        tags.input_tags.categorical = member.input_tags.categorical
        tags.input_tags.sparse = member.input_tags.sparse
        return tags


def _values_of(target: Target) -> Any:
    return target.codes if isinstance(target, Classes) else target.values


def _is_plain_tree(learner: Any, kind: Any) -> bool:
    """Our own tree, grown and left as it is (or cut by ccp_alpha)."""
    return type(learner) is kind and learner.prune is None and not learner.trace
