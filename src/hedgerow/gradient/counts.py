"""What the bins of a table follow from.   In: Tables, the pieces of one.   Out: TableCounts, which add up: neither the
order of the rows nor their cutting changes them.

number     cells of its values with their counts (native/gradient/value_cells.hpp)
category   how often each level occurs
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Schema
from hedgerow.table import Column, Kind, Table
from hedgerow.types import Count, Float, FloatAny, Mask
from hedgerow.words import quote

ValueCells = tuple[int, Count, Float, Float]
NO_CELLS: ValueCells = (0, np.empty(0, np.int64), np.empty(0), np.empty(0))


@dataclass(eq=False)
class ColumnCounts:
    name: str
    kind: Kind | None = None  # None: no cell so far
    levels: tuple[str, ...] = ()
    by_number: bool = False  # levels are numbers, in their order
    count_of_level: dict[str, int] = field(default_factory=dict)  # of rows that are counted
    n_missing: int = 0
    cells: ValueCells = NO_CELLS

    def meet(self, kind: Kind | None, levels: Sequence[str], by_number: bool) -> None:
        """A further piece of the column, where it has cells."""
        if kind is None:
            return
        if self.kind is not None and kind != self.kind:
            raise ValueError(
                f"Column {quote(self.name)} is a {self.kind} in some blocks of rows and a {kind} in others. Give it "
                "one type throughout: cast it where it is written, or read it as text."
            )
        first, self.kind, self.by_number = self.kind is None, kind, by_number
        if kind == "category" and tuple(levels) != self.levels:
            self.levels = tuple(levels) if first else self._join(levels)

    def _join(self, levels: Sequence[str]) -> tuple[str, ...]:
        """In the order that all rows at once would have: of the numbers, or of the texts."""
        return tuple(sorted({*self.levels, *levels}, key=float if self.by_number else None))

    def add_levels(self, counts: Iterable[tuple[str, int]]) -> None:
        for level, count in counts:
            self.count_of_level[level] = self.count_of_level.get(level, 0) + count


@dataclass(eq=False)
class TableCounts:
    columns: list[ColumnCounts]
    named: bool
    n_rows: int = 0  # that are counted

    def add(self, table: Table, use: Mask | None, by_number: frozenset[int], threads: int) -> None:
        """Columns and levels of all rows, counts of those in `use`. `by_number`: categories that were numbers."""
        self.add_all([table], [use], [by_number], threads)

    def add_all(
        self,
        tables: Sequence[Table],
        uses: Sequence[Mask | None],
        by_number: Sequence[frozenset[int]],
        threads: int = 1,
    ) -> None:
        """Several pieces at once: the values of a column are counted together, which takes little longer than those of
        one piece."""
        used = [
            table if use is None else table.take(np.flatnonzero(use))
            for table, use in zip(tables, uses, strict=True)
        ]
        self.n_rows += sum(table.n_rows for table in used)
        for j, own in enumerate(self.columns):
            for table, some, numbers in zip(tables, used, by_number, strict=True):
                own.meet(_kind_of(table.columns[j]), table.columns[j].levels, j in numbers)
                _count_levels(own, some.columns[j])
        by_column = {
            j: [some.columns[j].numbers for some in used if some.columns[j].kind != "category"]
            for j in range(len(self.columns))
        }
        numeric = [j for j, parts in by_column.items() if parts]
        for some_columns in [numeric] if len(used) == 1 else [[j] for j in numeric]:  # joined one at a time
            cells = [_join(by_column[j]) for j in some_columns]
            before = [self.columns[j].cells for j in some_columns]
            found = native.gradient_count_values(before, cells, threads)
            for j, own_cells in zip(some_columns, found, strict=True):
                self.columns[j].cells = own_cells
                self.columns[j].n_missing = self.n_rows - int(own_cells[1].sum())

    def merge(self, other: "TableCounts") -> "TableCounts":
        """Both together, in the place of this one."""
        self.n_rows += other.n_rows
        for own, more in zip(self.columns, other.columns, strict=True):
            own.meet(more.kind, more.levels, more.by_number)
            own.add_levels(more.count_of_level.items())
            own.n_missing += more.n_missing
            own.cells = native.gradient_merge_cells(own.cells, more.cells)
        return self

    def schema(self) -> Schema:
        kinds: tuple[Kind, ...] = tuple(column.kind or "number" for column in self.columns)
        return Schema(
            tuple(column.name for column in self.columns),
            kinds,
            tuple(column.levels for column in self.columns),
            self.named,
        )


def no_counts(names: Sequence[str], named: bool) -> TableCounts:
    return TableCounts([ColumnCounts(name) for name in names], named)


def _join(parts: list[FloatAny]) -> FloatAny:
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def _kind_of(column: Column) -> Kind | None:
    """None where no cell is present: such a column may be anything."""
    if column.kind == "category":
        return "category" if len(column.levels) else None
    return None if bool(np.isnan(column.numbers).all()) else column.kind


def _count_levels(own: ColumnCounts, column: Column) -> None:
    if column.kind != "category":
        return
    codes = np.asarray(column.values, np.int64)
    counts = np.bincount(codes + 1, minlength=len(column.levels) + 1)
    own.n_missing += int(counts[0])
    own.add_levels(zip(column.levels, counts[1:].tolist(), strict=True))
