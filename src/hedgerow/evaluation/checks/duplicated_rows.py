"""duplicated_rows: test rows that also stand among the training rows of their split, cell for cell."""

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import Table
from hedgerow.types import Count

WORTH_SAYING = 0.005  # of the test rows
FINE = 0.4  # different values a row
COPIES = "Copies make scores too good: drop them, or keep them together with groups=."
COARSE = "The columns are coarse, so these may well be different cases."


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is None or splits.kind == "fitted":
        return []
    row_kind = row_kinds(data.table)
    if row_kind.max(initial=-1) + 1 == data.n_rows:
        return []
    twins = same = tested = 0
    full = np.unique(np.column_stack([row_kind, data.y]), axis=0, return_inverse=True)[1].reshape(-1)
    for part in splits.parts:
        if part.repeat > 0:
            continue
        tested += len(part.test)
        twins += int(np.isin(row_kind[part.test], row_kind[part.train]).sum())
        same += int(np.isin(full[part.test], full[part.train]).sum())
    if twins < max(1, WORTH_SAYING * tested):
        return []
    fine = _is_fine(data.table)
    return [
        Finding(
            "duplicated_rows",
            f"{twins:,} of {tested:,} test rows have a twin among the training rows of their split, {same:,} with the "
            f"same target. {COPIES if fine else COARSE}",
            fine,
            n_rows=twins,
        )
    ]


def _is_fine(table: Table) -> bool:
    """Some number column hardly ever repeats itself by chance: then rows that are equal in it are copies."""
    numbers = [column.values for column in table.columns if column.kind == "number"]
    return any(len(np.unique(values)) > FINE * table.n_rows for values in numbers)


def row_kinds(table: Table) -> Count:
    """A number for each row; equal rows have equal numbers."""
    kind = np.zeros(table.n_rows, np.int64)
    for column in table.columns:
        _, cell = np.unique(column.values, return_inverse=True, equal_nan=True)
        kind = np.unique(kind * (int(cell.max()) + 1) + cell.reshape(-1), return_inverse=True)[1].reshape(-1)
    return kind
