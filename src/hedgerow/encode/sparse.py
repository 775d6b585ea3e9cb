"""Sparse columns as codes.   In: a SparseTable.   Out: SparseEncoded: a code for each entry, and one for all the rows
of a column that have none.

The codes are those of the columns written out (encoded.py), so that a tree grown on either is the same to the last bit.
Reading `codes` writes out each column on access.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar, overload

import numpy as np

from hedgerow.core import native
from hedgerow.encode.codebook import code_width, distinct_values
from hedgerow.encode.encoded import Encoded, bin_column, midpoints
from hedgerow.encode.schema import Schema, schema_of
from hedgerow.table.sparse import ColumnEntries, SparseTable
from hedgerow.types import Codes, Count, Float, UIndex

Item = TypeVar("Item")


@dataclass(frozen=True, eq=False)
class SparseCodes:
    """What growers read. Column j: the entries `start[j]` to `start[j + 1]`; all other rows have the code `rest[j]`."""

    start: Count
    row: UIndex
    code: UIndex
    rest: UIndex
    value_start: Count
    values: Float  # of each rank code
    edge_start: Count
    edges: Float  # of binned columns

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (
            self.start,
            self.row,
            self.code,
            self.rest,
            self.value_start,
            self.values,
            self.edge_start,
            self.edges,
        )


@dataclass(frozen=True, eq=False)
class SparseEncoded(Encoded):
    entries: SparseCodes

    def values(self, j: int) -> Float:
        part = slice(int(self.entries.value_start[j]), int(self.entries.value_start[j + 1]))
        return self.entries.values[part]

    def thresholds(self, j: int, low_rows: UIndex, high_rows: UIndex) -> Float:
        codes, edges = self.codes[j], self.edges[j]
        if edges is not None:
            return edges[codes[low_rows]]
        values = self.values(j)
        return midpoints(values[codes[low_rows]], values[codes[high_rows]])

    def select_columns(self, columns: Count) -> "SparseEncoded":
        """Some of the columns."""
        if not isinstance(self.table, SparseTable):
            raise TypeError("codes of entries are those of a sparse table")
        own, schema = self.entries, self.schema
        start, at = _parts(own.start, columns)
        value_start, value_at = _parts(own.value_start, columns)
        edge_start, edge_at = _parts(own.edge_start, columns)
        entries = SparseCodes(
            start,
            own.row[at],
            own.code[at],
            own.rest[columns],
            value_start,
            own.values[value_at],
            edge_start,
            own.edges[edge_at],
        )
        part = Schema(
            tuple(schema.names[j] for j in columns),
            tuple(schema.kinds[j] for j in columns),
            ((),) * len(columns),
            schema.named,
        )
        table = self.table.select_places(columns)
        return _encoded(table, part, entries, self.n_codes[columns], self.n_missing[columns])


def encode_sparse(
    table: SparseTable, max_bins: int | None, weight: Float | None, threads: int
) -> SparseEncoded:
    cells = table.by_column
    code, rest, n_codes, n_missing, value_start, values = native.rank_entries(
        cells.start, cells.values, table.n_rows, threads
    )
    no_edges = np.zeros(len(rest) + 1, np.int64)
    entries = SparseCodes(cells.start, cells.row, code, rest, value_start, values, no_edges, np.empty(0))
    encoded = _encoded(table, schema_of(table), entries, n_codes, n_missing)
    return encoded if max_bins is None else _bin_all(encoded, cells, max_bins, weight)


def _encoded(
    table: SparseTable, schema: Schema, entries: SparseCodes, n_codes: Count, n_missing: Count
) -> SparseEncoded:
    def codes(j: int) -> Codes:
        part = slice(int(entries.start[j]), int(entries.start[j + 1]))
        out: Codes = np.full(table.n_rows, entries.rest[j], code_width(int(n_codes[j])))
        out[entries.row[part]] = entries.code[part]
        return out

    def edges(j: int) -> Float | None:
        part = slice(int(entries.edge_start[j]), int(entries.edge_start[j + 1]))
        return entries.edges[part] if part.stop > part.start else None

    many = len(entries.rest)
    return SparseEncoded(table, schema, _Made(many, codes), n_codes, n_missing, _Made(many, edges), entries)  # type: ignore[arg-type]


class _Made(Sequence[Item], Generic[Item]):
    """Items made on access."""

    def __init__(self, size: int, make: Callable[[int], Item]) -> None:
        self._size, self._make = size, make

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, at: int) -> Item: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Item, ...]: ...
    def __getitem__(self, at: int | slice) -> Item | tuple[Item, ...]:
        if isinstance(at, slice):
            return tuple(self._make(j) for j in range(*at.indices(self._size)))
        return self._make(range(self._size)[at])


def _bin_all(
    encoded: SparseEncoded, cells: ColumnEntries, max_bins: int, weight: Float | None
) -> SparseEncoded:
    """Each column is written out while it is binned, so that sums of weights are the same to the last bit."""
    own = encoded.entries
    code, rest, n_codes = own.code.copy(), own.rest.copy(), encoded.n_codes.copy()
    edges, values = [np.empty(0)] * len(rest), [np.empty(0)] * len(rest)
    for j in np.flatnonzero(n_codes).tolist():
        numbers = encoded.table.columns[j].numbers
        binned, edges[j] = bin_column(numbers, encoded.codes[j], int(n_codes[j]), max_bins, weight)
        n_codes[j] = len(edges[j]) + 1
        values[j] = distinct_values(numbers, binned, int(n_codes[j]))
        part = cells.part(j)
        code[part] = binned[cells.row[part]]
        without = _first_without(cells.row[part], len(binned))
        rest[j] = 0 if without is None else binned[without]
    binned_entries = SparseCodes(
        own.start,
        own.row,
        code,
        rest,
        _starts(values),
        np.concatenate(values),
        _starts(edges),
        np.concatenate(edges),
    )
    table = encoded.table
    return _encoded(table, encoded.schema, binned_entries, n_codes, encoded.n_missing)  # type: ignore[arg-type]


def _starts(parts: list[Float]) -> Count:
    return np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)


def _first_without(rows: UIndex, n_rows: int) -> int | None:
    """The first row that has no entry."""
    if len(rows) == n_rows:
        return None
    gap = np.flatnonzero(rows != np.arange(len(rows)))
    return int(gap[0]) if len(gap) else len(rows)


def _parts(start: Count, columns: Count) -> tuple[Count, Count]:
    """Where the chosen columns' parts begin among themselves, and the places of all that is in them."""
    many = np.diff(start)[columns]
    new = np.concatenate([[0], np.cumsum(many)]).astype(np.int64)
    ramp = np.arange(new[-1]) - np.repeat(new[:-1], many)
    return new, np.repeat(start[:-1][columns], many) + ramp
