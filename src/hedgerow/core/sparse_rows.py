"""SparseRows: rows most of whose cells are zero, as trees read them.   In: entries row by row.   Out: the same for the
native walk; or blocks of rows written out, for walks that read whole rows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.types import Count, FloatAny, Index

BLOCK_CELLS = 1 << 22  # of rows written out at a time


@dataclass(frozen=True, eq=False)
class SparseRows:
    """Row i holds `values[start[i]:start[i + 1]]` in the columns `column[start[i]:start[i + 1]]`, and zero elsewhere;
    NaN is a missing cell."""

    start: Count
    column: Index
    values: FloatAny
    n_columns: int

    def __len__(self) -> int:
        return len(self.start) - 1

    @property
    def shape(self) -> tuple[int, int]:
        return len(self), self.n_columns

    @property
    def size(self) -> int:
        """Entries: what a walk reads."""
        return len(self.values)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        return self.values.dtype

    @property
    def arrays(self) -> tuple[Count, Index, FloatAny, int]:
        return self.start, self.column, self.values, self.n_columns

    def written_out(self) -> FloatAny:
        """All cells, for what reads whole tables: Shapley values, permuted columns."""
        return np.concatenate(list(self.blocks())) if len(self) else np.zeros(self.shape, self.dtype)

    def blocks(self) -> Iterator[FloatAny]:
        """All rows written out, some at a time."""
        many = max(1, BLOCK_CELLS // self.n_columns)
        for begin in range(0, len(self), many):
            end = min(begin + many, len(self))
            part = slice(int(self.start[begin]), int(self.start[end]))
            row = np.repeat(np.arange(end - begin), np.diff(self.start[begin : end + 1]))
            block = np.zeros((end - begin, self.n_columns), self.values.dtype)
            block[row, self.column[part]] = self.values[part]
            yield block


def in_blocks(work: Callable[[FloatAny], Any], rows: FloatAny | SparseRows) -> Any:
    """work(rows), one result a row; sparse rows are written out some at a time."""
    if not isinstance(rows, SparseRows):
        return work(rows)
    return np.concatenate([work(block) for block in rows.blocks()])


def as_matrix(rows: FloatAny | SparseRows) -> FloatAny:
    return rows.written_out() if isinstance(rows, SparseRows) else rows
