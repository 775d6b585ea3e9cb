"""Training and test rows.   In: `cv` as the caller gives it, Data.   Out: Splits: row numbers, and a description of how
they were made.

    0.25           a hold-out of a quarter of the rows, classes in proportion
    10             10 folds, classes in proportion; with groups, whole groups; with repeats, several times; rows that
                   are exact copies of each other stay on one side
    "time"         five folds in the order of the rows, trained on what came before
    "fitted"       the model is fitted already: all rows are test rows
    a splitter of scikit-learn, or pairs of row numbers
"""

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    RepeatedKFold,
    RepeatedStratifiedKFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
    TimeSeriesSplit,
)

from hedgerow.display.sentences import many
from hedgerow.errors import InPython, ParameterError, Setting, out_of_range
from hedgerow.evaluation.data import Data
from hedgerow.fitting.validate import is_whole
from hedgerow.table.split import stratified_folds, stratified_split
from hedgerow.types import Count, Float
from hedgerow.words import quote

DEFAULT_FOLDS = 10
TIME_FOLDS = 5


@dataclass(frozen=True, eq=False)
class Split:
    train: Count
    test: Count
    repeat: int  # 0, 1, ... : each row is tested once in each


@dataclass(frozen=True, eq=False)
class Splits:
    parts: tuple[Split, ...]
    description: str
    kind: str  # "hold-out", "folds", "time", "given" or "fitted"

    @property
    def repeats(self) -> int:
        return 1 + max(part.repeat for part in self.parts)

    @property
    def folds(self) -> int:
        """In one repeat."""
        return sum(part.repeat == 0 for part in self.parts)

    @property
    def is_hold_out(self) -> bool:
        return len(self.parts) == 1

    @property
    def is_row_by_row(self) -> bool:
        """Each tests one row."""
        return all(len(part.test) == 1 for part in self.parts)


def make_splits(cv: Any, data: Data, *, repeats: int = 1, random_state: int | None = 0) -> Splits:
    if not is_whole(repeats) or repeats < 1:
        raise out_of_range("repeats", repeats, "a whole number of at least 1")
    if cv == "fitted" and isinstance(cv, str):
        everything = np.arange(data.n_rows)
        return Splits((Split(everything[:0], everything, 0),), "as it is fitted", "fitted")
    if isinstance(cv, Splits):
        return cv
    if isinstance(cv, str):
        if cv != "time":
            wanted = InPython("'time', 'fitted', or a splitter of scikit-learn", "or time")
            raise ParameterError(
                "{cv} is unknown. Give a number of folds, a share to hold out, {}.", wanted, cv=cv
            )
        if data.n_rows < 3:
            raise ValueError(
                f"{data.n_rows} rows are too few for folds in the order of the rows. Give at least 3."
            )
        cv = TimeSeriesSplit(min(TIME_FOLDS, data.n_rows - 1))
    if data.groups is not None and not data.grouped_by_copies and data.n_units < 2:
        raise ParameterError("All rows are of one group, and a group is never split. Leave {groups} out.")
    if cv is None:
        cv = min(DEFAULT_FOLDS, data.n_units)
    if is_whole(cv):
        return _folds(int(cv), data, int(repeats), random_state)
    if isinstance(cv, Real) and not isinstance(cv, bool):
        return _hold_out(float(cv), data, int(repeats), random_state)
    if repeats > 1:
        raise ParameterError(
            "{repeats} goes with a number of folds or a share; {cv} says it all itself.",
            repeats=repeats,
            cv=cv,
        )
    return _given_splits(cv, data)


def make_time_splits(time: Float, folds: int) -> Splits:
    """Rows in the order of time in folds + 1 blocks: each but the first is tested by a model of those before it. Rows
    of one moment stay together."""
    order = np.argsort(time, kind="stable")
    starts = np.flatnonzero(np.diff(time[order])) + 1
    if not len(starts):
        raise ValueError(
            "All rows are of one moment: nothing comes before anything else. Give another time column."
        )
    wanted = np.arange(1, folds + 1) * len(time) / (folds + 1)
    cuts = np.unique(starts[np.abs(starts[None] - wanted[:, None]).argmin(axis=1)])
    ends = [*cuts[1:].tolist(), len(time)]
    parts = [
        Split(np.sort(order[:a]), np.sort(order[a:b]), 0) for a, b in zip(cuts.tolist(), ends, strict=True)
    ]
    return Splits(
        tuple(parts), f"{len(parts)} folds in the order of time, trained on what came before", "time"
    )


def _folds(folds: int, data: Data, repeats: int, random_state: int | None) -> Splits:
    if folds < 2:
        raise out_of_range("cv", folds, "at least 2 folds, or a share such as 0.25 to hold out")
    n_units = data.n_units
    if folds > n_units:
        what = "rows" if data.groups is None else "different rows" if data.grouped_by_copies else "groups"
        raise ParameterError(
            f"{{cv}} is more than the {n_units} {what}. Give at most {{}}.", Setting("cv", n_units), cv=folds
        )
    stratified = data.classes is not None and int(np.bincount(data.y).max()) >= folds
    times = f", {repeats} times" if repeats > 1 else ""
    if data.grouped_by_copies:
        name = f"{folds}{' stratified' if stratified else ''} folds{times}, copies kept together"
        return _copies_together(folds, stratified, data, repeats, random_state, name)
    if data.groups is not None:
        if repeats > 1:
            raise ParameterError(
                "{repeats} and {groups} do not go together: scikit-learn has no repeated group folds. Leave one out.",
                repeats=repeats,
            )
        kind = StratifiedGroupKFold if stratified else GroupKFold
        description = f"{folds} folds of whole groups" + (", classes in proportion" if stratified else "")
        return _split_with(kind(folds, shuffle=True, random_state=random_state), data, description, folds)
    if repeats > 1:
        kind = RepeatedStratifiedKFold if stratified else RepeatedKFold
        splitter = kind(n_splits=folds, n_repeats=repeats, random_state=random_state)
    else:
        splitter = (StratifiedKFold if stratified else KFold)(folds, shuffle=True, random_state=random_state)
    return _split_with(splitter, data, f"{folds}{' stratified' if stratified else ''} folds{times}", folds)


def _copies_together(
    folds: int, stratified: bool, data: Data, repeats: int, random_state: int | None, description: str
) -> Splits:
    """Each set of copies is dealt to the folds as one; the class of its first row is its class."""
    assert data.groups is not None
    first = np.unique(data.groups, return_index=True)[1]
    strata = data.y[first] if stratified else np.zeros(len(first), np.int64)
    seeds = np.random.SeedSequence(random_state).generate_state(repeats)
    parts = []
    for repeat, seed in enumerate(seeds.tolist()):
        fold = stratified_folds(strata, folds, seed)[data.groups]
        both = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(folds)]
        parts += [Split(train, test, repeat) for train, test in both]
    return Splits(tuple(parts), description, "folds")


def _hold_out(share: float, data: Data, repeats: int, random_state: int | None) -> Splits:
    if not 0 < share < 1:
        raise out_of_range("cv", share, "a share such as 0.25, or a whole number of folds")
    if data.n_rows < 2:
        raise ValueError("One row cannot be both learned from and tested on. Give at least 2 rows.")
    n_test = min(max(1, round(share * data.n_rows)), data.n_rows - 1)
    description = f"{100 * share:g} % of the rows held out" + (f", {repeats} times" if repeats > 1 else "")
    if data.grouped_by_copies:
        return _hold_out_copies(share, data, repeats, random_state, description)
    if data.groups is not None:
        splitter = GroupShuffleSplit(repeats, test_size=share, random_state=random_state)
        description += ", whole groups"
    elif data.classes is not None and _can_stratify(data, n_test):
        splitter = StratifiedShuffleSplit(repeats, test_size=n_test, random_state=random_state)
        description += ", classes in proportion"
    else:
        splitter = ShuffleSplit(repeats, test_size=n_test, random_state=random_state)
    return _split_with(splitter, data, description, 1)


def _hold_out_copies(
    share: float, data: Data, repeats: int, random_state: int | None, description: str
) -> Splits:
    assert data.groups is not None
    first = np.unique(data.groups, return_index=True)[1]
    strata = np.zeros(len(first), np.int64) if data.classes is None else data.y[first]
    parts = []
    for repeat, seed in enumerate(np.random.SeedSequence(random_state).generate_state(repeats).tolist()):
        out = stratified_split(strata, share, seed)[data.groups]
        parts.append(Split(np.flatnonzero(~out), np.flatnonzero(out), repeat))
    words = "" if data.classes is None else ", classes in proportion"
    return Splits(tuple(parts), f"{description}{words}, copies kept together", "hold-out")


def _can_stratify(data: Data, n_test: int) -> bool:
    count = np.bincount(data.y)
    return bool(count.min() >= 2 and min(n_test, data.n_rows - n_test) >= len(count))


def _split_with(splitter: Any, data: Data, description: str, folds: int) -> Splits:
    pairs = _split_quietly(splitter, data)
    parts = tuple(Split(train, test, k // folds) for k, (train, test) in enumerate(pairs))
    return Splits(parts, description, "hold-out" if folds == 1 else "folds")


def _split_quietly(splitter: Any, data: Data) -> list[tuple[Count, Count]]:
    """Too few rows of a class, groups that are split: reported by a check, once."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        groups = None if data.grouped_by_copies else data.groups
        return list(splitter.split(np.zeros((data.n_rows, 1)), data.y, groups))


def _given_splits(cv: Any, data: Data) -> Splits:
    """A splitter or pairs; each row is tested in as many repeats as it stands in test parts."""
    if hasattr(cv, "split"):
        pairs = _split_quietly(cv, data)
        description = str(cv)
    elif isinstance(cv, Iterable):
        pairs = [_row_pair(pair, data.n_rows) for pair in cv]
        description = many(len(pairs), "given split")
    else:
        raise TypeError(f"cv={quote(cv)} is no splitter. Give a number of folds, a share, or a splitter.")
    if not pairs:
        raise ValueError("cv gives no split at all. Give at least one pair of training and test rows.")
    parts, tested = [], np.zeros(data.n_rows, np.int64)
    for train, test in pairs:
        for rows in (train, test):
            outside = rows[(rows < 0) | (rows >= data.n_rows)]
            if len(outside):
                raise ValueError(
                    f"cv names row {outside[0]}, but there are {data.n_rows} rows, counted from 0."
                )
        if len(train) == 0 or len(test) == 0:
            raise ValueError("cv has a split without training rows or without test rows. Give both.")
        parts.append(Split(train, test, int(tested[test].max())))
        tested[test] += 1
    kind = "time" if isinstance(cv, TimeSeriesSplit) else "hold-out" if len(parts) == 1 else "given"
    description = f"{len(parts)} folds in the order of the rows" if kind == "time" else description
    return Splits(tuple(parts), description, kind)


def _row_pair(pair: Any, n_rows: int) -> tuple[Count, Count]:
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(
            f"cv holds {quote(pair)}. Expected: pairs of training rows and test rows, such as ([0, 1], [2])."
        )
    return _row_numbers(pair[0], n_rows), _row_numbers(pair[1], n_rows)


def _row_numbers(rows: Any, n_rows: int) -> Count:
    """Row numbers, or a mask of all rows."""
    found = np.asarray(rows)
    if found.dtype == bool and found.shape == (n_rows,):
        return np.flatnonzero(found)
    if found.ndim != 1 or (len(found) and found.dtype.kind not in "iu"):
        raise TypeError(
            f"cv holds {quote(rows)} for rows. Expected: their numbers, or a mask of {n_rows} entries."
        )
    return found.astype(np.int64)
