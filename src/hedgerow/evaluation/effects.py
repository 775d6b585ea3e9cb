"""What a column does to the prediction.   In: a function that predicts rows, a Table, a column.   Out: Effect: a curve
or a value a level, with its 95 % band.

    numbers, dates    accumulated local effects: in each piece between two quantiles the rows that lie there are moved
                      from one end of the piece to the other; the mean changes add up, with mean 0 over the rows.
                      No row is given a cell that no row like it has.
    levels            the mean prediction when every row has this level, less the mean over the levels of the rows
                      (partial dependence); a missing cell is a level, for it may say most

The band is that of the mean over the rows, 1.96 standard errors; it says nothing of other models.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.table import Column, Table
from hedgerow.types import Count, Float

N_PIECES = 20
MOST_LEVELS = 12
Z = 1.959964  # of a 95 % band
Predict = Callable[[Table], Float]  # one number a row


@dataclass(frozen=True, eq=False)
class Effect:
    name: str
    kind: str  # of the column
    points: Float  # ends of the pieces; of levels, their codes
    levels: tuple[str, ...]  # () for numbers
    values: Float  # added to the mean prediction
    low: Float
    high: Float

    @property
    def span(self) -> float:
        return float(np.ptp(self.values)) if len(self.values) else 0.0


def measure_effect(predict: Predict, table: Table, column: int, n_pieces: int = N_PIECES) -> Effect | None:
    """None where the column has one value, or none; and of free text, which has neither order nor levels."""
    given = table.columns[column]
    if given.kind == "text":
        return None
    if given.kind in ("category", "boolean"):
        return _by_level(predict, table, column)
    cells = np.asarray(given.values, np.float64)
    known = np.flatnonzero(~np.isnan(cells))
    ends = (
        np.unique(np.quantile(cells[known], np.linspace(0, 1, n_pieces + 1))) if len(known) else np.empty(0)
    )
    if len(ends) < 2:
        return None
    piece = np.clip(np.searchsorted(ends, cells[known], side="left") - 1, 0, len(ends) - 2)
    rows = table.take(known)
    change = predict(_with_cells(rows, column, ends[piece + 1])) - predict(
        _with_cells(rows, column, ends[piece])
    )
    values, variance = _accumulate(change, piece, len(ends) - 1)
    middle = 0.5 * (values[piece] + values[piece + 1])
    half = Z * np.sqrt(variance)
    values = values - middle.mean()
    return Effect(given.name, given.kind, ends, (), values, values - half, values + half)


def _accumulate(change: Float, piece: Count, n_pieces: int) -> tuple[Float, Float]:
    """At the ends of the pieces: the sum of the mean changes, and its variance."""
    count = np.maximum(np.bincount(piece, minlength=n_pieces), 1)
    mean = np.bincount(piece, change, minlength=n_pieces) / count
    square = np.bincount(piece, change**2, minlength=n_pieces) / count - mean**2
    each = np.maximum(square, 0.0) / np.maximum(count - 1, 1)
    return np.concatenate([[0.0], np.cumsum(mean)]), np.concatenate([[0.0], np.cumsum(each)])


def _by_level(predict: Predict, table: Table, column: int) -> Effect | None:
    given = table.columns[column]
    codes, counts = np.unique(given.values, return_counts=True)
    order = np.argsort(-counts, kind="stable")[:MOST_LEVELS]
    if len(order) < 2:
        return None
    codes, counts = codes[order], counts[order]
    means, errors = [], []
    for code in codes:
        found = predict(_with_cells(table, column, np.full(table.n_rows, code)))
        means.append(float(found.mean()))
        errors.append(float(found.std(ddof=1) / np.sqrt(len(found))) if len(found) > 1 else 0.0)
    values = np.asarray(means) - np.average(means, weights=counts)
    half = Z * np.asarray(errors)
    words = given.levels if given.kind == "category" else ("false", "true")
    names = tuple(words[int(code)] if code >= 0 else "missing" for code in codes)  # -1, NaN
    return Effect(
        given.name, given.kind, codes.astype(np.float64), names, values, values - half, values + half
    )


def _with_cells(table: Table, column: int, cells: Float) -> Table:
    own = table.columns[column]
    values: Any = cells.astype(own.values.dtype)
    changed: Column = replace(own, values=values)
    return replace(table, columns=(*table.columns[:column], changed, *table.columns[column + 1 :]))
