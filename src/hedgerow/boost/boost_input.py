"""Rows: what a weak learner reads.   In: a Table, or sparse counts.   Out: the same rows in the form a learner asks
for, made at first use and kept: every round shares it.

    rows.matrix    numbers, rows x columns; a category as the number of its level, missing as NaN
    rows.cells     the same as trees read them: a sparse table by its entries
    rows.encoded   integer codes (training rows only)
    rows.sparse    columns of a sparse matrix
    rows.given     what the caller gave, for learners from elsewhere
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.core.sparse_rows import SparseRows
from hedgerow.encode import Encoded, Schema, encode, matrix, read_rows
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Count, Float, FloatAny, Index


@dataclass(frozen=True, eq=False)
class SparseColumns:
    """Column j holds `values[start[j]:start[j + 1]]` in the rows `row[start[j]:start[j + 1]]`, and zero elsewhere."""

    start: Count
    row: Index
    values: Float
    n_rows: int

    @property
    def n_columns(self) -> int:
        return len(self.start) - 1

    def column(self, j: int) -> tuple[Index, Float]:
        """Rows that are not zero, and what they hold."""
        part = slice(int(self.start[j]), int(self.start[j + 1]))
        return self.row[part], self.values[part]


@dataclass(frozen=True, eq=False)
class BoostInput:
    n_rows: int
    names: tuple[str, ...]
    table: Table | None = None
    schema: Schema | None = None  # the training rows' schema, by which `matrix` is made
    sparse: SparseColumns | None = None
    given: Any = None
    threads: int = 1
    # How many rows these stand for, where weights are counts; None: as many as there are
    counted: float | None = None

    @property
    def share(self) -> float:
        """One row's share of all weight."""
        return 1.0 / (self.n_rows if self.counted is None else self.counted)

    @cached_property
    def matrix(self) -> FloatAny:
        table, schema = self._dense()
        return matrix(schema, table)

    @cached_property
    def cells(self) -> FloatAny | SparseRows:
        if isinstance(self.table, SparseTable) and self.schema is not None:
            return read_rows(self.schema, self.table)
        return self.matrix

    def column(self, j: int) -> Float:
        """The numbers of one column."""
        if isinstance(self.table, SparseTable):
            return np.asarray(self.table.columns[j].numbers, np.float64)
        return np.asarray(self.matrix[:, j], np.float64)

    @cached_property
    def encoded(self) -> Encoded:
        table, _ = self._dense()
        return encode(table, threads=self.threads)

    def take(self, rows: Any) -> "BoostInput":
        """The rows at these positions."""
        table, _ = self._dense()
        return replace(self, n_rows=len(rows), table=table.take(rows), given=None)

    def _dense(self) -> tuple[Table, Schema]:
        if self.table is None or self.schema is None:
            raise ValueError(
                "These rows are counts for one-word stumps (estimator='word'), but this weak learner reads a table. "
                "Give it rows of its own: X as it came."
            )
        return self.table, self.schema


def rows_of_matrix(values: FloatAny) -> BoostInput:
    """Rows of a plain matrix of numbers."""
    from hedgerow.encode import schema_of
    from hedgerow.table import to_table

    table = to_table(np.asarray(values))
    return BoostInput(table.n_rows, table.names, table, schema_of(table), given=values)
