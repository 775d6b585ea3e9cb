"""Rows as rules read them.   In: a matrix (encode.matrix).   Out: columns, quick to ask; a condition's mask.

A number column is float64, NaN where missing. A category column holds whole numbers: the level; after the last
level, one for levels never seen, and one for missing. So a condition is two comparisons, or one look-up:

    Span    2 < x <= 4            (x > 2) & (x <= 4)             missing cells compare false: they are out
            ... or missing        ~(x <= 2) & ~(x > 4)           ... and here they are in
    Choice  c in {a, d}           [1, 0, 0, 1, unseen, missing][c]
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.rules.rule import Coverage
from hedgerow.tree.conditions import Choice, Condition, Span
from hedgerow.tree.labels import Labels
from hedgerow.types import Count, Float, FloatAny, Index, Mask


@dataclass(frozen=True, eq=False)
class Cells:
    columns: tuple[NDArray[Any], ...]
    n_levels: tuple[int, ...]  # per column; 0: a number
    n_rows: int

    def take(self, rows: NDArray[Any]) -> "Cells":
        kept = tuple(column[rows] for column in self.columns)
        return Cells(kept, self.n_levels, int(np.count_nonzero(rows)) if rows.dtype == bool else len(rows))


@dataclass(frozen=True, eq=False)
class LabeledRows:
    """Rows whose classes are known."""

    cells: Cells
    codes: Index  # class of each row
    weight: Float

    def take(self, rows: NDArray[Any]) -> "LabeledRows":
        return LabeledRows(self.cells.take(rows), self.codes[rows], self.weight[rows])

    def count(self, among: NDArray[Any] | slice, n_classes: int) -> Coverage:
        """Some of the rows, counted."""
        codes = self.codes[among]
        counts = np.bincount(codes, self.weight[among], minlength=n_classes)
        return Coverage.of(counts.astype(np.float64), len(codes))


def read_cells(labels: Labels, rows: FloatAny) -> Cells:
    if rows.ndim != 2 or rows.shape[1] != len(labels.features):
        raise ValueError(
            f"The rows have shape {rows.shape}; wanted rows x {len(labels.features)}, one column for each of "
            "the rules' columns. Make them with hedgerow.encode.matrix."
        )
    n_levels = tuple(len(levels) for levels in labels.levels)
    columns = tuple(_column(rows[:, j], n) for j, n in enumerate(n_levels))
    return Cells(columns, n_levels, len(rows))


def label_rows(
    labels: Labels, rows: FloatAny, codes: NDArray[Any], weight: Float | None = None
) -> LabeledRows:
    """Rows with their classes. A row of weight zero is a row that is not there."""
    if len(codes) != len(rows):
        raise ValueError(f"{len(codes)} classes were given for {len(rows)} rows. Give one a row.")
    cells, codes = read_cells(labels, rows), codes.astype(np.int32)
    if weight is None:
        return LabeledRows(cells, codes, np.ones(len(codes)))
    known = LabeledRows(cells, codes, np.asarray(weight, np.float64))
    return known if known.weight.all() else known.take(known.weight > 0)


def holds(condition: Condition, cells: Cells, rows: Count | None = None) -> Mask:
    """For which rows (of all, or of those named) the condition holds."""
    cell = cells.columns[condition.feature]
    if rows is not None:
        cell = cell[rows]
    if isinstance(condition, Choice):
        mask: Mask = _look_up(condition, cells.n_levels[condition.feature])[cell]
        return mask
    return _within(condition, cell)


def _within(span: Span, cell: Float) -> Mask:
    masks: list[Mask] = []
    if span.low > -np.inf:
        masks.append(~(cell <= span.low) if span.missing else cell > span.low)
    if span.high < np.inf:
        masks.append(~(cell > span.high) if span.missing else cell <= span.high)
    if not masks:
        return np.ones(len(cell), bool) if span.missing else ~np.isnan(cell)
    return masks[0] if len(masks) == 1 else masks[0] & masks[1]


def _look_up(choice: Choice, n_levels: int) -> Mask:
    table = np.zeros(n_levels + 2, bool)
    table[list(choice.levels)] = True
    table[n_levels], table[n_levels + 1] = choice.unseen, choice.missing
    return table


def _column(cell: FloatAny, n_levels: int) -> NDArray[Any]:
    if not n_levels:
        return np.ascontiguousarray(cell, np.float64)
    return np.where(np.isnan(cell), n_levels + 1, cell).astype(np.int32)
