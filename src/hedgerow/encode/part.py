"""Part: some rows of a table that is encoded already.   In: Encoded, row numbers.   Out: a Table that `encode` reads
without sorting again.

Ranks among some rows follow from ranks among all: drop the ranks that no row has, close the gaps.

    all rows   7 3 9 3 5  ->  ranks 2 0 3 0 1       rows 1, 2, 4   3 9 5  ->  0 3 1  ->  0 2 1

So every fold of a cross-validation and every candidate shares one sorting, and each is to the last bit as if
it had been fitted on a copy of its rows: codes, levels and bins are those of the part alone.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode.codebook import code_width
from hedgerow.table import Column, Table
from hedgerow.types import Codes, Count


@dataclass(frozen=True, eq=False, repr=False)
class Part(Table):
    whole_codes: tuple[Codes, ...]  # of all rows
    whole_n_codes: tuple[int, ...]
    rows: Count

    @cached_property
    def ranks(self) -> dict[int, tuple[Codes, int, int]]:
        """Of each number column: codes, number of codes, missing cells. Made once, for all models that are fitted on
        these rows."""
        return {
            j: _closed(self.whole_codes[j][self.rows], self.whole_n_codes[j])
            for j, column in enumerate(self.columns)
            if column.kind != "category"
        }

    def take(self, rows: NDArray[Any] | Sequence[int]) -> "Part":
        """Some of the part's rows: a part again."""
        kept = np.arange(self.n_rows)[np.asarray(rows) if len(rows) else np.empty(0, np.intp)]
        plain = self._plain().take(kept)
        return Part(
            plain.columns, plain.n_rows, plain.named, self.whole_codes, self.whole_n_codes, self.rows[kept]
        )

    def select(self, names: Sequence[str]) -> Table:
        return self._plain().select(names)

    def drop(self, name: str) -> Table:
        return self._plain().drop(name)

    def _plain(self) -> Table:
        return Table(self.columns, self.n_rows, self.named)


def part_of(
    table: Table, codes: tuple[Codes, ...], n_codes: tuple[int, ...], rows: Count, found: tuple[bool, ...]
) -> Part:
    """`found`: columns whose levels are those found in the cells, not declared; a part has only its own."""
    taken = table.take(rows)
    columns = tuple(
        _own_levels(column) if own else column for column, own in zip(taken.columns, found, strict=True)
    )
    return Part(columns, len(rows), table.named, codes, n_codes, rows)


def _own_levels(column: Column) -> Column:
    """A part without a single present cell is a number, as such a column of a table is."""
    own = own_levels(column)
    if own.kind == "category" and not own.levels:
        return Column(own.name, "number", np.full(len(own.values), np.nan))
    return own


def own_levels(column: Column) -> Column:
    """A category, or text, with the levels its cells have, and no other."""
    if not column.is_coded:
        return column
    used = np.zeros(len(column.levels) + 1, bool)
    used[column.values] = True  # -1, missing, is the last
    kept = np.flatnonzero(used[:-1])
    new_code = np.full(len(used), -1, np.int32)
    new_code[kept] = np.arange(len(kept), dtype=np.int32)
    return replace(
        column, values=new_code[column.values], levels=type(column.levels)(column.levels[k] for k in kept)
    )


def _closed(codes: Codes, n_codes: int) -> tuple[Codes, int, int]:
    count = np.bincount(codes, minlength=n_codes + 1)
    present = count[:-1] > 0
    n_present = int(present.sum())
    new_code = np.append(np.cumsum(present) - 1, n_present)
    width: type[Any] = code_width(n_present)
    closed: Codes = new_code.astype(width)[codes]
    return closed, n_present, int(count[-1])
