"""What was asked, of which rows."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    data: str  # a path, a name, or "a table"
    target: str
    task: str  # "classification" or "regression"
    task_because: str
    classes: tuple[str, ...]  # empty for a regression
    positive: str | None  # of two classes, the one of interest
    metric: str  # what decides
    metric_title: str
    higher_is_better: bool
    n_rows: int  # with a target
    n_columns: int  # learned from
    n_train: int
    n_holdout: int
    folds: int
    repeats: int
    seed: int
    command: str  # to repeat it
    hedgerow: str  # version


@dataclass(frozen=True)
class ColumnTold:
    name: str
    kind: str
    n_missing: int
    n_distinct: int
    values: str  # "0 to 80", "female, male"
    used: bool
    why: str  # it is left out, or what was inferred; "" if there is nothing to say


@dataclass(frozen=True)
class Note:
    words: str
    severe: bool  # it may make the result wrong
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Share:
    label: str
    count: int


@dataclass(frozen=True)
class Profile:
    columns: tuple[ColumnTold, ...]
    n_duplicates: int  # rows that stand in the table more than once, target included
    balance: tuple[Share, ...]  # rows of each class; empty for a regression
    target: str  # its values in words
    notes: tuple[Note, ...]
