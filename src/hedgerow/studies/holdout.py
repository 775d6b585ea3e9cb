"""The sealed hold-out.   In: Samples.   Out: those to learn from, and the others, which open once, at the end.

The training table knows nothing of the sealed rows: not their cells, not a level that only they have. Which rows are
copies of each other is found in all rows, so that copies of a training row are not sealed.

Of a table larger than memory the rows are a sample: what is sealed of it opens for a model that learned from it; for
one that learned from all rows what is sealed of the whole table, or as many rows of it as the sample has.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display.sentences import many
from hedgerow.encode import own_levels
from hedgerow.intake import Samples
from hedgerow.intake.large import LargeRows
from hedgerow.table.copies import join_groups
from hedgerow.table.split import hold_out, hold_out_last
from hedgerow.types import Count

MOST_DRAWS = 200  # of groups


class SealError(RuntimeError):
    """The hold-out was opened a second time."""


class Sealed:
    def __init__(self, rows: Samples) -> None:
        self._rows: Samples | None = rows
        self.n_rows = len(rows)

    def open(self) -> Samples:
        return self._take()

    def open_all(self, large: LargeRows, n_held: int) -> Samples:
        """Of the whole table; about as many as the sample has rows, where there are more."""
        self._take()
        return large.held_out(len(large.data.samples), n_held).drop_weightless()

    def _take(self) -> Samples:
        if self._rows is None:
            raise SealError("The hold-out has been opened already: its score counts once only.")
        rows, self._rows = self._rows, None
        return rows


def seal(
    rows: Samples,
    strata: Count,
    size: float,
    random_state: int,
    copies: Count | None = None,
    large: LargeRows | None = None,
) -> tuple[Samples, Sealed]:
    """Training rows and the sealed ones, a share of `size`; groups stay whole, and so do sets of copies. Of rows with
    a time the last are sealed, and the others are in its order. A row that weighs nothing is not there."""
    there = np.arange(len(rows)) if rows.weight is None else np.flatnonzero(rows.weight)
    if large is not None:
        train, test = (part[np.isin(part, there)] for part in large.split_sample())
    else:
        sets = None if copies is None else copies[there]
        parts = _split(rows.drop_weightless(), strata[there], size, random_state, sets)
        train, test = (there[part] for part in parts)
    _refuse_one_class(strata, train, test, rows.groups)
    part = rows.take(train)
    table = replace(part.table, columns=tuple(own_levels(column) for column in part.table.columns))
    return replace(part, table=table), Sealed(rows.take(test))


def _split(
    rows: Samples, strata: Count, size: float, random_state: int, copies: Count | None
) -> tuple[Count, Count]:
    if rows.time is not None:
        return hold_out_last(rows.time, size)
    if rows.groups is not None:
        names = np.unique(rows.groups, return_inverse=True)[1].reshape(-1)
        joined = names if copies is None else join_groups(names, copies)
        return _split_groups(joined, strata, size, random_state)
    return hold_out(strata, size, random_state, copies)


def _refuse_one_class(strata: Count, train: Count, test: Count, groups: NDArray[Any] | None) -> None:
    """Where there are classes, at least two of them on both sides."""
    names, place = np.unique(strata, return_inverse=True)
    counts = np.bincount(place[np.concatenate([train, test])], minlength=len(names))
    for part, where in ((train, "The training rows"), (test, "The hold-out")):
        if len(counts) > 1 and len(np.unique(strata[part])) < 2:
            rows = many(int(counts.min()), "row")
            if groups is not None:
                rows += f" of {many(len(np.unique(groups[strata == names[counts.argmin()]])), 'group')}"
            raise ValueError(
                f"{where} would have rows of one class only: the rarest class has {rows} in the whole table. Give more "
                f"{'groups' if groups is not None else 'rows'} of it, another share as holdout, or another target."
            )


def _split_groups(groups: Count, strata: Count, size: float, random_state: int) -> tuple[Count, Count]:
    """Whole groups, in random order, until the size is reached; drawn again where one side would have one class."""
    names, group, count = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < 3:
        raise ValueError(f"The groups column has {len(names)} different groups. At least 3 are wanted.")
    random, fewest = np.random.default_rng(random_state), min(2, len(np.unique(strata)))
    for _ in range(MOST_DRAWS):
        order = random.permutation(len(names))
        wanted = max(1, int(np.searchsorted(np.cumsum(count[order]), size * len(groups))))
        out = np.isin(group, order[: min(wanted, len(names) - 2)])
        if min(len(np.unique(strata[side])) for side in (out, ~out)) >= fewest:
            break
    return np.flatnonzero(~out), np.flatnonzero(out)
