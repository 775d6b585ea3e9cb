"""Plain Python data.   In: rows (lists or dicts) or a dict of columns.   Out: a Table.

Rows are turned into columns before anything is converted: NumPy would make one type of the whole, and turn
[[1, "a"], [2, "b"]] into text.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from hedgerow.table.arrays import columns_of
from hedgerow.table.cells import from_cells
from hedgerow.table.checks import check_size, expected_2d, made_up_names, text_names
from hedgerow.table.frames import is_series, series_column
from hedgerow.table.table import Column, Table
from hedgerow.words import quote

NO_ROWS = (str, bytes, set, frozenset)  # collections, but of letters, or in no order


def from_rows(rows: Sequence[Any]) -> Table:
    """In: a list of rows, each a list or tuple of one length, or each a dict."""
    if len(rows) == 0:
        check_size(0, 0)
    if any(isinstance(row, Mapping) for row in rows):
        return _from_records(rows)
    columns = _turned(_checked_rows(rows))
    check_size(len(rows), len(columns))
    names = made_up_names(len(columns))
    return Table(tuple(map(from_cells, names, columns)), len(rows), named=False)


def from_columns(data: Mapping[Any, Any]) -> Table:
    """In: {name: cells}, the cells a list, a NumPy array or a series of any frame library."""
    names, named = text_names(list(data))
    columns = tuple(_column(name, cells) for name, cells in zip(names, data.values(), strict=True))
    n_rows = len(columns[0].values) if columns else 0
    for column in columns:
        if len(column.values) != n_rows:
            raise ValueError(
                f"Columns must have one length, but {quote(names[0])} has {n_rows} cells and "
                f"{quote(column.name)} has {len(column.values)}. Use None for the cells that are missing."
            )
    check_size(n_rows, len(columns))
    return Table(columns, n_rows, named)


def _from_records(rows: Sequence[Any]) -> Table:
    """Names in the order they first appear; a row without a name has a missing cell there."""
    for index, row in enumerate(rows):
        if not isinstance(row, Mapping):
            raise TypeError(
                f"Some rows are dicts, but row {index} is {quote(row)}. Make all of them dicts or lists."
            )
    names = list(dict.fromkeys(name for row in rows for name in row))
    check_size(len(rows), len(names))
    return from_columns({name: [row.get(name) for row in rows] for name in names})


def _checked_rows(rows: Sequence[Any]) -> Sequence[Sequence[Any]]:
    for index, row in enumerate(rows):
        if isinstance(row, NO_ROWS) or not isinstance(row, Collection):
            if index == 0:
                raise expected_2d("1D array", rows)
            raise ValueError(f"Row {index} is {quote(row)}, not a row of cells. Make each row a list.")
        if len(row) != len(rows[0]):
            raise ValueError(
                f"Rows must have one length, but row 0 has {len(rows[0])} cells and row {index} has "
                f"{len(row)}. Use None for the cells that are missing."
            )
    return rows


def _turned(rows: Sequence[Sequence[Any]]) -> list[tuple[Any, ...]]:
    return list(zip(*(row.tolist() if isinstance(row, np.ndarray) else row for row in rows), strict=True))


def _column(name: str, cells: Any) -> Column:
    if isinstance(cells, np.ndarray) and cells.ndim == 1 and cells.dtype.names is None:
        return columns_of(cells.reshape(-1, 1), [name])[0] if len(cells) else from_cells(name, [])
    if isinstance(cells, (list, tuple, range)):
        return from_cells(name, cells)
    if is_series(cells):
        return series_column(name, cells)
    raise TypeError(
        f"Column {quote(name)} is {quote(cells)} ({type(cells).__name__}). "
        "Expected: a list, a 1-D NumPy array or a series, with a cell for each row."
    )
