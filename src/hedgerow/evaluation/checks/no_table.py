"""no_table: where X is no table (texts, a column of dates), columns and duplicates cannot be checked."""

from typing import Any

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import to_table
from hedgerow.words import show


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is not None:
        return []
    message = "X is not a table of columns: columns and duplicated rows were not looked at."
    return [Finding("no_table", f"{message} {_why(data.X)}".rstrip(), False)]


def _why(X: Any) -> str:
    try:
        to_table(X)
    except (TypeError, ValueError) as error:
        return f"({show(str(error), 200)})"
    return ""
