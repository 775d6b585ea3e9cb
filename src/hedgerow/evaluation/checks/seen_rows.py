"""seen_rows: given splits whose test rows are among their own training rows."""

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind not in ("given", "hold-out"):  # the others are made here
        return []
    seen = sum(int(np.isin(part.test, part.train).sum()) for part in splits.parts)
    if not seen:
        return []
    tested = sum(len(part.test) for part in splits.parts)
    message = (
        f"{seen:,} of {tested:,} test rows are training rows of the same split: the scores are of rows that the model "
        "has learned from. Give splits that keep the two apart."
    )
    return [Finding("seen_rows", message, True, n_rows=seen)]
