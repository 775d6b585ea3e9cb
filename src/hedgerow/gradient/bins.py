"""Bins.   In: a Table.   Out: Binned, a byte for each cell, made once for all rounds.

number     at most max_bins bins; a bin for each value where a column has no more (native/gradient/bin.hpp)
category   a code for each level with rows; beyond max_bins, the least frequent levels share the last code
missing    the code after the last bin, in columns that have missing cells
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Schema, schema_of
from hedgerow.table import Column, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Byte, Count, Float, Index

MOST_BINS = 255
CELLS_AT_ONCE = 1 << 22


@dataclass(frozen=True, eq=False)
class Binned:
    schema: Schema
    codes: Byte  # columns x rows
    grouped: Byte  # the same codes, as histograms read them (native/gradient/binned.hpp)
    n_bins: Index
    has_missing: Byte
    categorical: Byte
    edges: tuple[Float, ...]  # numbers: upper edge of each bin but the last; () for categories
    code_of_level: tuple[Index, ...]  # categories: the code of each level, -1 for a level without rows

    @property
    def n_rows(self) -> int:
        return int(self.codes.shape[1])


def bin_table(table: Table, *, max_bins: int = MOST_BINS, threads: int = 1) -> Binned:
    schema = schema_of(table)
    d = len(table.columns)
    codes = np.empty((d, table.n_rows), np.uint8)
    n_bins, has_missing = np.ones(d, np.int32), np.zeros(d, np.uint8)
    edges: list[Float] = [np.empty(0)] * d
    code_of_level: list[Index] = [np.empty(0, np.int32)] * d
    numeric = [j for j, kind in enumerate(schema.kinds) if kind != "category"]
    for some in _parts(table, numeric):
        cells = [table.columns[j].numbers for j in some]
        found = native.gradient_bin_edges(cells, max_bins, threads)
        missing = native.gradient_bin_codes(cells, found, np.array(some, np.int64), codes, threads)
        for j, own, n_missing in zip(some, found, missing, strict=True):
            edges[j], n_bins[j], has_missing[j] = own, len(own) + 1, n_missing > 0
    for j in set(range(d)).difference(numeric):
        codes[j], code_of_level[j], n_bins[j], has_missing[j] = _bin_levels(table.columns[j], max_bins)
    categorical = np.array([kind == "category" for kind in schema.kinds], np.uint8)
    grouped = native.gradient_group_codes(codes, n_bins, has_missing, threads)
    return Binned(
        schema, codes, grouped, n_bins, has_missing, categorical, tuple(edges), tuple(code_of_level)
    )


def _parts(table: Table, columns: list[int]) -> list[list[int]]:
    """The columns of a sparse table some at a time: each is written out while it is binned."""
    many = max(1, CELLS_AT_ONCE // table.n_rows) if isinstance(table, SparseTable) else max(1, len(columns))
    return [columns[k : k + many] for k in range(0, len(columns), many)]


def _bin_levels(column: Column, max_bins: int) -> tuple[Byte, Index, int, bool]:
    """Codes of the cells and of the levels, the number of bins, and whether a cell is missing."""
    levels = np.asarray(column.values, np.int64)
    counts: Count = np.bincount(levels[levels >= 0], minlength=len(column.levels)).astype(np.int64)
    present = np.flatnonzero(counts)
    code_of_level = np.full(len(column.levels), -1, np.int32)
    if len(present) <= max_bins:
        code_of_level[present] = np.arange(len(present))
    else:
        frequent = np.sort(present[np.argsort(-counts[present], kind="stable")][: max_bins - 1])
        code_of_level[present] = max_bins - 1
        code_of_level[frequent] = np.arange(max_bins - 1)
    n_bins = max(1, min(len(present), max_bins))
    cells = np.append(code_of_level, n_bins)[levels]  # -1, missing, takes the last
    return cells.astype(np.uint8), code_of_level, n_bins, bool(np.any(levels < 0))
