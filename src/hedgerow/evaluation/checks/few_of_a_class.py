"""few_of_a_class: classes with too few rows for every split to learn and to test them."""

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.words import show

MOST = 3  # classes reported one by one
FEW = 5  # test rows of a class in a split: a share of so few is hardly a share


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.classes is None:
        return []
    labels = [show(str(label)) for label in data.classes.tolist()]
    n_rows = np.bincount(data.y, minlength=len(labels))
    trained, tested = (
        np.array([np.bincount(data.y[rows], minlength=len(labels)) for rows in parts])
        for parts in ([part.train for part in splits.parts], [part.test for part in splits.parts])
    )
    is_tested = not splits.is_row_by_row  # else each class is missing from nearly all test parts
    untested = (tested == 0).sum(axis=0) * is_tested
    unlearned = (trained == 0).sum(axis=0) * (splits.kind != "fitted")
    missing = np.flatnonzero(untested + unlearned)
    few = np.flatnonzero(is_tested & (untested + unlearned == 0) & (tested.mean(axis=0) < FEW))
    found = [
        _missing(labels[c], int(n_rows[c]), int(unlearned[c]), int(untested[c]), len(splits.parts))
        for c in missing
    ]
    rest = _rest_on_few([(labels[c], int(n_rows[c])) for c in few], bool(found))
    return [*(found if len(found) <= MOST else _together(found)), *rest]


def _missing(label: str, n_rows: int, unlearned: int, untested: int, n_splits: int) -> Finding:
    places = [
        f"the {what} rows of {count} of {n_splits} splits"
        for what, count in (("training", unlearned), ("test", untested))
        if count
    ]
    message = f"class {label} ({many(n_rows, 'row')}) is missing from {' and '.join(places)}."
    return Finding("few_of_a_class", message, unlearned > 0, n_rows=n_rows)


def _together(found: list[Finding]) -> list[Finding]:
    """A sentence for each of sixty classes is no help."""
    unlearned = sum(one.severe for one in found)
    least = min(one.n_rows for one in found)
    message = f"{len(found)} classes (fewest: {many(least, 'row')}) are missing from test rows of some splits"
    message += f", {unlearned} of them from training rows too." if unlearned else "."
    return [Finding("few_of_a_class", message, unlearned > 0, n_rows=sum(one.n_rows for one in found))]


def _rest_on_few(few: list[tuple[str, int]], is_more: bool) -> list[Finding]:
    """One sentence for all such classes; `is_more`: others were spoken of before."""
    if not few:
        return []
    rows = sum(n for _, n in few)
    if len(few) == 1:
        label = few[0][0]
        message = (
            f"class {label} has {many(rows, 'row')} in the folds, fewer than {FEW} in a test part: its scores rest on "
            "these."
        )
    else:
        least, label = min((n, label) for label, n in few)
        message = (
            f"{len(few)} {'other ' * is_more}classes have fewer than {FEW} rows in a test part (fewest: {label}, "
            f"{many(least, 'row')} in the folds): their scores rest on these."
        )
    return [Finding("few_of_a_class", message, False, n_rows=rows)]
