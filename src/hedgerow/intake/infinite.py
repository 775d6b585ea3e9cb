"""Infinite cells are missing ones.   In: a frame.   Out: the same, without them; and a remark for each column."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def without_infinities(frame: "pl.DataFrame") -> tuple["pl.DataFrame", dict[str, str]]:
    import polars as pl

    names = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    counts = {name: int(frame.get_column(name).is_infinite().sum() or 0) for name in names}
    found = {name: count for name, count in counts.items() if count}
    mended = [
        pl.when(pl.col(name).is_infinite()).then(None).otherwise(pl.col(name)).alias(name) for name in found
    ]
    remarks = {
        name: f"{count:,} infinite {'cell' if count == 1 else 'cells'} taken as missing"
        for name, count in found.items()
    }
    return frame.with_columns(mended), remarks
