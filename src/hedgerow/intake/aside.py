"""Columns that say something of the rows and are not learned from.   In: a frame, a name, row numbers.   Out: groups,
weights.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.intake.nested import without_nested
from hedgerow.table.words import did_you_mean, listing, quote
from hedgerow.types import Count, Float

if TYPE_CHECKING:
    import polars as pl


def check_aside(what: str, name: str | None, frame: "pl.DataFrame", target: str | None) -> None:
    """`what`: "groups=", as it was asked for."""
    if name is None:
        return
    if name == target:
        raise ValueError(
            f"{what}{quote(name)} is the target: it cannot be both. Name another column, or none."
        )
    if name not in frame.columns:
        hint = did_you_mean(name, frame.columns)
        raise ValueError(f"{what}{quote(name)} is no column. Columns: {listing(frame.columns, 30)}.{hint}")
    if without_nested(frame.select(name))[1]:
        raise ValueError(f"{what}{quote(name)} holds {frame.schema[name]}. Wanted: plain cells.")


def groups_in(frame: "pl.DataFrame", name: str | None, kept: Count) -> NDArray[Any] | None:
    """Rows without a group are one."""
    return None if name is None else frame.get_column(name).cast(str).fill_null("").to_numpy()[kept]


def weights_in(frame: "pl.DataFrame", name: str | None, kept: Count) -> Float | None:
    if name is None:
        return None
    column = frame.get_column(name)
    if not column.dtype.is_numeric():
        raise ValueError(f"weights={quote(name)} holds {column.dtype}. Wanted: numbers of 0 or more.")
    weight = column.cast(float).to_numpy()[kept]
    if not (np.isfinite(weight).all() and (weight >= 0).all() and weight.any()):
        raise ValueError(
            f"weights={quote(name)} has missing, negative or only zero weights. Wanted: 0 or more."
        )
    return np.ascontiguousarray(weight)
