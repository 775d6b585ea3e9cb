"""What is evaluated on.   In: X, y, weights and groups as the caller has them, and the models.   Out: Data, checked
once; nobody below asks again.
"""

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier, is_regressor
from sklearn.utils.validation import _num_samples

from hedgerow.errors import ParameterError
from hedgerow.estimators.bag_members import take_rows
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.fitting.target import check_sample_weight
from hedgerow.grow import Classes
from hedgerow.table import Table, to_table
from hedgerow.table.checks import refuse_too_large
from hedgerow.table.copies import NO_EQUAL_ROWS, EqualRows, find_equal_rows, join_groups
from hedgerow.types import Count, Float
from hedgerow.words import quote

# Share of the rarer of two classes from which on neither is the one of interest by itself.
NEARLY_EQUAL = 0.45
NEGATIVE = {
    "no",
    "false",
    "negative",
    "neg",
    "control",
    "controls",
    "normal",
    "healthy",
    "benign",
    "none",
    "absent",
}
SHORT = {"y": "n", "t": "f", "1": "0"}  # a letter is a "no" only beside its "yes"
UNEQUAL = 0.4  # of an equal share: a class with less of the rows is rare
RARE = 0.2  # share of "no" below which it is the one of interest all the same


class Learned(NamedTuple):
    """The target of the training rows, as the caller has it."""

    labels: NDArray[Any]
    weight: Float | None


@dataclass(frozen=True, eq=False)
class Data:
    X: Any
    y: NDArray[Any]  # class numbers, or the numbers themselves
    classes: NDArray[Any] | None  # None: a regression. Of two classes the second is the positive one
    weight: Float | None
    groups: NDArray[Any] | None  # rows that belong together; copies of each other always do
    table: Table | None  # None where X is no table: texts, sparse rows
    equal: EqualRows = NO_EQUAL_ROWS  # rows that are equal in all columns (table/copies.py)
    grouped_by_copies: bool = False  # no groups were given: they are the sets of equal rows
    learned: Learned | None = None  # what a model that is fitted already learned from, where that is known

    @property
    def copies(self) -> Count | None:
        """For each row its set of equal rows that are kept together."""
        return self.equal.sets

    @property
    def n_copies(self) -> int:
        return self.equal.n_equal if self.equal.are_copies else 0

    @property
    def n_rows(self) -> int:
        return len(self.y)

    @property
    def task(self) -> str:
        return "regression" if self.classes is None else "classification"

    @property
    def n_units(self) -> int:
        """Independent units: rows, or groups."""
        return self.n_rows if self.groups is None else int(self.groups.max()) + 1

    @property
    def labels(self) -> NDArray[Any]:
        """The target as the caller has it: what a model is fitted to."""
        return self.y if self.classes is None else self.classes[self.y]

    @property
    def is_binary(self) -> bool:
        return self.classes is not None and len(self.classes) == 2

    @property
    def has_rare_class(self) -> bool:
        """So that accuracy says little: always predicting the others is nearly always right."""
        if self.classes is None:
            return False
        counts = np.bincount(self.y, minlength=len(self.classes))
        return bool(counts.min() * len(counts) < UNEQUAL * counts.sum())


def infer_task(models: Sequence[Any]) -> str:
    """Classification or regression: all models must agree."""
    kinds = {_kind(model) for model in models}
    if len(kinds) > 1:
        raise ValueError(
            "Classifiers and regressors cannot be compared with each other. Give models of one task."
        )
    return kinds.pop()


def _kind(model: Any) -> str:
    if isinstance(model, type) or not hasattr(model, "__sklearn_tags__"):
        raise TypeError(
            f"{quote(model)} is no estimator. Give such as DecisionTreeClassifier(), with brackets."
        )
    if is_classifier(model):
        return "classification"
    if is_regressor(model):
        return "regression"
    raise TypeError(
        f"{quote(model)} is neither a classifier nor a regressor. Expected: an estimator with fit and predict that "
        "scikit-learn's is_classifier or is_regressor knows."
    )


def make_data(
    models: Sequence[Any],
    X: Any,
    y: Any,
    *,
    sample_weight: Any = None,
    groups: Any = None,
    positive: Any = None,
) -> Data:
    if isinstance(X, (str, os.PathLike, Mapping)) or _are_records(X):
        X = to_table(X)
    n_rows = count_rows(X)
    if n_rows == 0:
        raise ValueError("X has no rows, so there is nothing to evaluate on. Give a table with rows.")
    weight = check_sample_weight(sample_weight, n_rows)
    groups = _groups(groups, n_rows)
    classes: NDArray[Any] | None = None
    values: NDArray[Any]
    if infer_task(models) == "classification":
        target, classes = _classes(y, n_rows)
        values, classes = _positive_last(target.codes.astype(np.int64), classes, positive)
    else:
        if positive is not None:
            raise ParameterError(
                "{positive} names a class, but a regression has none. Leave it out.", positive=positive
            )
        values = check_numbers("evaluate", y, n_rows, None, "squared_error").values
        refuse_too_large(values)
    if weight is not None and not weight.all():  # a row without weight does not exist
        kept = np.flatnonzero(weight)
        X, values, weight = take_rows(X, kept), values[kept], weight[kept]
        groups = None if groups is None else np.unique(groups[kept], return_inverse=True)[1]
    if classes is not None and len(np.unique(values)) < 2:
        raise ValueError(
            f"y is {quote(classes.tolist()[values[0]])} in every row: there is nothing to tell apart. "
            "Two classes are wanted."
        )
    table = _table_of(X)
    equal = NO_EQUAL_ROWS if table is None else find_equal_rows(table, values)
    if equal.sets is None:
        return Data(X, values, classes, weight, groups, table, equal)
    joined = equal.sets if groups is None else join_groups(groups, equal.sets)
    return Data(X, values, classes, weight, joined, table, equal, groups is None)


def add_known_classes(data: Data, model: Any) -> Data:
    """Of rows for a fitted model: its classes that none of them has are classes too, for it may predict them."""
    known = getattr(model, "classes_", None)
    if data.classes is None or known is None or np.asarray(known).dtype.kind != data.classes.dtype.kind:
        return data
    every = np.unique(np.concatenate([data.classes, np.asarray(known)]))
    if len(every) == len(data.classes):
        return data
    return replace(data, y=np.searchsorted(every, data.classes)[data.y], classes=every)


def _classes(y: Any, n_rows: int) -> tuple[Classes, NDArray[Any]]:
    try:
        return check_classes("evaluate", y, n_rows, None, None)
    except ValueError as error:
        if "continuous" not in str(error):
            raise
        raise ValueError(
            f"{error} Give a regressor, or, if these numbers name classes, y as text: y.astype(str)."
        ) from None


def count_rows(X: Any) -> int:
    """Of anything that has rows."""
    if isinstance(X, Table):
        return X.n_rows
    if not hasattr(X, "__len__") and not hasattr(X, "shape"):
        raise TypeError(f"X={quote(X)} is no table. Give an array, a frame, or the path of a file.")
    return int(_num_samples(X))


def _are_records(X: Any) -> bool:
    return isinstance(X, (list, tuple)) and bool(X) and isinstance(X[0], Mapping)


def _positive_last(codes: Count, classes: NDArray[Any], positive: Any) -> tuple[Count, NDArray[Any]]:
    """The class of interest last."""
    if positive is None:
        first = len(classes) == 2 and _is_first_of_interest(
            np.bincount(codes, minlength=2) / len(codes), classes
        )
        return (1 - codes, classes[::-1].copy()) if first else (codes, classes)
    if positive not in classes.tolist():
        raise ParameterError("{positive} is no class. Classes: {}.", classes.tolist(), positive=positive)
    if len(classes) != 2:
        raise ParameterError(
            f"{{positive}} needs two classes, but y has {len(classes)}. Leave it out.", positive=positive
        )
    if classes[1] == positive:
        return codes, classes
    return 1 - codes, classes[::-1].copy()


def _is_first_of_interest(shares: Float, classes: NDArray[Any]) -> bool:
    """Of yes and no it is yes, unless no is rare; of other classes the rarer one, of nearly equal ones the second."""
    words = [str(label).strip().lower() for label in classes.tolist()]
    says_no = [_says_no(word, other) for word, other in zip(words, words[::-1], strict=True)]
    if sum(says_no) == 1 and shares[says_no.index(True)] >= RARE:
        return says_no[1]
    return bool(shares[0] < min(NEARLY_EQUAL, shares[1]))


def _says_no(word: str, other: str) -> bool:
    """no, control; n beside y; not low beside low; nonsmoker beside smoker"""
    is_denial = re.fullmatch(rf"(not|no|non|never|without)[ _-]?{re.escape(other)}", word) is not None
    return word in NEGATIVE or SHORT.get(other) == word or is_denial


def _groups(groups: Any, n_rows: int) -> NDArray[Any] | None:
    if groups is None:
        return None
    found = np.asarray(groups)
    if found.shape != (n_rows,):
        raise ValueError(f"groups has shape {found.shape}, but X has {n_rows} rows. Give one group a row.")
    return np.unique(found.astype(str) if found.dtype == object else found, return_inverse=True)[1]


def _table_of(X: Any) -> Table | None:
    try:
        return to_table(X)
    except (TypeError, ValueError):
        return None
