"""Bins.   In: a Table, or the pieces of one.   Out: Binned, made once for all rounds: a byte for each cell.

number     at most max_bins bins; a bin for each value where a column has no more (native/gradient/bin.hpp)
category   a code for each level with rows; beyond max_bins, the least frequent levels share the last code
missing    the code after the last bin, in columns that have missing cells
sparse     where nearly all rows have one code, only the other cells are there (native/gradient/sparse.hpp)

    Table --count--> TableCounts (counts.py) --choose_bins--> Bins --encode--> codes --group--> Binned
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.encode import Schema, schema_of
from hedgerow.gradient.counts import ColumnCounts, TableCounts
from hedgerow.table import Column, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Byte, Count, Float, Index, UIndex, UShort

MOST_BINS = 255
DENSE = -1  # not sparse (native/gradient/binned.hpp)


@dataclass(frozen=True, eq=False)
class Bins:
    """Where the bins of each column lie."""

    schema: Schema
    n_bins: Index
    has_missing: Byte
    edges: tuple[Float, ...]  # numbers: upper edge of each bin but the last; () for categories
    code_of_level: tuple[Index, ...]  # categories: the code of each level, -1 for a level without rows

    @cached_property
    def categorical(self) -> Byte:
        return np.array([kind == "category" for kind in self.schema.kinds], np.uint8)


# The code of nearly all rows (-1: the column is not sparse, -2: it cannot be split), where the other cells of each
# column begin, their rows, their codes: what native.gradient_find_others returns.
Others = tuple[Index, Count, UIndex, Byte]


@dataclass(frozen=True, eq=False)
class SparsePart:
    """Columns in which nearly all rows have one code: their other cells, column by column and row by row."""

    others: Others
    entries: tuple[Count, UShort]  # where those of each row begin, and cells of histograms


@dataclass(frozen=True, eq=False)
class Binned(Bins):
    """Rows in bins."""

    codes: Byte  # columns that are not sparse x rows
    grouped: Byte  # the same codes, as histograms read them (native/gradient/binned.hpp)
    sparse: SparsePart | None = None

    @property
    def n_rows(self) -> int:
        return int(self.codes.shape[1])


Allocate = Callable[[tuple[int, ...], Any], NDArray[Any]]  # shape, dtype


def bin_table(table: Table, *, max_bins: int = MOST_BINS, min_rows: int = 1, threads: int = 1) -> Binned:
    """Columns that no split divides into min_rows and more on both sides are left out."""
    schema = schema_of(table)
    if isinstance(table, SparseTable):
        return _bin_entries(table, schema, max_bins, min_rows, threads)
    d = len(table.columns)
    codes = np.empty((d, table.n_rows), np.uint8)
    n_bins, has_missing = np.ones(d, np.int32), np.zeros(d, np.uint8)
    edges: list[Float] = [np.empty(0)] * d
    code_of_level: list[Index] = [np.empty(0, np.int32)] * d
    numeric = [j for j, kind in enumerate(schema.kinds) if kind != "category"]
    cells = [table.columns[j].numbers for j in numeric]
    found = native.gradient_bin_edges(cells, max_bins, threads)
    missing = native.gradient_bin_codes(cells, found, np.array(numeric, np.int64), codes, threads)
    for j, own, n_missing in zip(numeric, found, missing, strict=True):
        edges[j], n_bins[j], has_missing[j] = own, len(own) + 1, n_missing > 0
    for j in set(range(d)).difference(numeric):
        levels = np.asarray(table.columns[j].values, np.int64)
        counts = np.bincount(levels + 1, minlength=len(schema.levels[j]) + 1)
        code_of_level[j], n_bins[j] = _codes_of_levels(counts[1:].astype(np.int64), max_bins)
        has_missing[j] = counts[0] > 0
        codes[j] = _level_codes(code_of_level[j], int(n_bins[j]), levels)
    bins = Bins(schema, n_bins, has_missing, tuple(edges), tuple(code_of_level))
    others = native.gradient_find_others(codes, min_rows, threads)
    if (others[0] != DENSE).any():
        codes = codes[others[0] == DENSE]
    return _group_sparse(bins, codes, others, threads)


def _bin_entries(table: SparseTable, schema: Schema, max_bins: int, min_rows: int, threads: int) -> Binned:
    at = table.by_column
    edges, has_missing, others, codes = native.gradient_bin_entries(
        at.start, at.row, at.values, table.n_rows, max_bins, min_rows, threads
    )
    n_bins = np.array([len(own) + 1 for own in edges], np.int32)
    no_levels = (np.empty(0, np.int32),) * len(edges)
    return _group_sparse(Bins(schema, n_bins, has_missing, tuple(edges), no_levels), codes, others, threads)


def choose_bins(counts: TableCounts, max_bins: int) -> Bins:
    """The bins that bin_table finds for all rows at once."""
    schema = counts.schema()
    found = [
        _column_bins(column, levels, max_bins)
        for column, levels in zip(counts.columns, schema.levels, strict=True)
    ]
    edges, code_of_level, n_bins = zip(*found, strict=True)
    missing = np.array([column.n_missing > 0 for column in counts.columns], np.uint8)
    return Bins(schema, np.array(n_bins, np.int32), missing, edges, code_of_level)


def _column_bins(column: ColumnCounts, levels: tuple[str, ...], max_bins: int) -> tuple[Float, Index, int]:
    if column.kind == "category":
        counts = np.array([column.count_of_level.get(level, 0) for level in levels], np.int64)
        return np.empty(0), *_codes_of_levels(counts, max_bins)
    edges = native.gradient_cell_edges(column.cells, max_bins)
    return edges, np.empty(0, np.int32), len(edges) + 1


def encode_block(bins: Bins, table: Table, threads: int = 1) -> Byte:
    """The codes of some rows: columns x rows."""
    codes = np.empty((len(bins.n_bins), table.n_rows), np.uint8)
    numeric = [j for j, kind in enumerate(bins.schema.kinds) if kind != "category"]
    cells = [_numbers(table.columns[j]) for j in numeric]
    edges = [bins.edges[j] for j in numeric]
    native.gradient_bin_codes(cells, edges, np.array(numeric, np.int64), codes, threads)
    for j in set(range(len(bins.n_bins))).difference(numeric):
        column = table.columns[j]
        place = {level: k for k, level in enumerate(bins.schema.levels[j])}
        number = np.array([*(place[level] for level in column.levels), -1], np.int64)
        levels = (
            number[np.asarray(column.values, np.int64)]
            if column.kind == "category"
            else np.full(table.n_rows, -1)
        )
        codes[j] = _level_codes(bins.code_of_level[j], int(bins.n_bins[j]), levels)
    return codes


def group(bins: Bins, codes: Byte, allocate: Allocate, threads: int) -> Binned:
    """Codes of all rows, laid out a second time as histograms read them."""
    grouped = allocate((codes.size + 16,), np.uint8)
    native.gradient_group_codes(codes, bins.n_bins, bins.has_missing, None, grouped, threads)
    return _binned(bins, codes, grouped)


def _group_sparse(bins: Bins, codes: Byte, others: Others, threads: int) -> Binned:
    """The same, but for columns in which nearly all rows have one code."""
    grouped = np.empty(codes.size + 16, np.uint8)
    entries = native.gradient_group_codes(codes, bins.n_bins, bins.has_missing, others, grouped, threads)
    return _binned(bins, codes, grouped, SparsePart(others, entries))


def _binned(bins: Bins, codes: Byte, grouped: Byte, sparse: SparsePart | None = None) -> Binned:
    return Binned(
        bins.schema, bins.n_bins, bins.has_missing, bins.edges, bins.code_of_level, codes, grouped, sparse
    )


def _numbers(column: Column) -> Any:
    return column.numbers if column.kind != "category" else np.full(len(column.values), np.nan)


def _codes_of_levels(counts: Count, max_bins: int) -> tuple[Index, int]:
    """The code of each level, and the number of bins."""
    present = np.flatnonzero(counts)
    code_of_level = np.full(len(counts), -1, np.int32)
    if len(present) <= max_bins:
        code_of_level[present] = np.arange(len(present))
    else:
        frequent = np.sort(present[np.argsort(-counts[present], kind="stable")][: max_bins - 1])
        code_of_level[present] = max_bins - 1
        code_of_level[frequent] = np.arange(max_bins - 1)
    return code_of_level, max(1, min(len(present), max_bins))


def _level_codes(code_of_level: Index, n_bins: int, levels: Count) -> Byte:
    return np.append(code_of_level, n_bins)[levels].astype(np.uint8)  # -1, missing, takes the last
