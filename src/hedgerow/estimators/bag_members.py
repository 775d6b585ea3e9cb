"""Members of any kind.   In: a learner of scikit-learn, rows, how often each was drawn.   Out: a fitted copy; what it
says of new rows, in the classes of the ensemble.

A learner that takes sample weights gets all rows, with the number of draws as weights: those not drawn have weight
zero, as in scikit-learn, so that it knows all classes. To hedgerow's own a row of weight zero is no row: they get the
rows they drew. Any other learner gets the rows as often as they were drawn. A learner that refuses a draw of one class
has nothing to learn there: its place takes a tree of one leaf, which predicts that class.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import _check_method_params, has_fit_parameter

from hedgerow.encode import matrix, schema_of
from hedgerow.estimators.delegating import DelegatingEstimator
from hedgerow.estimators.tree import DecisionTreeClassifier
from hedgerow.table import Table, to_table
from hedgerow.types import Count, Float


def rows_to_give(X: Any, table: Table, learners: Sequence[Any]) -> Any:
    """X in a form that these learners read and that rows can be taken from."""
    if isinstance(X, (Table, str, os.PathLike, Mapping, list, tuple)):
        if all(map(_takes_tables, learners)):
            return table
        schema = schema_of(table)
        if schema.has_categories:
            raise ValueError(
                "The table has columns of text or categories, and not all learners are hedgerow's. Give X as a frame, "
                "with learners (or a Pipeline) that encode them."
            )
        return np.asarray(matrix(schema, table))
    if issparse(X):
        return X if X.format in ("csr", "csc") else X.tocsr()  # rows can be taken from these
    return X if hasattr(X, "iloc") or hasattr(X, "get_column") or isinstance(X, np.ndarray) else np.asarray(X)


def table_of_members(X: Any) -> Table:
    """X as a Table, infinities as missing: what members that are not ours make of them is theirs to say."""
    if isinstance(X, np.ndarray) and X.dtype.kind == "f":
        return to_table(np.where(np.isinf(X), np.nan, X))
    if isinstance(X, np.ndarray) and X.dtype.kind == "O":
        endless = np.array([isinstance(cell, float) and np.isinf(cell) for cell in X.flat]).reshape(X.shape)
        cells = X.copy()
        cells[endless] = None
        return to_table(cells)
    return to_table(X)


def _takes_tables(learner: Any) -> bool:
    """One of hedgerow's that takes categories, or a pipeline that begins with one. (Its SVMs take numbers only.)"""
    while isinstance(learner, DelegatingEstimator):
        learner = getattr(learner, learner.FITTED, learner.estimator)
    first = learner.steps[0][1] if getattr(learner, "steps", None) else learner
    return type(first).__module__.startswith("hedgerow.") and get_tags(first).input_tags.categorical


def take_rows(X: Any, rows: Count) -> Any:
    """These rows of anything that has rows."""
    return X.take(rows) if isinstance(X, Table) else _safe_indexing(X, rows)


def take_columns(X: Any, columns: Count) -> Any:
    if np.array_equal(columns, np.arange(len(X.columns) if isinstance(X, Table) else X.shape[1])):
        return X
    if isinstance(X, Table):
        return X.select_places(columns)
    return _safe_indexing(X, columns, axis=1)


def fit_member(
    learner: Any,
    X: Any,
    y: NDArray[Any],
    weight: Float | None,
    *,
    weights_are_counts: bool,
    columns: Count,
    seed: int,
    more: dict[str, Any],
) -> Any:
    """weight : of each row for this member; None: all one.   weights_are_counts : numbers of draws.
    more : what its fit is given besides; what has an entry a row goes with the rows."""
    member = _set_seeds(clone(learner), seed)
    if isinstance(X, Table) and hasattr(member, "categorical_features"):  # these are categories already
        member.set_params(categorical_features=None)
    part = take_columns(X, columns)
    if weight is None or np.all(weight == 1):
        return fit_estimator(member, part, y, **more)
    used = np.flatnonzero(weight)
    if is_classifier(member) and y.ndim == 1 and np.all(y[used] == y[used[0]]) and np.any(y != y[used[0]]):
        return _fit_to_one_class(member, part, y, weight, used, more)
    if has_fit_parameter(member, "sample_weight"):
        if not type(member).__module__.startswith("hedgerow."):
            return fit_estimator(member, part, y, sample_weight=weight, **more)
        return _fit_to_rows(member, part, y, used, more, sample_weight=weight[used])
    if not weights_are_counts:
        raise ValueError(
            f"{type(learner).__name__} takes no sample_weight. Leave the weights out, use bootstrap=True, which draws "
            "rows by their weight, or another base learner."
        )
    drawn = np.repeat(used, weight[used].astype(np.int64))
    return _fit_to_rows(member, part, y, drawn, more)


def _fit_to_rows(
    member: Any, X: Any, y: NDArray[Any], rows: Count, more: dict[str, Any], **weights: Any
) -> Any:
    taken = _check_method_params(y, more, indices=rows)
    return fit_estimator(member, take_rows(X, rows), y[rows], **weights, **taken)


def fit_estimator(estimator: Any, X: Any, y: Any, **more: Any) -> Any:
    """The estimator itself, whatever its fit returns."""
    estimator.fit(X, y, **more)
    return estimator


def _fit_to_one_class(
    member: Any, X: Any, y: NDArray[Any], weight: Float, used: Count, more: dict[str, Any]
) -> Any:
    """A member whose draw has one class, of several that there are."""
    try:
        if has_fit_parameter(member, "sample_weight"):
            return fit_estimator(member, X, y, sample_weight=weight, **more)
        return _fit_to_rows(member, X, y, used, more)
    except ValueError:  # it learns no single class
        return DecisionTreeClassifier().fit(take_rows(X, used), y[used])


def member_values(member: Any, X: Any, columns: Count, classes: Any, **more: Any) -> Float:
    """Rows x outputs: probabilities of all classes (votes where the member has no probabilities), or the number."""
    part = take_columns(X, columns)
    if classes is None:
        predicted = np.asarray(member.predict(part, **more), np.float64)
        return predicted.reshape(len(predicted), -1)
    if hasattr(member, "predict_proba"):
        own = member.predict_proba(part, **more)
        if isinstance(classes, list):
            parts = zip(own, classes, member.classes_, strict=True)
            return np.concatenate([_widened(*one) for one in parts], axis=1)
        return _widened(own, classes, member.classes_)
    predicted = np.asarray(member.predict(part, **more))
    if isinstance(classes, list):
        return np.concatenate([_one_hot(c, k) for c, k in zip(predicted.T, classes, strict=True)], axis=1)
    return _one_hot(predicted, classes)


def _widened(own: Float, classes: NDArray[Any], known: NDArray[Any]) -> Float:
    """Probabilities of the classes a member knows, in all classes."""
    out = np.zeros((len(own), len(classes)))
    out[:, np.searchsorted(classes, known)] = own
    return out


def member_scores(member: Any, X: Any, columns: Count) -> Float:
    """What its decision function says."""
    return np.asarray(member.decision_function(take_columns(X, columns)), np.float64)


def member_votes(member: Any, X: Any, columns: Count, classes: NDArray[Any]) -> Float:
    """Rows x classes: one where the member predicts the class."""
    return _one_hot(member.predict(take_columns(X, columns)), classes)


def _one_hot(predicted: NDArray[Any], classes: NDArray[Any]) -> Float:
    return np.asarray(np.eye(len(classes))[np.searchsorted(classes, predicted)])


def _set_seeds(member: Any, seed: int) -> Any:
    """Sets every random_state of the learner and of the learners inside it."""
    names = [
        name
        for name in sorted(member.get_params(deep=True))
        if name == "random_state" or name.endswith("__random_state")
    ]
    return member.set_params(**{name: (seed + k) % (2**31 - 1) for k, name in enumerate(names)})
