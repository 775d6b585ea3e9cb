"""Classification or regression?   In: the target column.   Out: TargetData: the task, why, and the values to predict.

text, booleans                          -> classification
whole numbers, at most 10 different     -> classification
any other numbers                       -> regression

Whole numbers in a row, with one peak, may be counts or grades (visits 0 to 9, stars 1 to 5), and so may those with gaps
(0, 1, 2, 3, 7, 12) or with a few left out (0, 1, 2, 3, 5): they are classes too, and `doubt` says so, with the way out.
Of seven or more, 0 and the last ("8 or more") do not count. Codes of classes have a peak by chance in 16 of 120 orders
of five, 32 of 720 of six.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display.sentences import join_words
from hedgerow.errors import Message, ParameterError, Setting, check_choice
from hedgerow.intake.columns import Reason, is_identifier, is_named_identifier
from hedgerow.table import Column
from hedgerow.table.checks import refuse_too_large
from hedgerow.types import Count
from hedgerow.words import did_you_mean, quote, show

TASKS = ("auto", "classification", "regression")
LARGEST_CLASS = 2.0**53  # beyond, a float64 is no exact whole number
MAX_CLASSES = 10  # different whole numbers that still look like classes
FEWEST_GRADES = 5  # different whole numbers in a row that may be counts or grades,
UNLIKE = 4  # if the most frequent has so many times the rows of the rarest,
GAPS = 2  # the largest is so many times the number of different ones: not in a row, counts all the same
MOST_SPELLINGS = 3  # sets of classes that are named
NOISE = 2.0  # and up to so many standard errors of a difference they rise to one peak and fall


@dataclass(frozen=True, eq=False)
class TargetData:
    name: str
    kind: str  # of the column: number, boolean or category
    task: str
    reason: Reason  # why this task
    values: NDArray[Any]  # class codes, or the numbers themselves
    classes: NDArray[Any] | None  # None for a regression
    doubt: Reason = ""  # why another task may be meant, and how to say so

    @property
    def labels(self) -> NDArray[Any]:
        """What an estimator learns from: the classes themselves, or the numbers."""
        return self.values if self.classes is None else self.classes[self.values]

    @property
    def strata(self) -> Count:
        """What a split keeps in proportion: classes; for numbers, one stratum."""
        return np.zeros(len(self.values), np.int64) if self.classes is None else self.values.astype(np.int64)

    def find_class(self, positive: Any) -> Any:
        """The class of interest, as the target has it: a typed word names numbers and booleans too. If none is typed:
        of two classes the one that is called like the column (homeless or housed, in a column homeless), or None."""
        if positive is None:
            return self._find_namesake()
        if self.classes is None:
            raise ParameterError(
                "{positive} names a class, but the target holds numbers. Leave it out.", positive=positive
            )
        for label in self.classes.tolist():
            if str(label) == str(positive):
                return label
        known = [str(label) for label in self.classes.tolist()]
        raise ParameterError(
            "{positive} is no class. Classes: {}.{}",
            ", ".join(known[:30]) + (f" and {len(known) - 30} more" if len(known) > 30 else ""),
            did_you_mean(str(positive), known),
            positive=positive,
        )

    def _find_namesake(self) -> Any:
        labels = [] if self.classes is None else self.classes.tolist()
        found = [one for one in labels if str(one).strip().casefold() == self.name.strip().casefold()]
        return found[0] if len(labels) == 2 and len(found) == 1 else None


def match_classes(target: TargetData, known: NDArray[Any]) -> TargetData:
    """The classes written as a model knows them: 1, 1.0 and "1" are one class; so are True, "true" and "TRUE"."""
    by_text = {_spell_class(label): label for label in known.tolist()}
    if target.classes is None or not {_spell_class(label) for label in target.classes.tolist()} <= set(
        by_text
    ):
        return target
    classes = [by_text[_spell_class(label)] for label in target.classes.tolist()]
    return replace(target, classes=np.array(classes, known.dtype))


def _spell_class(label: Any) -> str:
    text = str(label).strip()
    try:
        return f"{float(text):.17g}"
    except ValueError:
        return text.casefold() if text.casefold() in ("true", "false") else text


def read_target(column: Column, task: str = "auto") -> TargetData:
    """`column`: without missing cells."""
    doubt: Reason = ""
    if check_choice("task", task, TASKS) == "auto":
        task, reason = _infer_task(column)
        doubt = _doubt_classes(column) if task == "classification" else ""
    else:
        reason = Message("set by {task}", task=task)
    if task == "regression":
        return TargetData(column.name, column.kind, task, reason, _read_numbers(column), None)
    classes, codes = np.unique(read_labels(column), return_inverse=True)
    _check_classes(column, classes, len(codes))
    return TargetData(column.name, column.kind, task, reason, codes.astype(np.int32), classes, doubt)


def _doubt_classes(column: Column) -> Reason:
    """Of whole numbers that may be counts or grades, and of classes that may be one; else nothing."""
    if column.kind == "category":
        return _doubt_spellings(column)
    if column.kind != "number":
        return ""
    values, counts = np.unique(column.values, return_counts=True)
    if not _may_be_grades(values, counts) and not _has_gaps(values):
        return ""
    return Message(
        "{} holds whole numbers from {} to {}, taken as {} classes that have no order. If they are counts or grades, {}"
        " predicts the number itself.",
        show(column.name), f"{values[0]:g}", f"{values[-1]:g}", len(values), Setting("task", "regression"),
    )  # fmt: skip


def _doubt_spellings(column: Column) -> Reason:
    """Yes and yes: two classes, or one?"""
    alike: dict[str, list[str]] = {}
    for code in np.unique(column.values):
        alike.setdefault(" ".join(column.levels[code].split()).casefold(), []).append(column.levels[code])
    found = [
        join_words([quote(one) for one in spellings]) for spellings in alike.values() if len(spellings) > 1
    ]
    if not found:
        return ""
    more = f", and {len(found) - MOST_SPELLINGS} more sets" if len(found) > MOST_SPELLINGS else ""
    return Message(
        "{} holds classes that differ only in capital letters or spaces: {}. They are taken as different classes; if "
        "they are one, write them alike in the table.",
        show(column.name), "; ".join(found[:MOST_SPELLINGS]) + more,
    )  # fmt: skip


def _may_be_grades(values: NDArray[Any], counts: Count) -> bool:
    """In a row, or nearly: from 0 or 1 on, where no row has some of the numbers (0, 1, 2, 3, 4, 6)."""
    n_numbers = int(values[-1] - values[0]) + 1
    if len(values) < FEWEST_GRADES or n_numbers >= GAPS * len(values):
        return False
    if n_numbers > len(values) and values[0] not in (0, 1):
        return False
    rows = np.zeros(n_numbers, np.int64)
    rows[(values - values[0]).astype(np.int64)] = counts
    # Many have no child, most others two, and the last number is "8 or more"
    inner = rows[int(values[0] == 0) : -1] if n_numbers >= FEWEST_GRADES + 2 else rows
    return bool(rows.max() >= UNLIKE * rows.min()) and _has_one_peak(inner)


def _has_gaps(values: NDArray[Any]) -> bool:
    """From 0 or 1 on, with gaps of several sizes: 0, 1, 2, 3, 7, 12. Codes of classes seldom leave out so many."""
    is_wide = len(values) >= FEWEST_GRADES and values[-1] >= GAPS * len(values)
    return bool(is_wide and values[0] in (0, 1) and len(np.unique(np.diff(values))) > 1)


def _has_one_peak(counts: Count) -> bool:
    """Up to what chance explains."""
    peak, noise = int(counts.argmax()), NOISE * np.sqrt(np.maximum(counts[1:] + counts[:-1], 1))
    steps = np.diff(counts)
    return bool(np.all(steps[:peak] > -noise[:peak]) and np.all(steps[peak:] < noise[peak:]))


def _infer_task(column: Column) -> tuple[str, Reason]:
    name = column.name
    if column.kind == "category":
        return "classification", f"{name} is text"
    if column.kind == "boolean":
        return "classification", f"{name} is true or false"
    n_distinct = len(np.unique(column.values))
    if not np.all(column.values == np.rint(column.values)):
        return "regression", f"{name} holds numbers with fractions"
    if np.any(np.abs(column.values) > LARGEST_CLASS):
        return "regression", f"{name} holds numbers beyond 2^53"
    if n_distinct <= MAX_CLASSES:
        return "classification", f"{name} holds only {n_distinct} different whole numbers"
    return "regression", f"{name} holds {n_distinct:,} different whole numbers"


def _read_numbers(column: Column) -> NDArray[Any]:
    if column.kind == "category":
        raise ParameterError(
            "{task} wants numbers, but the target {} is text such as {}. Use {}.",
            quote(column.name),
            quote(column.levels[0]),
            Setting("task", "classification"),
            task="regression",
        )
    n_distinct = len(np.unique(column.values))
    if n_distinct == 1:
        raise _one_value(column, f"{column.values[0]:g}")
    if is_identifier(column.name, column.values):
        raise _identifier(column, n_distinct)
    numbers = column.values.astype(np.float64)
    refuse_too_large(numbers)
    return numbers


def read_labels(column: Column) -> NDArray[Any]:
    """The classes of a column without missing cells."""
    if column.kind == "category":
        return np.array(column.levels, dtype=np.str_)[column.values]
    if column.kind == "boolean":
        return column.values.astype(bool)
    is_whole = np.all(column.values == np.rint(column.values)) and np.all(np.abs(column.values) < 2**53)
    return column.values.astype(np.int64 if is_whole else np.float64)


def _check_classes(column: Column, classes: NDArray[Any], n_rows: int) -> None:
    if len(classes) == 1:
        raise _one_value(column, str(classes[0]))
    if len(classes) > max(MAX_CLASSES, n_rows // 2):
        raise _identifier(column, len(classes))


def _identifier(column: Column, n_distinct: int) -> ParameterError:
    is_number = column.kind != "category" and not is_named_identifier(column.name)
    way_out = (
        Message("or use {task}", task="regression") if is_number else Message("or rename it if it is none")
    )
    return ParameterError(
        "The target {} has {} different values in {} rows: it looks like an identifier, and nothing can be learned "
        "about what is seen once. Name another {target}, {}.",
        quote(column.name),
        f"{n_distinct:,}",
        f"{len(column.values):,}",
        way_out,
    )


def _one_value(column: Column, value: str) -> ParameterError:
    return ParameterError(
        "The target {} is {} in every row, so there is nothing to predict. Name another {target}.",
        quote(column.name),
        quote(value),
    )
