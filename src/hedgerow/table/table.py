"""Table: what came in. Named columns, each a number, a boolean, a category or a date, with missing cells.

In: anything tabular (see convert.py, read.py).   Out: a frozen Table.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, cast, get_args

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.describe import describe_html, summary
from hedgerow.types import Count, FloatAny, Index, Mask
from hedgerow.words import did_you_mean, listing, quote

Kind = Literal["number", "boolean", "category", "date", "datetime", "text"]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, eq=False)
class Column:
    """One column.

    number:   float32 or float64 values, NaN = missing (a view of the caller's array where possible)
    boolean:  float64 0 and 1, NaN = missing
    category: int32 codes into `levels`, -1 = missing
    date:     a number to all that learns: days since 1970-01-01; written as a date. datetime: with the time of day
    text:     int32 codes into `levels`, its different texts, -1 = missing; models read features that are made of it
    """

    name: str
    kind: Kind
    values: FloatAny | Index
    levels: tuple[str, ...] = ()

    @property
    def is_coded(self) -> bool:
        """A category or text: the values are codes into `levels`."""
        return self.kind in ("category", "text")

    @property
    def missing(self) -> Mask:
        return self.values < 0 if self.is_coded else np.isnan(self.values)

    @property
    def numbers(self) -> FloatAny:
        """The values of a number or a boolean."""
        return cast(FloatAny, self.values)


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    columns: tuple[Column, ...]
    n_rows: int
    named: bool  # False when the input had no names, or only names that are not strings

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(
            f"No column is named {quote(name)}. Columns: {listing(self.names)}."
            f"{did_you_mean(str(name), self.names)}"
        )

    def select(self, names: Sequence[str]) -> "Table":
        """The named columns, in the order given."""
        if isinstance(names, str):
            raise TypeError(f"Expected a list of names, got the text {quote(names)}. Write [{quote(names)}].")
        known = {column.name: column for column in reversed(self.columns)}  # of equal names the first
        return replace(self, columns=tuple(known.get(name) or self.column(name) for name in names))

    def select_places(self, places: Count) -> "Table":
        """The columns at these places."""
        return replace(self, columns=tuple(self.columns[j] for j in places))

    def drop(self, name: str) -> "Table":
        """All columns but this one."""
        dropped = self.column(name)
        return replace(self, columns=tuple(column for column in self.columns if column is not dropped))

    def take(self, rows: NDArray[Any] | Sequence[int]) -> "Table":
        """The rows at these positions, in this order (repeats allowed), or where a mask is true."""
        kept = np.arange(self.n_rows)[np.asarray(rows) if len(rows) else np.empty(0, np.intp)]
        # replace() is slow
        columns = tuple(Column(c.name, c.kind, c.values[kept], c.levels) for c in self.columns)
        return replace(self, columns=columns, n_rows=len(kept))

    def __repr__(self) -> str:
        return f"<{summary(self)}>"

    def _repr_html_(self) -> str:
        return describe_html(self)
