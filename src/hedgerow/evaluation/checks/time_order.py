"""time_order: intervals assume independent rows, which rows in time order may not be."""

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind != "time":
        return []
    return [
        Finding(
            "time_order",
            "intervals take the errors of rows as independent; where neighbours in time err together they are too "
            "narrow: take them as the least uncertainty.",
            False,
        )
    ]
