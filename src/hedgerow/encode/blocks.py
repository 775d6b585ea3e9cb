"""Codes of a table that is read block by block.   In: a schema, the edges of its bins, blocks of rows.   Out:
BlockEncoded: the codes that `encode` with `max_bins` makes of all rows at once, without the rows.

Codes lie where `allocate` says, by column: a byte a number, as many as its levels need a category. Forests lay them out
a second time, row by row (native/forest/records.hpp).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.encode.codebook import code_width
from hedgerow.encode.encoded import Encoded
from hedgerow.encode.schema import Schema
from hedgerow.table import Column, Kind, Table
from hedgerow.types import Byte, Codes, Count, Float

Allocate = Callable[[tuple[int, ...], Any], NDArray[Any]]  # shape, dtype


@dataclass(frozen=True, eq=False)
class BlockEncoded(Encoded):
    """`table` has no rows: what a tree asks for is in the codes, the edges and the value of each code."""

    value_of_code: tuple[Float, ...]  # of numbers: of the last row that has the code, as Encoded has it
    allocate: Allocate

    @property
    def n_rows(self) -> int:
        return len(self.codes[0])

    def make_room_for_records(self) -> Byte:
        """For the codes row by row, each row from a multiple of four bytes on."""
        width = sum(codes.itemsize for codes in self.codes)
        return self.allocate(((width + 3) // 4 * 4 * self.n_rows,), np.uint8)

    def values(self, j: int) -> Float:
        return self.value_of_code[j]

    def all_values(self, wanted: Count, threads: int = 1) -> list[Float]:
        chosen = set(wanted.tolist())
        return [value if j in chosen else np.empty(0) for j, value in enumerate(self.value_of_code)]


class BlockEncoder:
    def __init__(
        self, schema: Schema, edges: Sequence[Float | None], n_rows: int, allocate: Allocate
    ) -> None:
        """`edges`: of numbers; None for categories, and for columns without a single cell."""
        self.schema, self.edges, self.allocate, self.at = schema, tuple(edges), allocate, 0
        self.numeric = [j for j, own in enumerate(edges) if own is not None]
        counts = [
            len(levels) if own is None else len(own) + 1
            for own, levels in zip(edges, schema.levels, strict=True)
        ]
        self.n_codes = np.array(counts, np.int64)
        self.n_missing = np.zeros(len(counts), np.int64)
        self.codes: list[Codes] = [allocate((n_rows,), code_width(n)) for n in counts]
        self.value_of_code = [np.empty(0 if own is None else len(own) + 2) for own in edges]  # missing last

    def add(self, table: Table, threads: int) -> None:
        """The next rows; their columns as `conform` has them."""
        here = slice(self.at, self.at + table.n_rows)
        self.at = here.stop
        cells = [table.columns[j].numbers for j in self.numeric]
        binned = np.empty((len(cells), table.n_rows), np.uint8)
        edges: list[Any] = [self.edges[j] for j in self.numeric]
        places = np.arange(len(cells), dtype=np.int64)
        missing: Any = native.gradient_bin_codes(cells, edges, places, binned, threads) if cells else ()
        for j, numbers, codes, n_missing in zip(self.numeric, cells, binned, missing, strict=True):
            self.codes[j][here] = codes
            self.value_of_code[j][codes] = numbers
            self.n_missing[j] += n_missing
        for j in set(range(len(self.codes))).difference(self.numeric):
            levels = _level_codes(table.columns[j], self.schema.levels[j])
            self.codes[j][here] = levels
            self.n_missing[j] += int(np.count_nonzero(levels == self.n_codes[j]))

    def finish(self) -> BlockEncoded:
        columns = (
            replace(_all_missing(name, kind, 0), kind=kind, levels=levels)
            for name, kind, levels in zip(
                self.schema.names, self.schema.kinds, self.schema.levels, strict=True
            )
        )
        return BlockEncoded(
            table=Table(tuple(columns), 0, self.schema.named),
            schema=self.schema,
            codes=tuple(self.codes),
            n_codes=self.n_codes,
            n_missing=self.n_missing,
            edges=self.edges,
            value_of_code=tuple(values[:-1] for values in self.value_of_code),
            allocate=self.allocate,
        )


def conform(schema: Schema, table: Table) -> Table:
    """The block with the kinds of all rows: a column without a single cell here may be anything."""
    columns = [
        column
        if (column.kind == "category") == (kind == "category")
        else _all_missing(column.name, kind, table.n_rows)
        for column, kind in zip(table.columns, schema.kinds, strict=True)
    ]
    return Table(tuple(columns), table.n_rows, table.named)


def _all_missing(name: str, kind: Kind, n_rows: int) -> Column:
    if kind == "category":
        return Column(name, kind, np.full(n_rows, -1, np.int32), ())
    return Column(name, "number", np.full(n_rows, np.nan))


def _level_codes(column: Column, levels: tuple[str, ...]) -> Count:
    """Numbers of the levels among those of all rows; missing = their number."""
    if column.kind != "category":  # without a single cell in any row
        return np.zeros(len(column.values), np.int64)
    place = {level: k for k, level in enumerate(levels)}
    number = np.array([*(place[level] for level in column.levels), len(levels)], np.int64)
    return number[column.values]
