"""Weighted voting: members of any kind, and coefficients learned on rows the members were not trained on.

In: named learners, or fitted ones.   Out: their weighted mean (soft, or of numbers) or weighted votes (hard). The
public classes, with their parameters, are in voting.py.

The rows for the coefficients come from `learn_on`:

    "folds"       each row is predicted by members trained on the other folds; then all are trained on all rows
    "validation"  a share of the rows is set aside; members are trained on the rest only
    (prefit=True: members are fitted already, and all rows given to fit are for the coefficients)

A row and its copies are always in one fold, so that writing a row twice is the same as giving it weight two.
"""

from collections.abc import Callable, Iterator
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import Bunch, get_tags
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from hedgerow.core import threads_for
from hedgerow.encode import Schema, schema_of
from hedgerow.ensemble.draws import row_hashes
from hedgerow.ensemble.vote import Coefficients, by_log_loss, by_squared_error
from hedgerow.errors import check_choice
from hedgerow.estimators.bag_members import (
    fit_estimator,
    member_values,
    member_votes,
    rows_to_give,
    take_rows,
)
from hedgerow.estimators.columns import read_training_rows
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.saving import extract_member, restore_model
from hedgerow.grow import Classes, Target
from hedgerow.store import ModelState
from hedgerow.store.kinds.voting import Vote
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float


class WeightedVotingBase(ExportMixin, _BaseComposition):  # type: ignore[misc]
    """What WeightedVotingClassifier and WeightedVotingRegressor have in common."""

    estimators: Any
    coefficients_: Coefficients
    schema_: Schema

    # Parameters of members by name, as scikit-learn's ensembles have them: tree__max_depth.

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return self._get_params("estimators", deep=deep)  # type: ignore[no-any-return]

    def set_params(self, **params: Any) -> Self:
        self._set_params("estimators", **params)
        return self

    @property
    def named_estimators_(self) -> Bunch:
        """The fitted members, by name."""
        names = [name for name, _ in self.estimators]
        return Bunch(**dict(zip(names, self.estimators_, strict=True)))

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._check()
        table, weight = read_training_rows(self, X, y, sample_weight, to_table)
        self.schema_ = schema_of(table)
        given = rows_to_give(X, table, [learner for _, learner in self.estimators])
        target = self._target(y, table.n_rows, weight)
        labels = self.classes_[target.codes] if isinstance(target, Classes) else target.values
        threads = threads_for(self.n_jobs, table.n_rows * len(table.columns) * len(self.estimators))
        learners = [learner for _, learner in self.estimators]

        def fit_members(rows: Count) -> list[Any]:
            one = delayed(_fit_member)
            return list(
                Parallel(threads, prefer="threads")(
                    one(learner, given, labels, target.weight, rows) for learner in learners
                )
            )

        everything = np.arange(table.n_rows) if target.weight is None else np.flatnonzero(target.weight > 0)
        if self.prefit:
            self.estimators_, predicted, rows = learners, None, everything
            if isinstance(self.weights, str):
                predicted = self._predict_members(learners, take_rows(given, everything))
        elif not isinstance(self.weights, str):
            self.estimators_, predicted, rows = fit_members(everything), None, everything
        elif self.learn_on == "validation":
            aside = self._folds(table, target, everything, round(1 / self._share())) == 0
            self.estimators_ = fit_members(everything[~aside])
            rows = everything[aside]
            predicted = self._predict_members(self.estimators_, take_rows(given, rows))
        else:
            predicted, rows = self._out_of_fold(fit_members, table, given, target, everything)
            self.estimators_ = fit_members(everything)
        self._set_weights(predicted, target, rows)
        return self

    def _stored_body(self) -> Vote | None:
        if not hasattr(self, "weights_"):
            return None
        names = tuple(str(name) for name, _ in self.estimators)
        each = (extract_member(repr(name), one) for name, one in zip(names, self.estimators_, strict=True))
        return Vote(names, tuple(each), self.weights_, getattr(self, "coefficients_", None))

    def _restore(self, state: ModelState) -> None:
        """What fit would have left, from a model file."""
        self._check_numbers()
        body = state.body
        self.schema_, self.weights_ = state.schema, body.weights
        self.estimators_ = [restore_model(member) for member in body.members]
        if body.learned is not None:
            self.coefficients_ = body.learned
        if self.prefit:
            self.estimators = list(zip(body.names, self.estimators_, strict=True))

    def _out_of_fold(
        self, fit_members: Callable[[Count], list[Any]], table: Table, given: Any, target: Target, rows: Count
    ) -> tuple[list[Float], Count]:
        """Predictions of each row by members trained on the other folds, and which rows these are."""
        tested, predicted = [], []
        for learned, test in self._splits(table, target, rows):
            tested.append(test)
            predicted.append(self._predict_members(fit_members(learned), take_rows(given, test)))
        return [np.concatenate(parts) for parts in zip(*predicted, strict=True)], np.concatenate(tested)

    def _splits(self, table: Table, target: Target, rows: Count) -> Iterator[tuple[Count, Count]]:
        if isinstance(self.cv, Integral):
            fold = self._folds(table, target, rows, int(self.cv))
            for k in np.unique(fold):
                yield rows[fold != k], rows[fold == k]
            return
        y = target.codes if isinstance(target, Classes) else target.values
        for learned, test in check_cv(self.cv, y, classifier=isinstance(target, Classes)).split(y, y):
            yield np.intersect1d(learned, rows), np.intersect1d(test, rows)

    def _folds(self, table: Table, target: Target, rows: Count, n_folds: int) -> Count:
        """The fold of each of the rows: by content, of each class (or range of the number) alike."""
        y = target.codes if isinstance(target, Classes) else target.values
        hashes = row_hashes(table.columns, table.n_rows)[rows]
        key = np.stack([hashes, np.ascontiguousarray(y[rows].astype(np.float64)).view(np.uint64)], axis=1)
        _, first, content = np.unique(key, axis=0, return_index=True, return_inverse=True)
        content = content.reshape(-1)
        order = np.lexsort((hashes[first], y[rows][first]))  # contents by target, then by hash
        place = np.empty(len(order), np.int64)
        place[order] = np.arange(len(order))
        if len(order) < 2:
            raise ValueError(
                f"X has {len(order)} distinct row that counts (n_samples=1 in effect); coefficients cannot be learned "
                "out of fold. Give more rows, or weights=None."
            )
        return np.asarray((place % max(2, min(n_folds, len(order))))[content])

    def _predict_members(self, members: list[Any], rows: Any) -> list[Float]:
        """Predictions of each member: rows x outputs, as the vote counts them."""
        columns, classes = np.arange(self.n_features_in_), self._classes()
        if classes is not None and self._hard():
            return [member_votes(member, rows, columns, classes) for member in members]
        return [member_values(member, rows, columns, classes) for member in members]

    def _set_weights(self, predicted: list[Float] | None, target: Target, rows: Count) -> None:
        self.__dict__.pop("coefficients_", None)
        n = len(self.estimators)
        if not isinstance(self.weights, str):
            given = np.ones(n) if self.weights is None else np.asarray(self.weights, np.float64)
            self.weights_ = given / given.sum()
            return
        weight = None if target.weight is None else target.weight[rows]
        self.coefficients_ = self._learn_coefficients(predicted or [], target, rows, weight)
        self.weights_ = self.coefficients_.weight

    def _learn_coefficients(
        self, predicted: list[Float], target: Target, rows: Count, weight: Float | None
    ) -> Coefficients:
        if not isinstance(target, Classes):
            return by_squared_error(
                np.column_stack([s[:, 0] for s in predicted]), target.values[rows], weight
            )
        codes = target.codes[rows]
        if self._hard():  # votes on each class are a number to come near to: one where it is the class
            votes = np.stack([s.ravel() for s in predicted], axis=1)
            truth = np.eye(target.n_classes)[codes].ravel()
            return by_squared_error(
                votes, truth, None if weight is None else np.repeat(weight, target.n_classes)
            )
        return by_log_loss(np.column_stack([s[np.arange(len(codes)), codes] for s in predicted]), weight)

    def _check(self) -> None:
        self._check_numbers()
        if self.prefit:
            for _, member in self.estimators:
                check_is_fitted(member)

    def _check_numbers(self) -> None:
        members = self.estimators
        if not members or not all(isinstance(m, tuple) and len(m) == 2 for m in members):
            raise ValueError("estimators must be a list of (name, learner), at least one.")
        self._validate_names([name for name, _ in members])
        if isinstance(self.weights, str):
            check_choice("weights", self.weights, ("learned",))
        elif self.weights is not None:
            given = np.asarray(self.weights, np.float64)
            if (
                given.shape != (len(members),)
                or not np.isfinite(given).all()
                or given.min() < 0
                or not given.any()
            ):
                raise ValueError(
                    f"weights={self.weights!r}: give {len(members)} numbers, none negative and not all zero, "
                    "'learned', or None for equal ones."
                )
        check_choice("learn_on", self.learn_on, ("folds", "validation"))
        if isinstance(self.cv, Integral) and int(self.cv) < 2:
            raise ValueError(
                f"cv={self.cv!r} is out of range. Give a number of folds, at least 2, or a splitter."
            )
        self._share()

    def _share(self) -> float:
        share = self.validation_fraction
        if isinstance(share, (int, float)) and 0 < share <= 0.5:
            return float(share)
        raise ValueError(
            f"validation_fraction={share!r} is out of range. Give a share of the rows, above 0, up to 0.5."
        )

    def _values(self, X: Any) -> Float:
        """Rows x outputs: the weighted mean."""
        check_is_fitted(self)
        table = to_table(X)
        if not isinstance(X, (Table, dict)):
            validate_data(self, X=X, skip_check_array=True, reset=False)
        total: Any = 0.0
        given = rows_to_give(X, table, self.estimators_)
        for weight, predicted in zip(
            self.weights_, self._predict_members(self.estimators_, given), strict=True
        ):
            total = total + weight * predicted
        return np.asarray(total)

    def _classes(self) -> NDArray[Any] | None:
        return getattr(self, "classes_", None)

    def _hard(self) -> bool:
        return getattr(self, "voting", "soft") == "hard"

    def _target(self, y: Any, n_rows: int, weight: Float | None) -> Target:
        raise TypeError("a subclass says what its target is")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inside = [get_tags(member).input_tags for _, member in self.estimators]
        tags.input_tags.allow_nan = all(tag.allow_nan for tag in inside)
        tags.input_tags.categorical = all(tag.categorical for tag in inside)
        tags.input_tags.sparse = all(tag.sparse for tag in inside)
        return tags

    def __str__(self) -> str:
        if not hasattr(self, "weights_"):
            return str(super().__repr__())
        lines = [
            f"{name}  {weight:.4f}" for (name, _), weight in zip(self.estimators, self.weights_, strict=True)
        ]
        return "\n".join([*lines, *([str(self.coefficients_)] if hasattr(self, "coefficients_") else [])])


def _fit_member(learner: Any, X: Any, y: NDArray[Any], weight: Float | None, rows: Count) -> Any:
    member = clone(learner)
    part = take_rows(X, rows)
    if weight is None or np.all(weight[rows] == 1):
        return fit_estimator(member, part, y[rows])
    if not has_fit_parameter(member, "sample_weight"):
        raise ValueError(
            f"{type(learner).__name__} takes no sample_weight. Leave the weights out, or that member."
        )
    return fit_estimator(member, part, y[rows], sample_weight=weight[rows])
