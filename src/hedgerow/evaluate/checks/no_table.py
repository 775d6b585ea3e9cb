"""no_table: where X is no table (texts, sparse rows), columns and twins cannot be looked at."""

from hedgerow.evaluate.checks.finding import Finding
from hedgerow.evaluate.data import Data
from hedgerow.evaluate.splits import Splits


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is not None:
        return []
    return [
        Finding(
            "no_table", "X is not a table of columns: columns and duplicated rows were not looked at.", False
        )
    ]
