"""Encoded: a Table as integer codes.   In: a Table.   Out: one code per cell, as few bits as the column needs.

Rank codes keep every distinct value, so that a tree grown on them is exact. Binned codes keep at most 255 groups of
neighbouring values with about equal numbers of rows. Categories have their level numbers. Whichever it is, a missing
cell has the column's number of codes, and everything after this stage is one code path.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hedgerow.core import native
from hedgerow.encode.codebook import Codebook, code_width, distinct_values
from hedgerow.encode.part import Part
from hedgerow.encode.schema import Schema, schema_of
from hedgerow.table import Column, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Codes, Count, Float, FloatAny, UIndex

MOST_BINS = 255


@dataclass(frozen=True, eq=False)
class Encoded:
    table: Table
    schema: Schema
    codes: tuple[Codes, ...]
    n_codes: Count  # per column; a missing cell has exactly this code
    n_missing: Count  # per column
    edges: tuple[Float | None, ...]  # binned columns: upper edge of each bin but the last; None: rank codes

    @property
    def n_rows(self) -> int:
        return self.table.n_rows

    @cached_property
    def codebook(self) -> Codebook:
        """Made at first use: a tree needs it neither to grow nor to predict."""
        cuts = tuple(self._cuts(j) for j in range(len(self.codes)))
        return Codebook(self.schema, cuts, self.n_codes)

    def _cuts(self, j: int) -> Float:
        edges = self.edges[j]
        if edges is not None or self.schema.kinds[j] == "category":
            return np.empty(0) if edges is None else edges
        values = self.values(j)
        return midpoints(values[:-1], values[1:])

    def values(self, j: int) -> Float:
        """A number for each code: the value itself (rank codes), or a value between the bin's edges (bins)."""
        column, codes, n_codes = self.table.columns[j], self.codes[j], int(self.n_codes[j])
        return distinct_values(column.numbers, codes, n_codes)

    def all_values(self, wanted: Count, threads: int = 1) -> list[Float]:
        """`values` of the wanted columns, found together; nothing for the others."""
        cells = [self.table.columns[j].numbers for j in wanted]
        found = native.distinct_values(cells, [self.codes[j] for j in wanted], self.n_codes[wanted], threads)
        values = [np.empty(0)] * len(self.codes)
        for j, numbers in zip(wanted, found, strict=True):
            values[j] = numbers
        return values

    def thresholds(self, j: int, low_rows: UIndex, high_rows: UIndex) -> Float:
        """Thresholds between the cells of two training rows each, low < high."""
        edges = self.edges[j]
        if edges is not None:
            return edges[self.codes[j][low_rows]]
        values = self.table.columns[j].numbers
        return midpoints(values[low_rows], values[high_rows])


def encode(
    table: Table, *, max_bins: int | None = None, weight: Float | None = None, threads: int = 1
) -> Encoded:
    """Rank codes, or with `max_bins` (2 to 255) bins of about equal numbers of rows."""
    if max_bins is not None and not 2 <= max_bins <= MOST_BINS:
        raise ValueError(
            f"max_bins={max_bins} is out of range. Give 2 to {MOST_BINS}, or None for exact codes."
        )
    if isinstance(table, SparseTable):
        from hedgerow.encode.sparse import encode_sparse  # which derives from Encoded

        return encode_sparse(table, max_bins, weight, threads)
    numeric = [j for j, column in enumerate(table.columns) if column.kind != "category"]
    if isinstance(table, Part):
        ranked = [table.ranks[j] for j in numeric]
    else:
        ranked = native.rank_columns([table.columns[j].numbers for j in numeric], threads)
    codes: list[Codes] = [np.empty(0, np.uint8)] * len(table.columns)
    n_codes = np.zeros(len(table.columns), np.int64)
    edges: list[Float | None] = [None] * len(table.columns)
    n_missing = np.zeros(len(table.columns), np.int64)
    for j, (column_codes, n, missing) in zip(numeric, ranked, strict=True):
        codes[j], n_codes[j], n_missing[j] = column_codes, n, missing
        if max_bins is not None and n > 0:
            codes[j], edges[j] = bin_column(table.columns[j].numbers, column_codes, n, max_bins, weight)
            n_codes[j] = len(edges[j]) + 1  # type: ignore[arg-type]
    for j, column in enumerate(table.columns):
        if column.kind == "category":
            codes[j], n_codes[j] = level_codes(column), len(column.levels)
            n_missing[j] = np.count_nonzero(column.values < 0)
    return Encoded(table, schema_of(table), tuple(codes), n_codes, n_missing, tuple(edges))


def level_codes(column: Column) -> Codes:
    """Level numbers as codes, missing = number of levels."""
    n_levels = len(column.levels)
    codes = np.where(column.values < 0, n_levels, column.values)
    return codes.astype(code_width(n_levels))


def midpoints(low: FloatAny, high: FloatAny) -> Float:
    """Between two neighbours, so that low <= midpoint < high holds in float64 even for adjacent numbers."""
    low64, high64 = low.astype(np.float64), high.astype(np.float64)
    middle = low64 / 2 + high64 / 2
    return np.where((middle >= high64) | (middle < low64), low64, middle)


def bin_column(
    values: FloatAny, codes: Codes, n_codes: int, max_bins: int, weight: Float | None
) -> tuple[Codes, Float]:
    """Neighbouring ranks put together, in the bins of gradient boosting and of streams. Weights move no edge, but
    values of rows without weight join their neighbours. A value is never divided between two bins."""
    counted = values if weight is None else values[weight > 0]
    edges: Float = native.gradient_bin_edges([counted], max_bins, 1)[0]
    distinct = distinct_values(values, codes, n_codes)
    bin_of = np.searchsorted(edges, distinct, side="left")
    binned = np.append(bin_of, len(edges) + 1).astype(np.uint8)[codes]
    return binned, edges
