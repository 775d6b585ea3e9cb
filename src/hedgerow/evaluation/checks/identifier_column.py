"""identifier_column: a column that identifies the rows. A model can memorize it, and it does not generalize."""

import re

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import Column
from hedgerow.words import show

MIN_ROWS = 20  # with fewer, "all different" means little
NAMED = re.compile(r"(^|[_ .-])(id|ids|index|row|nr|no|number|key|uuid)$|^(unnamed|column_1$)")


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is None or data.n_rows < MIN_ROWS:
        return []
    found = [
        (column.name, why)
        for column in data.table.columns
        if (why := _why(column, in_time=splits.kind == "time"))
    ]
    return [
        Finding("identifier_column", f"{show(name)} {why}: it names rows. Leave it out.", False, (name,))
        for name, why in found
    ]


def _why(column: Column, *, in_time: bool) -> str:
    """A date is read by its parts; what counts rows in the order of time is their time."""
    present = column.values[~column.missing]
    if column.kind in ("text", "date", "datetime"):
        return ""
    if len(present) < MIN_ROWS or len(np.unique(present)) < len(present):
        return ""
    if column.kind == "category":
        return "is text that differs in every row"
    whole = bool(np.all(present == np.rint(present)))
    if whole and not in_time and present.max() - present.min() + 1 == len(present):
        return "counts the rows"
    return (
        "is called an identifier and differs in every row"
        if whole and NAMED.search(column.name.lower())
        else ""
    )
