"""What was inferred.   In: a Table.   Out: text or HTML, one line per column: name, kind, missing,
distinct, values.

Names and levels come from the data: text shows control characters as escapes, HTML escapes markup as well.
"""

from __future__ import annotations

from collections import Counter
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.table.words import show

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
    lines = [HEADER, *(column_line(column) for column in table.columns)]
    widths = [max(len(line[k]) for line in lines) for k in range(4)]
    return "\n".join([summary(table), *(_aligned(line, widths) for line in lines)])


def describe_html(table: Table) -> str:
    head = "".join(f"<th>{word}</th>" for word in HEADER)
    body = "".join(_html_row(column_line(column)) for column in table.columns[:MOST_HTML_ROWS])
    left_out = len(table.columns) - MOST_HTML_ROWS
    more = f"<p>and {left_out} more columns</p>" if left_out > 0 else ""
    return (
        f"<div><p>{escape(summary(table))}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}</div>"
    )


def summary(table: Table) -> str:
    """Table of 1309 rows and 5 columns: 3 number, 2 category"""
    kinds = Counter(column.kind for column in table.columns)
    parts = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    size = f"{_plural(table.n_rows, 'row')} and {_plural(len(table.columns), 'column')}"
    return f"Table of {size}{': ' if parts else ''}{parts}{'' if table.named else ' (no names given)'}"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}" if count == 1 else f"{count} {word}s"


def _aligned(line: tuple[str, ...], widths: list[int]) -> str:
    name, kind, missing, distinct, values = line
    return (
        f"{name:<{widths[0]}}  {kind:<{widths[1]}}  {missing:>{widths[2]}}  {distinct:>{widths[3]}}  {values}"
    ).rstrip()


def _html_row(line: Line) -> str:
    return "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in line) + "</tr>"


def column_line(column: Column) -> Line:
    return _category_line(column) if column.kind == "category" else _number_line(column)


def _category_line(column: Column) -> Line:
    missing = int(np.count_nonzero(column.values < 0))
    shown = [show(level, 24) for level in column.levels[:5]]
    rest = len(column.levels) - len(shown)
    values = ", ".join(shown) + (f", … {rest} more" if rest else "")
    return Line(show(column.name), column.kind, str(missing), str(len(column.levels)), values)


def _number_line(column: Column) -> Line:
    present = column.values[~np.isnan(column.values)]
    missing = len(column.values) - len(present)
    values = _shares(present) if column.kind == "boolean" else _range(present)
    return Line(show(column.name), column.kind, str(missing), str(len(np.unique(present))), values)


def _shares(present: NDArray[Any]) -> str:
    true = int(np.count_nonzero(present))
    return f"{true} true, {len(present) - true} false"


def _range(present: NDArray[Any]) -> str:
    if not len(present):
        return "all missing"
    low, high = present.min(), present.max()
    return f"{low:g}" if low == high else f"{low:g} to {high:g}"
