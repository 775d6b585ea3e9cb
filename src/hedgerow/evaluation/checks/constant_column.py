"""constant_column: columns with the same value in every row, or with none in any."""

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import Column
from hedgerow.words import listing


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is None or data.n_rows < 2:
        return []
    same = tuple(column.name for column in data.table.columns if _is_constant(column))
    if not same:
        return []
    verb = "says" if len(same) == 1 else "say"
    return [Finding("constant_column", f"{listing(same)} {verb} the same in every row.", False, same)]


def _is_constant(column: Column) -> bool:
    first = column.values[:1]
    if column.missing[0]:
        return bool(column.missing.all())
    return bool((column.values == first).all())
