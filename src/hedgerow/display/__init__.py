"""display: how results read.   In: numbers, names, rows of cells.   Out: text for a terminal, HTML for a notebook.

numbers.py     a figure, a percentage, an interval, a p-value, seconds; NaN to None for JSON
sentences.py   "3 leaves", "a, b and c", names made short
tables.py      DisplayTable: one table, printed as text or as HTML
result.py      Result: the base of everything that prints itself
"""

from hedgerow.display.result import Result
from hedgerow.display.tables import DisplayTable

__all__ = ["DisplayTable", "Result"]
