"""Sparse tables.   In: a matrix of scipy.sparse.   Out: a SparseTable: its entries by column and by row.

    implicit zero, entry of 0    the number 0: one and the same
    entry of NaN                 a missing cell

Whoever asks for `columns` gets each written out, one at a time, so that all code for Tables reads a SparseTable;
what must not take the time asks for the entries. scipy is not imported: a matrix brings its own methods.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from hedgerow.core.sparse_rows import SparseRows
from hedgerow.table.checks import check_finite, check_size, expected_2d, infinite_cell, made_up_names
from hedgerow.table.refuse import refuse_complex
from hedgerow.table.table import Column, Kind, Table
from hedgerow.types import Count, FloatAny, UIndex
from hedgerow.words import did_you_mean, listing, quote


@dataclass(frozen=True, eq=False)
class ColumnEntries:
    """Column j holds `values[start[j]:start[j + 1]]` in the rows `row[start[j]:start[j + 1]]`, ascending."""

    start: Count
    row: UIndex
    values: FloatAny

    def part(self, j: int) -> slice:
        return slice(int(self.start[j]), int(self.start[j + 1]))


@dataclass(frozen=True, eq=False, repr=False)
class SparseTable(Table):
    matrix: Any  # CSR or CSC, its entries in order and without repetition
    kind: Kind = "number"

    @cached_property
    def names(self) -> tuple[str, ...]:
        return tuple(made_up_names(self.matrix.shape[1]))

    @cached_property
    def by_column(self) -> ColumnEntries:
        entries = self.matrix.tocsc()
        return ColumnEntries(entries.indptr.astype(np.int64), entries.indices.astype(np.uint32), entries.data)

    @cached_property
    def by_row(self) -> SparseRows:
        entries = self.matrix.tocsr()
        start = entries.indptr.astype(np.int64, copy=False)
        column = entries.indices.astype(np.int32, copy=False)
        return SparseRows(start, column, entries.data, self.matrix.shape[1])

    def column(self, name: str) -> Column:
        return self.columns[self._place(name)]

    def select(self, names: Sequence[str]) -> Table:
        return self.select_places(np.array([self._place(name) for name in names], np.int64))

    def drop(self, name: str) -> Table:
        dropped = self._place(name)
        return self.select_places(np.delete(np.arange(self.matrix.shape[1]), dropped))

    def select_places(self, places: Count) -> "SparseTable":
        chosen = _table(self.matrix.tocsc()[:, places], self.kind)
        return chosen.with_names(tuple(self.names[j] for j in places))

    def with_names(self, names: tuple[str, ...]) -> "SparseTable":
        table = _table(self.matrix, self.kind)
        table.__dict__["names"] = names
        return table

    def take(self, rows: NDArray[Any] | Sequence[int]) -> "SparseTable":
        kept = np.arange(self.n_rows)[np.asarray(rows) if len(rows) else np.empty(0, np.intp)]
        return _table(self.matrix.tocsr()[kept], self.kind).with_names(self.names)

    def _place(self, name: str) -> int:
        if name in self.names:
            return self.names.index(name)
        raise KeyError(
            f"No column is named {quote(name)}. Columns: {listing(self.names)}.{did_you_mean(str(name), self.names)}"
        )


class _WrittenOut(Sequence[Column]):
    """The columns of a sparse table, each made on access."""

    def __init__(self, table: "SparseTable") -> None:
        self.table = table

    def __len__(self) -> int:
        return int(self.table.matrix.shape[1])

    @overload
    def __getitem__(self, at: int) -> Column: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Column, ...]: ...
    def __getitem__(self, at: int | slice) -> Column | tuple[Column, ...]:
        if isinstance(at, slice):
            return tuple(self[j] for j in range(*at.indices(len(self))))
        at = range(len(self))[at]
        entries = self.table.by_column
        values = np.zeros(self.table.n_rows, entries.values.dtype)
        values[entries.row[entries.part(at)]] = entries.values[entries.part(at)]
        return Column(self.table.names[at], self.table.kind, values)


def from_sparse(data: Any) -> SparseTable:
    """CSR, CSC or any other format, an array or a matrix."""
    if data.ndim != 2:
        raise expected_2d(f"{data.ndim}D sparse array", data)
    check_size(*data.shape)
    if data.dtype.kind == "c":
        raise refuse_complex("x0")
    if data.dtype.kind not in "fiub":
        raise TypeError(
            f"A sparse matrix of dtype {data.dtype} was passed. Expected: numbers. Way out: X.astype(float)."
        )
    kind: Kind = "boolean" if data.dtype.kind == "b" else "number"
    given = data if getattr(data, "format", "") in ("csr", "csc") else data.tocsr()
    if not given.has_canonical_format:
        given = given.copy()  # the caller's stays as it is
        given.sum_duplicates()
    if given.dtype not in (np.float32, np.float64):
        given = given.astype(np.float64)
    _check_finite(given)
    return _table(given, kind)


def _table(matrix: Any, kind: Kind) -> SparseTable:
    if not matrix.has_canonical_format:
        matrix.sum_duplicates()
    table = SparseTable((), matrix.shape[0], False, matrix, kind)
    object.__setattr__(table, "columns", _WrittenOut(table))
    return table


def _check_finite(matrix: Any) -> None:
    try:
        check_finite(matrix.data, ["X"])
    except ValueError:
        places = matrix.tocoo()
        first = int(np.argmax(np.isinf(places.data)))
        raise infinite_cell(
            f"x{places.col[first]}", int(places.row[first]), float(places.data[first])
        ) from None
