"""Columns, told.   In: a Table, and what was left out.   Out: a ColumnTold for each."""

from collections.abc import Mapping

from hedgerow.studies.result import ColumnTold
from hedgerow.table import Column, Table
from hedgerow.table.describe import column_line


def columns_told(table: Table, why: Mapping[str, str], used: bool = True) -> tuple[ColumnTold, ...]:
    """`why`: by name, where there is something to say."""
    return tuple(_told(column, why.get(column.name, ""), used) for column in table.columns)


def _told(column: Column, why: str, used: bool) -> ColumnTold:
    line = column_line(column)
    missing, distinct = (int(text.replace(",", "")) for text in (line.missing, line.distinct))
    return ColumnTold(column.name, column.kind, missing, distinct, line.values, used, why)
