"""table: anything tabular -> Table, named columns that are numbers, booleans, categories or dates,
with missing cells."""

from hedgerow.table.convert import to_table
from hedgerow.table.describe import describe
from hedgerow.table.read import read_frame
from hedgerow.table.table import KINDS, Column, Kind, Table

__all__ = ["KINDS", "Column", "Kind", "Table", "describe", "read_frame", "to_table"]
