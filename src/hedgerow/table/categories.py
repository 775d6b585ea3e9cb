"""Numbers that are names.   In: a Table and which columns are categories.   Out: a Table where they are.

A level is the number's text: 3, 3.0 and '3' are all '3', so a column that was an integer in training and is
a float with gaps in use still meets its levels. Levels are in the order of the numbers (2 before 10).
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.levels import all_missing, declared
from hedgerow.table.sparse import SparseTable
from hedgerow.table.table import Column, Table
from hedgerow.words import did_you_mean, listing, quote

EXACT = 2.0**53  # beyond it neighbouring integers share a float, and two levels would become one

Categories = Sequence[str] | Sequence[int] | Sequence[bool] | NDArray[Any]


def as_categories(table: Table, categories: Categories) -> Table:
    """In: names, positions, or a mask with an entry per column."""
    chosen = _positions(table, categories)
    if isinstance(table, SparseTable):
        return _refuse_sparse(table, chosen)
    columns = (_as_category(column) if j in chosen else column for j, column in enumerate(table.columns))
    return replace(table, columns=tuple(columns))


def _refuse_sparse(table: SparseTable, chosen: set[int]) -> SparseTable:
    if chosen:
        raise ValueError(
            f"categories names column {table.names[min(chosen)]!r} of a sparse matrix, whose columns are numbers. Ways "
            "out: X.toarray(), or a column of 0 and 1 for each level."
        )
    return table


def _positions(table: Table, categories: Categories) -> set[int]:
    if isinstance(categories, str):
        raise TypeError(
            f"categories={quote(categories)} is one text. Expected a list: [{quote(categories)}]."
        )
    given = list(categories)
    if given and all(isinstance(entry, (bool, np.bool_)) for entry in given):
        return _from_mask(table, given)
    return {_position(table, entry) for entry in given}


def _from_mask(table: Table, mask: list[Any]) -> set[int]:
    if len(mask) != len(table.columns):
        raise ValueError(
            f"categories is a mask of {len(mask)} entries, but there are {len(table.columns)} columns. "
            "Give an entry for each column, or name the columns."
        )
    return {j for j, entry in enumerate(mask) if entry}


def _position(table: Table, entry: Any) -> int:
    if isinstance(entry, str):
        if entry in table.names:
            return table.names.index(entry)
        raise ValueError(
            f"categories names {quote(entry)}, which is no column. Columns: {listing(table.names)}."
            f"{did_you_mean(entry, table.names)}"
        )
    if not isinstance(entry, (int, np.integer)) or isinstance(entry, bool):
        raise TypeError(
            f"categories holds {quote(entry)}. Expected: names, positions, or a mask of booleans."
        )
    if not 0 <= entry < len(table.columns):
        raise ValueError(
            f"categories holds position {entry}, but positions run from 0 to {len(table.columns) - 1}."
        )
    return int(entry)


def _as_category(column: Column) -> Column:
    if column.kind == "category":
        return column
    present = ~np.isnan(column.values)
    values, codes = np.unique(column.values[present], return_inverse=True)
    if not len(values):
        return all_missing(column.name, len(column.values))
    if max(abs(values[0]), abs(values[-1])) >= EXACT:
        raise ValueError(
            f"Column {quote(column.name)} has numbers of 2**53 and more, which floats cannot distinguish. "
            "Way out: make the column text before passing it, str(number) for each cell."
        )
    all_codes = np.full(len(column.values), -1, np.int32)
    all_codes[present] = codes
    return declared(column.name, _level_values(column, values), all_codes)


def _level_values(column: Column, values: NDArray[Any]) -> Sequence[object]:
    return [bool(value) for value in values] if column.kind == "boolean" else list(values)
