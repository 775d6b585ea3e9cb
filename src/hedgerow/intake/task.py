"""Classification or regression?   In: the target column.   Out: Goal: the task, why, and what to learn.

text, booleans                          -> classification
whole numbers, at most 10 different     -> classification
any other numbers                       -> regression
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.grow import Classes, Numbers, Target
from hedgerow.intake.identifier import is_called_identifier, names_rows
from hedgerow.table import Column
from hedgerow.table.words import quote
from hedgerow.types import Count

FEW = 10  # different whole numbers that still look like classes


@dataclass(frozen=True, eq=False)
class Goal:
    task: str
    why: str
    values: NDArray[Any]  # class numbers, or the numbers themselves
    classes: NDArray[Any] | None

    def target(self, rows: NDArray[Any]) -> Target:
        """What a tree learns from, for these rows."""
        if self.classes is None:
            return Numbers(np.ascontiguousarray(self.values[rows]))
        return Classes(np.ascontiguousarray(self.values[rows]), len(self.classes))

    @property
    def labels(self) -> NDArray[Any]:
        """What an estimator learns from: the classes themselves, or the numbers."""
        return self.values if self.classes is None else self.classes[self.values]

    @property
    def strata(self) -> Count:
        """What a split keeps in proportion: classes; for numbers, one stratum."""
        return np.zeros(len(self.values), np.int64) if self.classes is None else self.values.astype(np.int64)


def goal_of(column: Column, asked: str) -> Goal:
    task, why = _inferred(column) if asked == "auto" else (asked, f"asked for by --task {asked}")
    if task == "regression":
        return Goal(task, why, _numbers(column), None)
    labels = _labels(column)
    classes, codes = np.unique(labels, return_inverse=True)
    _refuse_odd(column, classes, len(labels))
    return Goal(task, why, codes.astype(np.int32), classes)


def _inferred(column: Column) -> tuple[str, str]:
    name = column.name
    if column.kind == "category":
        return "classification", f"{name} is text"
    if column.kind == "boolean":
        return "classification", f"{name} is true or false"
    different = len(np.unique(column.values))
    if not np.all(column.values == np.rint(column.values)):
        return "regression", f"{name} holds numbers with fractions"
    if different <= FEW:
        return "classification", f"{name} holds only {different} different whole numbers"
    return "regression", f"{name} holds {different:,} different whole numbers"


def _numbers(column: Column) -> NDArray[Any]:
    if column.kind == "category":
        raise ValueError(
            f"--task regression wants numbers, but the target {quote(column.name)} is text such as "
            f"{quote(column.levels[0])}. Use --task classification."
        )
    different = len(np.unique(column.values))
    if different == 1:
        raise _one_value(column, f"{column.values[0]:g}")
    if names_rows(column.name, column.values):
        raise _identifier(column, different)
    return column.values.astype(np.float64)


def _labels(column: Column) -> NDArray[Any]:
    if column.kind == "category":
        return np.array(column.levels, dtype=np.str_)[column.values]
    if column.kind == "boolean":
        return column.values.astype(bool)
    whole = np.all(column.values == np.rint(column.values)) and np.all(np.abs(column.values) < 2**53)
    return column.values.astype(np.int64 if whole else np.float64)


def _refuse_odd(column: Column, classes: NDArray[Any], n_rows: int) -> None:
    if len(classes) == 1:
        raise _one_value(column, str(classes[0]))
    if len(classes) > max(FEW, n_rows // 2):
        raise _identifier(column, len(classes))


def _identifier(column: Column, different: int) -> ValueError:
    is_number = column.kind != "category" and not is_called_identifier(column.name)
    way_out = f"Name another --target{', or use --task regression' if is_number else ', or rename it if it is none'}."
    return ValueError(
        f"The target {quote(column.name)} has {different:,} different values in {len(column.values):,} rows: "
        f"it looks like an identifier, and nothing can be learned about what is seen once. {way_out}"
    )


def _one_value(column: Column, value: str) -> ValueError:
    return ValueError(
        f"The target {quote(column.name)} is {quote(value)} in every row, so there is nothing to predict. "
        "Name another --target."
    )
