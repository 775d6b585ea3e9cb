"""Which columns of a sparse table may have the best stump.   In: codes of entries, groups and weights of the rows.
Out: the columns whose best test, by sums over entries, is within SLACK of the best.

All rows without an entry are on one side of a threshold, so that the masses of the other side are sums over entries.
These sums are rounded, those of native/boost/stumps.hpp are not: the columns found here are searched there, and the
stump is the one of the table written out.
"""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.encode.sparse import SparseEncoded
from hedgerow.types import Count, Float, Index, Mask, UIndex

SLACK = 1e-5  # all weights together are one


@dataclass(frozen=True, eq=False)
class Sides:
    """The sides of all thresholds that are made of entries: each a run of `rows`, sorted by column and code."""

    rows: Index
    begin: Count
    end: Count
    column: Count
    missing_rows: Index  # entries that are missing cells, by column
    missing_start: Count


_sides: "WeakKeyDictionary[SparseEncoded, Sides]" = WeakKeyDictionary()


def find_columns(encoded: SparseEncoded, group: Index, n_groups: int, weight: Float, merit: str) -> Count:
    """In their order; none where no column has two values."""
    if encoded not in _sides:
        _sides[encoded] = _find_sides(encoded)
    sides = _sides[encoded]
    mass = np.zeros((len(weight), n_groups))
    mass[np.arange(len(weight)), group] = weight / weight.sum()
    total = mass.sum(axis=0)
    sums = _running(mass[sides.rows])
    one = sums[sides.end] - sums[sides.begin]
    lost = np.diff(_running(mass[sides.missing_rows])[sides.missing_start], axis=0)
    column, lost_here = sides.column, lost[sides.column]
    some = np.flatnonzero(np.diff(sides.missing_start))  # missing cells against all others
    worth = np.concatenate(
        [
            _merits(one, total - one, merit),
            _merits(one + lost_here, total - one - lost_here, merit),
            _merits(lost[some], total - lost[some], merit),
        ]
    )
    if not len(worth):
        return np.empty(0, np.int64)
    owner = np.concatenate([column, column, some])
    return np.unique(owner[worth >= worth.max() - SLACK])


def _running(mass: Float) -> Float:
    return np.concatenate([np.zeros((1, mass.shape[1])), np.cumsum(mass, axis=0)])


def _merits(first: Float, second: Float, merit: str) -> Float:
    """native/boost/merits.hpp."""
    first, second = np.maximum(first, 0.0), np.maximum(second, 0.0)
    if merit == "error":
        return np.asarray(first.max(axis=1) + second.max(axis=1))
    if merit == "exponential":
        return np.asarray(-2 * (np.sqrt(first.prod(axis=1)) + np.sqrt(second.prod(axis=1))))
    if merit == "silence":
        apart = [np.sqrt(side[:, 0]) - np.sqrt(side[:, 1]) for side in (first, second)]
        return np.asarray(np.maximum(apart[0] ** 2, apart[1] ** 2))
    weights = [np.maximum(side.sum(axis=1), 1e-300) for side in (first, second)]
    return np.asarray(
        sum((side**2).sum(axis=1) / w for side, w in zip((first, second), weights, strict=True))
    )


def _find_sides(encoded: SparseEncoded) -> Sides:
    own = encoded.entries
    column = np.repeat(np.arange(len(own.rest)), np.diff(own.start))
    missing = own.code == encoded.n_codes[column]
    away = ~missing & (own.code != own.rest[column])
    order = np.flatnonzero(away)[np.lexsort((own.code[away], column[away]))]
    code, column_of = own.code[order], column[order]
    below = code < own.rest[column_of]
    begin, end, owner = [], [], []
    starts, ends, runs = _runs(column_of, code)
    first, last = (np.searchsorted(column_of, column_of[starts], side) for side in ("left", "right"))
    for mask, of_begin, of_end in ((below[starts], first, ends), (~below[starts], starts, last)):
        begin.append(of_begin[mask])
        end.append(of_end[mask])
        owner.append(runs[mask])
    many = np.bincount(column[missing], minlength=len(own.rest))
    return Sides(
        own.row[order].astype(np.int32),
        np.concatenate(begin),
        np.concatenate(end),
        np.concatenate(owner),
        own.row[missing].astype(np.int32),
        np.concatenate([[0], np.cumsum(many)]).astype(np.int64),
    )


def _runs(column: Count, code: UIndex) -> tuple[Count, Count, Count]:
    """Where runs of one code in one column begin and end, and their column."""
    new: Mask = np.ones(len(code), bool)
    new[1:] = (column[1:] != column[:-1]) | (code[1:] != code[:-1])
    starts = np.flatnonzero(new)
    return starts, np.append(starts[1:], len(code)), column[starts]
