"""Codebook: new rows to the codes of training.   In: a Table.   Out: codes.

A number takes the code of the nearest training value (rank codes) or of its bin; training rows get their own codes
back. A missing cell has the column's number of codes, as in training. A level never seen in training has no code of
its own there: it is given the one after "missing".
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.encode.schema import Schema, align, level_numbers
from hedgerow.table import Table
from hedgerow.types import Codes, Count, Float, FloatAny


@dataclass(frozen=True, eq=False)
class Codebook:
    schema: Schema
    cuts: tuple[Float, ...]  # per number column: code = number of cuts below the value
    n_codes: Count

    def codes(self, table: Table) -> tuple[Codes, ...]:
        table = align(self.schema, table)
        out: list[Codes] = []
        for j, column in enumerate(table.columns):
            n_codes = int(self.n_codes[j])
            if self.schema.kinds[j] == "category":
                level = level_numbers(column, self.schema.levels[j])
                missing, found = np.isnan(level), np.where(level == n_codes, n_codes + 1, level)
            else:
                missing = np.isnan(column.values)
                found = np.searchsorted(self.cuts[j], column.values.astype(np.float64), side="left")
            out.append(np.where(missing, n_codes, found).astype(code_width(n_codes + 1)))
        return tuple(out)


def code_width(largest: int) -> type[np.uint8] | type[np.uint16] | type[np.uint32]:
    """The narrowest type that holds codes up to `largest`."""
    return np.uint8 if largest < 2**8 else np.uint16 if largest < 2**16 else np.uint32


def distinct_values(values: FloatAny, codes: Codes, n_codes: int) -> Float:
    """The value of each rank code."""
    out = np.empty(n_codes + 1)
    out[codes] = values
    return out[:n_codes]
