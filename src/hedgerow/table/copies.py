"""Rows that are copies of each other, as opposed to different cases that happen to be equal.

In: a Table.   Out: for each row the number of its set of copies; None where there are none worth speaking of. And
EqualRows: what an evaluation keeps on one side.

    a wine, measured 11 times        7.4  0.70  1.9 ...      a passenger: class, sex, age
    equal to another in all          twice                   116 times
    equal in all columns but one     never                   in hundreds of rows

Cases that are equal by chance lie in a crowd: for each there are others that differ from it in one column, or in a few.
A copy has no such near neighbours. So a set of equal rows is a set of copies where the rows that agree with it in all
columns but one, or in two thirds of the columns, are fewer than half of what there would be at least if it were chance.
This looks at all columns together: ten coarse columns may well identify a row, and one that is fine need not. With few
columns all rows have near neighbours; but a table of which each row is there two or three times, and where one column
differs in most of the others, was written two or three times. Of sparse rows (a text with one word of the list) copies
cannot be distinguished from chance; they count as chance.

Where equal rows are not shown to be copies they may still be: in a wide table each has a neighbour or two. An
evaluation keeps them together wherever that costs nothing, that is, where they are few and no set of them is large. The
104 men of the third class, whose rows are all equal, are different cases, and models are to learn from some about the
others.

A target that is a fine number decides it: different cases that are equal in a few columns have different targets, so
where most equal rows have the same one, they are copies.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.row_hash import hash_cells, hash_rows
from hedgerow.table.table import Table
from hedgerow.types import Count, Float, Word

MIN_SHARE = 0.005  # of all rows; fewer copies are not spoken of
MIN_COPIES = 3
MIN_OF_EQUAL = 0.2  # of the rows equal to others; fewer are the tail of what chance does
MOST_OF_EQUAL = 0.5  # from here on all equal rows are copies: the others are copies with a near neighbour
LARGEST_OF_COPIES = 0.5  # of all rows: a larger set is what the table is like, mostly zeros
MIN_REPEATED = 20  # different rows, for it to be no chance that each is there so many times
MOST_EQUAL = 0.2  # of all rows: more are what the table is like, and each counts for itself
LARGEST_SET = 0.01  # of all rows: without it no fold lacks much
MOST_ALIKE = 0.02  # of all pairs of rows have the same target: it is a fine number
MOST_COLUMNS = 64  # left out one at a time
N_PARTS = 32  # random thirds of the columns that are left out together


@dataclass(frozen=True, eq=False)
class EqualRows:
    sets: Count | None  # for each row the number of its set, which stays on one side; None: each for itself
    are_copies: bool  # not only equal by chance
    n_equal: int  # rows that are equal to an earlier one; of copies, those
    n_other: int = 0  # of these, how many have another target than the first of their set


NO_EQUAL_ROWS = EqualRows(None, False, 0)


def find_equal_rows(table: Table, target: NDArray[Any]) -> EqualRows:
    """Which rows an evaluation keeps together. `target`: numbers, or codes of classes."""
    if table.n_rows < 2 or not table.columns:
        return NO_EQUAL_ROWS
    rows = hash_rows(table)
    _, kind, count = np.unique(rows, return_inverse=True, return_counts=True)
    kind, n_equal = kind.reshape(-1), table.n_rows - len(count)
    n_other = _count_other(kind, target)
    is_small = count.max() <= max(2, LARGEST_SET * table.n_rows)
    is_shown = is_small and n_equal - n_other >= max(MIN_COPIES, MOST_OF_EQUAL * n_equal) and _is_fine(target)
    copies = kind if is_shown else _find_copies(table, rows)
    if copies is not None and count_copies(copies) >= MIN_SHARE * table.n_rows:
        return EqualRows(copies, True, count_copies(copies), _count_other(copies, target))
    if n_equal < max(MIN_COPIES, MIN_SHARE * table.n_rows):
        return NO_EQUAL_ROWS
    is_cheap = n_equal <= MOST_EQUAL * table.n_rows and is_small
    return EqualRows(kind if is_cheap else None, False, n_equal, n_other)


def _is_fine(target: NDArray[Any]) -> bool:
    """Two rows drawn at random hardly ever have the same."""
    _, count = np.unique(target, return_counts=True)
    return bool(np.sum((count / len(target)) ** 2) <= MOST_ALIKE)


def _count_other(sets: Count, target: NDArray[Any]) -> int:
    """Rows with another target than the first row of their set."""
    _, first, place = np.unique(sets, return_index=True, return_inverse=True)
    return int(np.count_nonzero(target != target[first][place.reshape(-1)]))


def find_copies(table: Table) -> Count | None:
    """For each row the number of its set; a row that has no copy is alone in its set."""
    if table.n_rows < 2 or not table.columns:
        return None
    return _find_copies(table, hash_rows(table))


def _find_copies(table: Table, rows: Word) -> Count | None:
    """`rows`: a hash of each."""
    _, first, kind, count = np.unique(rows, return_index=True, return_inverse=True, return_counts=True)
    repeated = np.flatnonzero(count > 1)
    if not len(repeated):
        return None
    if _is_repeated(table, count):
        return kind.reshape(-1)
    surplus = count[repeated] - 1
    is_copy = _count_neighbours(table, rows, first[repeated], count[repeated]) < surplus / 2
    is_copy &= count[repeated] <= LARGEST_OF_COPIES * table.n_rows
    n_copies = int(surplus[is_copy].sum())
    if n_copies < max(MIN_COPIES, MIN_SHARE * table.n_rows, MIN_OF_EQUAL * surplus.sum()):
        return None
    together = np.zeros(len(count), bool)
    together[repeated if n_copies >= MOST_OF_EQUAL * surplus.sum() else repeated[is_copy]] = True
    alone = np.arange(table.n_rows) + len(count)
    return np.unique(np.where(together[kind], kind, alone), return_inverse=True)[1].reshape(-1)


def _is_repeated(table: Table, count: Count) -> bool:
    """Was the whole table written several times? In an experiment with replicates no column is fine."""
    if int(np.gcd.reduce(count)) == 1 or len(count) < MIN_REPEATED:
        return False
    return any(2 * len(np.unique(hash_cells(column, 0))) >= len(count) for column in table.columns)


def count_copies(sets: Count | None) -> int:
    """Rows that are a copy of an earlier one."""
    return 0 if sets is None else len(sets) - len(np.unique(sets))


def join_groups(groups: Count, sets: Count) -> Count:
    """Groups that hold copies of each other become one.   In: two numbers for each row.   Out: one.

    groups  0 0 1 1 2      sets  0 1 1 2 3      joined  0 0 0 0 1
    """
    joined = groups.astype(np.int64)
    while True:
        before = joined
        for of in (sets, groups):
            least = np.full(int(of.max()) + 1, np.iinfo(np.int64).max)
            np.minimum.at(least, of, joined)
            joined = least[of]
        if np.array_equal(before, joined):
            return np.unique(joined, return_inverse=True)[1].reshape(-1)


def _count_neighbours(table: Table, rows: Word, first: Count, count: Count) -> Float:
    """For each set of equal rows (by its first row), how many others nearly agree with it.

    Where a column has nearly always the same value, few rows differ in it alone: such a row counts for more.
    """
    n_columns, random = len(table.columns), np.random.default_rng(0)
    alone = set(random.permutation(n_columns)[:MOST_COLUMNS].tolist())
    n_out = round(n_columns / 3)
    parts = [set(random.permutation(n_columns)[:n_out].tolist()) for _ in range(N_PARTS if n_out > 1 else 0)]
    left_out = [np.zeros(len(rows), np.uint64) for _ in parts]
    by_column, by_part = np.zeros(len(first)), np.zeros(len(first))
    for place, column in enumerate(table.columns):
        cells = hash_cells(column, place)
        for part, total in zip(parts, left_out, strict=True):
            if place in part:
                total += cells
        if place in alone:
            by_column += _odds_of_agreeing(cells) * _count_equal(rows - cells, first, count)
    for total in left_out:
        by_part = np.maximum(by_part, _count_equal(rows - total, first, count))
    return np.maximum(by_column, by_part)


def _count_equal(rest: Word, first: Count, count: Count) -> Count:
    """Rows equal to each of the `first` in the rest of the columns, without those that are equal in all."""
    wanted, place = np.unique(rest[first], return_inverse=True)
    found = np.minimum(np.searchsorted(wanted, rest), len(wanted) - 1)
    n_equal = np.bincount(found[wanted[found] == rest], minlength=len(wanted))
    return np.asarray(n_equal[place.reshape(-1)] - count, np.int64)


def _odds_of_agreeing(cells: Word) -> float:
    """Odds that two rows drawn at random agree; 1 at least."""
    share = np.unique(cells, return_counts=True)[1] / len(cells)
    agree = float(np.sum(share**2))
    return max(1.0, agree / (1 - agree)) if agree < 1 else 0.0
