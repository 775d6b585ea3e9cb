"""What was inferred.   In: a Table.   Out: text or HTML, one line per column: name, kind, missing,
distinct, values.

Names and levels come from the data: control characters are shown as escapes.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.core.dates import write_date
from hedgerow.display import DisplayTable
from hedgerow.display.sentences import many
from hedgerow.display.tables import html_of
from hedgerow.tree.formatting import number
from hedgerow.words import show

if TYPE_CHECKING:  # table.py imports this file: a Table prints itself
    from hedgerow.table.table import Column, Table

HEADER = ("column", "kind", "missing", "distinct", "values")
MOST_HTML_ROWS = 200


class Line(NamedTuple):
    name: str
    kind: str
    missing: str
    distinct: str
    values: str


def describe(table: Table) -> str:
    """A line per column, under a line for the whole table."""
    return display_table(table, len(table.columns)).to_text()


def describe_html(table: Table) -> str:
    return html_of(display_table(table, MOST_HTML_ROWS))


def display_table(table: Table, most: int) -> DisplayTable:
    rows = [column_line(column) for column in table.columns[:most]]
    more = len(table.columns) - len(rows)
    ending = f"and {more} more columns" if more > 0 else ""
    return DisplayTable(HEADER, rows, words=(0, 1, -1), caption=summary(table), ending=ending)


def summary(table: Table) -> str:
    """Table of 1,309 rows and 5 columns: 3 number, 2 category"""
    kinds = Counter(column.kind for column in table.columns)
    parts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    size = f"{many(table.n_rows, 'row')} and {many(len(table.columns), 'column')}"
    return f"Table of {size}{': ' if parts else ''}{parts}{'' if table.named else ' (no names given)'}"


def column_line(column: Column) -> Line:
    return _category_line(column) if column.is_coded else _number_line(column)


def _category_line(column: Column) -> Line:
    missing = int(np.count_nonzero(column.values < 0))
    shown = [show(level, 24) for level in column.levels[:5]]
    rest = len(column.levels) - len(shown)
    values = ", ".join(shown) + (f", … {rest} more" if rest else "")
    return Line(show(column.name), column.kind, str(missing), str(len(column.levels)), values)


def _number_line(column: Column) -> Line:
    present = column.values[~np.isnan(column.values)]
    missing = len(column.values) - len(present)
    values = _shares(present) if column.kind == "boolean" else _range(present, column.kind)
    return Line(show(column.name), column.kind, str(missing), str(len(np.unique(present))), values)


def _shares(present: NDArray[Any]) -> str:
    true = int(np.count_nonzero(present))
    return f"{true} true, {len(present) - true} false"


def _range(present: NDArray[Any], kind: str) -> str:
    if not len(present):
        return "all missing"
    low, high = present.min(), present.max()
    if kind in ("date", "datetime"):
        first, last = (write_date(float(day), with_time=kind == "datetime") for day in (low, high))
    else:
        first, last = number(float(low), 6), number(float(high), 6)
    return first if low == high else f"{first} to {last}"
