"""Which rows a model was trained on.   In: the training table.   Out: TrainingRows: four bytes a row, from which no
cell can be read back, so that it can be found out which rows of a later table the model has seen.

A fingerprint is a hash of the cells in the order of the model's columns; numbers count as float32, so that a CSV and a
Parquet file of the same table agree. Of more than a million different rows those with the smallest fingerprints are
kept: a random sample, which still says exactly which rows of the same range were seen.
"""

from dataclasses import dataclass, replace
from math import sqrt
from typing import Any

import numpy as np

from hedgerow.store.errors import InvalidModelFile
from hedgerow.table import Column, Table
from hedgerow.table.copies import find_copies
from hedgerow.table.row_hash import hash_rows
from hedgerow.types import Mask, UIndex

MOST = 1_000_000  # fingerprints in a file
NAME, DTYPE = "training_rows", "U32"  # of the array, and of what the header says beside it
HIGHEST = 2**32 - 1
WORTH_SAYING = 0.005  # of the rows


@dataclass(frozen=True, eq=False)
class TrainingRows:
    fingerprints: UIndex  # different ones, in order
    n_rows: int  # the model was trained on
    # Share of the training rows that equal another, copies aside: as many new rows may do so too
    by_chance: float
    is_sample: bool  # there were too many to keep

    def find_seen(self, table: Table) -> tuple[Mask, Mask]:
        """For each row: was the model trained on an equal one? And: can this be known?"""
        marks = make_fingerprints(table)
        known = marks <= (self.fingerprints[-1] if self.is_sample else HIGHEST)
        return np.isin(marks, self.fingerprints), np.asarray(known, bool)

    def is_more_than_chance(self, n_seen: int, n_rows: int) -> bool:
        """Whether so many of the rows are equal to training rows that they are the training rows."""
        error = sqrt(n_rows * self.by_chance * (1 - self.by_chance))
        return n_seen > n_rows * self.by_chance + 3 * error and n_seen >= WORTH_SAYING * n_rows

    def describe_seen(self, n_seen: int, n_rows: int) -> str:
        """`n_rows`: those of which it can be known."""
        sample = f" (estimated from a sample of its training rows: {n_rows:,} rows)" if self.is_sample else ""
        if n_seen == 0:
            return f"the model was trained on none of these {n_rows:,} rows{sample}."
        if not self.is_more_than_chance(n_seen, n_rows):
            equal = f"{n_seen:,} of {n_rows:,} rows equal training rows of the model"
            return f"{equal}, as new rows of such a table do{sample}."
        return (
            f"the model was trained on {n_seen:,} of these {n_rows:,} rows{sample}, or on rows equal to them."
        )


def make_training_rows(table: Table) -> TrainingRows:
    return TrainingRowsBuilder(table).finish()


class TrainingRowsBuilder:
    """Of a table that comes in pieces. The first says how many rows are equal by chance."""

    def __init__(self, table: Table) -> None:
        marks = make_fingerprints(table)
        self._by_chance = _share_by_chance(table, marks)
        self._different, self._n_rows, self._is_sample = np.empty(0, np.uint32), 0, False
        self._add(marks)

    def add(self, table: Table) -> None:
        self._add(make_fingerprints(table))

    def _add(self, marks: UIndex) -> None:
        different = np.unique(np.concatenate([self._different, marks]))
        self._different, self._n_rows = different[:MOST], self._n_rows + len(marks)
        self._is_sample |= len(different) > MOST

    def finish(self) -> TrainingRows:
        return TrainingRows(self._different, self._n_rows, self._by_chance, self._is_sample)


def make_fingerprints(table: Table) -> UIndex:
    columns = tuple(_with_single_precision(column) for column in table.columns)
    return (hash_rows(Table(columns, table.n_rows, table.named)) >> np.uint64(32)).astype(np.uint32)


def _with_single_precision(column: Column) -> Column:
    if column.is_coded:
        return column
    with np.errstate(over="ignore"):
        return replace(column, values=column.numbers.astype(np.float32))


def _share_by_chance(table: Table, marks: UIndex) -> float:
    _, place, count = np.unique(marks, return_inverse=True, return_counts=True)
    is_equal = count[place.reshape(-1)] > 1
    sets = find_copies(table)
    if sets is not None:
        is_equal &= np.bincount(sets)[sets] == 1
    return float(np.mean(is_equal)) if len(marks) else 0.0


def to_header(rows: TrainingRows) -> dict[str, Any]:
    return {"n_rows": rows.n_rows, "by_chance": rows.by_chance, "is_sample": rows.is_sample}


def from_file(fields: Any, marks: UIndex) -> TrainingRows:
    """What the header and the array say, checked."""
    wanted = {"n_rows": int, "by_chance": float, "is_sample": bool}
    if not isinstance(fields, dict) or {name: type(value) for name, value in fields.items()} != wanted:
        raise InvalidModelFile("has training rows that are not described as wanted")
    if not 0 <= fields["by_chance"] <= 1 or not len(marks) <= min(fields["n_rows"], MOST):
        raise InvalidModelFile("has an impossible number of training rows")
    if np.any(marks[1:] <= marks[:-1]) or (fields["is_sample"] and len(marks) < MOST):
        raise InvalidModelFile("has fingerprints of training rows that are not in order")
    return TrainingRows(marks, **fields)
