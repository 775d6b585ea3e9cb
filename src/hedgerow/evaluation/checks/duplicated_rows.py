"""duplicated_rows: rows that are exact copies of others, and where they stand. Different cases that happen to be equal,
as in a table of a few coarse columns, are not copies (table/copies.py), and nothing is said of them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display.sentences import many
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table.copies import count_copies
from hedgerow.types import Count

TOGETHER = "They are kept on one side of every split, so no test row is a copy of a training row"
APART = "Their scores are too good: drop the copies, or give a number of folds, which keeps them on one side"


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.copies is None or splits.kind == "fitted":
        return []
    found = describe_copies(data.copies, data.y)
    seen, tested = _count_seen(data.copies, splits)
    more = f"{seen:,} of {tested:,} test rows stand among the training rows. {APART}" if seen else TOGETHER
    is_loud = bool(seen) or data.grouped_by_copies  # groups as given may be meant for them
    return [Finding("duplicated_rows", f"{found} {more}.", is_loud, n_rows=count_copies(data.copies))]


def describe_copies(copies: Count, target: NDArray[Any]) -> str:
    """How many rows are copies, and how many of them have another target than the first row of their set."""
    n_copies, n_other = count_copies(copies), _count_other_target(copies, target)
    other = f", {n_other:,} of them with another target" if n_other else ""
    verb = "is an exact copy of another" if n_copies == 1 else "are exact copies of others"
    return f"{n_copies:,} of {many(len(copies), 'row')} {verb} in all columns{other}."


def _count_seen(copies: Count, splits: Splits) -> tuple[int, int]:
    """Test rows that have a copy among the training rows of their split, and all test rows; of the first repeat."""
    parts = [part for part in splits.parts if part.repeat == 0]
    seen = sum(int(np.isin(copies[part.test], copies[part.train]).sum()) for part in parts)
    return seen, sum(len(part.test) for part in parts)


def _count_other_target(copies: Count, target: NDArray[Any]) -> int:
    _, first, place = np.unique(copies, return_index=True, return_inverse=True)
    return int(np.count_nonzero(target != target[first][place.reshape(-1)]))
