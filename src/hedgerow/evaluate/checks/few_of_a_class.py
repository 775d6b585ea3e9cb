"""few_of_a_class: classes with too few rows for every split to learn and to test them."""

import numpy as np

from hedgerow.evaluate.checks.finding import Finding
from hedgerow.evaluate.data import Data
from hedgerow.evaluate.splits import Splits
from hedgerow.table.words import show
from hedgerow.types import Mask

FEW = 5  # test rows of a class in a split: a share of so few is hardly a share


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.classes is None:
        return []
    found = (
        _of_class(show(str(label)), data.y == c, splits) for c, label in enumerate(data.classes.tolist())
    )
    return [finding for finding in found if finding is not None]


def _of_class(label: str, is_it: Mask, splits: Splits) -> Finding | None:
    n_rows, n_splits = int(is_it.sum()), len(splits.parts)
    untested = sum(not is_it[part.test].any() for part in splits.parts)
    unlearned = 0 if splits.kind == "fitted" else sum(not is_it[part.train].any() for part in splits.parts)
    if unlearned or untested:
        places = [
            f"the {what} rows of {count} of {n_splits} splits"
            for what, count in (("training", unlearned), ("test", untested))
            if count
        ]
        words = f"class {label} ({n_rows} rows) is missing from {' and '.join(places)}."
        return Finding("few_of_a_class", words, unlearned > 0, rows=n_rows)
    if np.mean([is_it[part.test].sum() for part in splits.parts]) < FEW:
        words = f"class {label} has {n_rows} rows, fewer than {FEW} in a test part: its scores rest on these."
        return Finding("few_of_a_class", words, False, rows=n_rows)
    return None
