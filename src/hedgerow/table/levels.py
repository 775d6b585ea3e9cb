"""Category columns.   In: cells or codes with their levels.   Out: a Column with int32 codes, -1 = missing.

Levels are always text. Declared levels (a categorical, an enum) keep their order, used or not; levels found
in the cells are sorted, so that the same cells give the same codes whichever library carried them.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.table import Column, Kind
from hedgerow.words import quote


def all_missing(name: str, n_rows: int) -> Column:
    """A column without a single cell says nothing of its kind; it is a number, as in scikit-learn."""
    return Column(name, "number", np.full(n_rows, np.nan))


def boolean(name: str, values: NDArray[Any]) -> Column:
    """In: 0 and 1 as floats, NaN = missing."""
    kind: Kind = "number" if np.isnan(values).all() else "boolean"
    return Column(name, kind, values.astype(np.float64, copy=False))


def declared(name: str, values: Sequence[object], codes: NDArray[Any]) -> Column:
    """Levels in the order they were declared; a level that is itself missing (Arrow allows it) becomes -1."""
    present = [k for k, value in enumerate(values) if value is not None]
    if not present:
        return all_missing(name, len(codes))
    levels = tuple(level_text(values[k]) for k in present)
    _check_distinct(name, levels, [values[k] for k in present])
    new_code = np.full(len(values) + 1, -1, np.int32)  # the last entry serves code -1
    new_code[present] = np.arange(len(present), dtype=np.int32)
    return Column(name, "category", new_code[codes], levels)


def found(name: str, values: Sequence[str], codes: NDArray[Any]) -> Column:
    """Levels found in the cells: sorted."""
    if not len(values):
        return all_missing(name, len(codes))
    order = sorted(range(len(values)), key=values.__getitem__)
    new_code = np.full(len(values) + 1, -1, np.int32)
    new_code[order] = np.arange(len(values), dtype=np.int32)
    return Column(name, "category", new_code[codes], tuple(str(values[k]) for k in order))


def from_strings(name: str, cells: Iterable[object], n_rows: int) -> Column:
    """In: cells that are text or missing."""
    code: dict[str, int] = {}
    codes = (code.setdefault(cell, len(code)) if isinstance(cell, str) else -1 for cell in cells)
    filled = np.fromiter(codes, np.int32, n_rows)  # fills `code` as well
    return found(name, list(code), filled)


def level_text(value: object) -> str:
    """A level in words: 3, 3.0 and '3' are all '3'."""
    if isinstance(value, (float, np.floating)) and value.is_integer():
        return str(int(value))
    return str(value)


def _check_distinct(name: str, levels: tuple[str, ...], values: Sequence[object]) -> None:
    if len(set(levels)) == len(levels):
        return
    seen: dict[str, object] = {}
    for level, value in zip(levels, values, strict=True):
        if level in seen:
            raise ValueError(
                f"Column {quote(name)} declares the levels {quote(seen[level])} and {quote(value)}, both "
                f"written {quote(level)}. Levels are distinguished by their text: rename one of them."
            )
        seen[level] = value
