"""duplicated_rows: rows that are exact copies of others, and where they stand. Different cases that happen to be equal,
are not copies (table/copies.py). Of those that are kept together it is said, quietly, how many there are; of rows of a
table of a few coarse columns nothing."""

import numpy as np

from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table.copies import EqualRows, count_copies
from hedgerow.types import Count

TOGETHER = "They are kept on one side of every split, so no test row is equal to a training row"
MOST_OTHER = 2 / 3  # of copies have another target; of two classes drawn at random half of them do
APART = "Their scores are too good: drop the copies, or give a number of folds, which keeps them on one side"


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.copies is None or splits.kind == "fitted":
        return []
    found = describe_equal_rows(data.equal, data.n_rows)
    seen, tested = _count_seen(data.copies, splits)
    if not data.equal.are_copies:
        among = f"{seen:,} of {tested:,} test rows are equal to a training row" if seen else TOGETHER
        return [Finding("duplicated_rows", f"{found} {among}.", False, n_rows=data.equal.n_equal)]
    more = f"{seen:,} of {tested:,} test rows stand among the training rows. {APART}" if seen else TOGETHER
    # Groups that are no sets of copies are the caller's
    is_loud = bool(seen) or (data.grouped_by_copies and seem_copies(data.equal))
    return [Finding("duplicated_rows", f"{found} {more}.", is_loud, n_rows=count_copies(data.copies))]


def describe_equal_rows(equal: EqualRows, n_rows: int) -> str:
    """How many rows are copies, or only equal, and how many of them have another target than the first row of their
    set."""
    other = f" but the target, {equal.n_other:,} of them with another one" if equal.n_other else ""
    number, rows = f"{equal.n_equal:,}", many(n_rows, "row")
    if equal.are_copies and not seem_copies(equal):
        return (
            f"{number} of {rows} are equal to others in all columns{other}: it seems that one case was measured "
            "several times."
        )
    if equal.are_copies:
        verb = "is an exact copy of another" if equal.n_equal == 1 else "are exact copies of others"
        return f"{number} of {rows} {verb} in all columns{other}."
    if equal.sets is None:
        return (
            f"{number} of {rows} are equal to an earlier row in all columns{other}. They count as different cases, as "
            "is usual where columns have few different values; if they are the same ones again (a person asked every "
            "year), the scores are too good."
        )
    return (
        f"{number} of {rows} are equal to an earlier row in all columns{other}; they may be copies, or different cases "
        "that look the same."
    )


def seem_copies(equal: EqualRows) -> bool:
    """What differs in the target mostly is no copy: the chicks of a brood, of which all else is the same."""
    return equal.are_copies and equal.n_other <= MOST_OTHER * equal.n_equal


def _count_seen(copies: Count, splits: Splits) -> tuple[int, int]:
    """Test rows that have a copy among the training rows of their split, and all test rows; of the first repeat."""
    parts = [part for part in splits.parts if part.repeat == 0]
    seen = sum(int(np.isin(copies[part.test], copies[part.train]).sum()) for part in parts)
    return seen, sum(len(part.test) for part in parts)
