"""Cells of more than one value.   In: a frame.   Out: the same, such columns as text; and why each is left out."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def without_nested(frame: "pl.DataFrame") -> tuple["pl.DataFrame", dict[str, str]]:
    import polars as pl

    plural = {
        pl.List: "lists",
        pl.Array: "lists",
        pl.Struct: "records",
        pl.Binary: "bytes",
        pl.Object: "objects",
    }
    found = {
        name: plural[kind] for name, dtype in frame.schema.items() if (kind := dtype.base_type()) in plural
    }
    told = [
        pl.when(pl.col(name).is_null()).then(None).otherwise(pl.lit(f"({what})")).alias(name)
        for name, what in found.items()
    ]
    return frame.with_columns(told), {
        name: f"its cells are {what}, not values" for name, what in found.items()
    }
