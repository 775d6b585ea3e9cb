"""The seal.   In: rows.   Out: those to learn from, and the others, which can be had once, at the end.

The training table knows nothing of the sealed rows: not their cells, not a level that only they have.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import own_levels
from hedgerow.intake.split import hold_out
from hedgerow.table import Table
from hedgerow.types import Count


class SealError(RuntimeError):
    """The hold-out was asked for a second time."""


@dataclass(frozen=True, eq=False)
class Rows:
    table: Table
    target: NDArray[Any]
    weight: NDArray[Any] | None
    groups: NDArray[Any] | None
    numbers: Count  # of the rows, in the table that came in

    def take(self, kept: Count) -> "Rows":
        return Rows(
            self.table.take(kept),
            self.target[kept],
            None if self.weight is None else self.weight[kept],
            None if self.groups is None else self.groups[kept],
            self.numbers[kept],
        )


class Sealed:
    def __init__(self, rows: Rows) -> None:
        self._rows: Rows | None = rows
        self.n_rows = len(rows.target)

    def open(self) -> Rows:
        """A row that weighs nothing is not there."""
        if self._rows is None:
            raise SealError("The hold-out has been opened already: its score counts once only.")
        rows, self._rows = self._rows, None
        return rows if rows.weight is None else rows.take(np.flatnonzero(rows.weight))


def seal(rows: Rows, strata: Count, share: float, seed: int) -> tuple[Rows, Sealed]:
    """Training rows and the sealed ones; groups stay whole."""
    if rows.groups is None:
        train, test = hold_out(strata, share, seed)
    else:
        train, test = _by_group(rows.groups, share, seed)
    part = rows.take(train)
    table = replace(part.table, columns=tuple(own_levels(column) for column in part.table.columns))
    return replace(part, table=table), Sealed(rows.take(test))


def _by_group(groups: NDArray[Any], share: float, seed: int) -> tuple[Count, Count]:
    """Whole groups, in random order, until the share is reached."""
    names, group, count = np.unique(groups, return_inverse=True, return_counts=True)
    if len(names) < 3:
        raise ValueError(f"The groups column has {len(names)} different groups. At least 3 are wanted.")
    order = np.random.default_rng(seed).permutation(len(names))
    wanted = max(1, int(np.searchsorted(np.cumsum(count[order]), share * len(groups))))
    out = np.isin(group, order[: min(wanted, len(names) - 2)])
    return np.flatnonzero(~out), np.flatnonzero(out)
