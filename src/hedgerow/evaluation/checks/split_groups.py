"""split_groups: a group that stands on both sides of a split."""

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.groups is None or data.grouped_by_copies:  # of copies, duplicated_rows tells
        return []
    torn: set[int] = set()
    for part in splits.parts:
        torn.update(np.intersect1d(data.groups[part.train], data.groups[part.test]).tolist())
    if not torn:
        return []
    n_groups = len(np.unique(data.groups))
    return [
        Finding(
            "split_groups",
            f"{len(torn):,} of {n_groups:,} groups stand on both sides of a split: their test rows are not new to the "
            "model. Give a number of folds, or a splitter that knows groups.",
            True,
            n_rows=int(np.isin(data.groups, list(torn)).sum()),
        )
    ]
