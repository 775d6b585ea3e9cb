"""A column of Python objects.   In: cells.   Out: a number, boolean or category Column, or an error naming
the cell.

One pass finds the set of types in the column, which is small; the verdict is taken on the types, and cells
are looked at one by one only to name the culprit.
"""

import datetime
import numbers
from collections.abc import Sequence
from decimal import Decimal

import numpy as np

from hedgerow.table.checks import check_finite
from hedgerow.table.levels import all_missing, boolean, from_strings
from hedgerow.table.refuse import refuse_complex, refuse_time
from hedgerow.table.table import Column
from hedgerow.types import Float
from hedgerow.words import quote

TIMES = (datetime.date, datetime.time, datetime.timedelta, np.datetime64, np.timedelta64)
MISSING_TYPES = {"NoneType", "NAType", "NaTType"}  # None; pandas.NA; pandas.NaT


def from_cells(name: str, cells: Sequence[object]) -> Column:
    kinds = {_kind(type_) for type_ in set(map(type, cells))}
    _refuse_strange(name, cells, kinds)
    kinds.discard("missing")
    if "string" in kinds:
        if len(kinds) > 1:
            _refuse_mixed(name, cells)
        return from_strings(name, cells, len(cells))
    if kinds == {"boolean"}:
        return boolean(name, _floats(name, cells))
    if "number" in kinds:
        return _number(name, cells)
    return all_missing(name, len(cells))


def is_missing(cell: object) -> bool:
    """None, NaN, pandas' NA and NaT."""
    return type(cell).__name__ in MISSING_TYPES or bool(cell != cell)


def _kind(type_: type) -> str:
    if type_.__name__ in MISSING_TYPES:
        return "missing"
    if issubclass(type_, TIMES) or type_.__name__ == "Period":
        return "time"  # before numbers: numpy.timedelta64 is an integer by descent
    if issubclass(type_, str):
        return "string"
    if issubclass(type_, (bool, np.bool_)):
        return "boolean"
    if issubclass(type_, (numbers.Real, Decimal)):
        return "number"
    return "complex" if issubclass(type_, numbers.Complex) else "other"


def _refuse_strange(name: str, cells: Sequence[object], kinds: set[str]) -> None:
    if "complex" in kinds:
        raise refuse_complex(name)
    if "time" in kinds:
        raise refuse_time(name, quote(cells[_first(cells, "time")]))
    if "other" in kinds:
        row = _first(cells, "other")
        raise TypeError(
            f"Each cell of the X argument must be a string, a boolean or a number (or missing), but column "
            f"{quote(name)} holds {quote(cells[row])} ({type(cells[row]).__name__}) in row {row} (rows "
            "counted from 0). Drop the column, or spread its parts over columns of their own."
        )


def _first(cells: Sequence[object], kind: str) -> int:
    return next(row for row, cell in enumerate(cells) if _kind(type(cell)) == kind)


def _refuse_mixed(name: str, cells: Sequence[object]) -> None:
    """Text beside NaN is text with a missing cell; text beside a number is a question only the caller can
    answer."""
    for row, cell in enumerate(cells):
        if _kind(type(cell)) in ("number", "boolean") and cell == cell:
            text_row = _first(cells, "string")
            raise TypeError(
                f"Column {quote(name)} mixes text and numbers: {quote(cells[text_row])} in row {text_row}, "
                f"{quote(cell)} in row {row} (rows counted from 0). Ways out: make all of it text, "
                "[str(cell) for cell in column], to have categories; or make all of it numbers, with None "
                "or NaN for the cells that are not."
            )


def _number(name: str, cells: Sequence[object]) -> Column:
    values = _floats(name, cells)
    check_finite(values, [name])
    return Column(name, "number", values)


def _floats(name: str, cells: Sequence[object]) -> Float:
    plain = [np.nan if type(cell).__name__ in MISSING_TYPES else cell for cell in cells]
    try:
        return np.array(plain, dtype=np.float64)
    except (OverflowError, ValueError) as reason:
        raise ValueError(
            f"Column {quote(name)} holds a number that a 64-bit float cannot hold ({reason}). "
            "Divide the column by a power of ten, or take its logarithm."
        ) from None
