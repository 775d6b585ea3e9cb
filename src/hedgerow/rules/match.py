"""Which rule decides.   In: a RuleList, a matrix.   Out: for each row, the first rule that holds (-1: none).

Rows leave as soon as a rule has taken them, and a rule asks its second condition only of rows that met its first:

    free rows     a b c d e f g h
    rule 0          b     e   g         asked of 8
    rule 1        a           h         asked of 5
    rule 2            c d               asked of 3: copied together first, since most are gone
"""

import numpy as np

from hedgerow.rules.rows import Cells, holds, read_cells
from hedgerow.rules.rule import DEFAULT, RuleList
from hedgerow.tree.conditions import Condition
from hedgerow.types import Count, FloatAny, Index

Conditions = tuple[Condition, ...]


class FreeRows:
    """The rows no rule has taken yet. The one thing here that changes: it is used up by one pass."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._names = np.arange(cells.n_rows)
        self._free = np.ones(cells.n_rows, bool)
        self._n_free = cells.n_rows

    def __len__(self) -> int:
        return self._n_free

    @property
    def rows(self) -> Count:
        return self._names[self._free]

    def find_covered(self, conditions: Conditions) -> Count:
        """The free rows for which all conditions hold: to look at, or to `take`."""
        if not self._n_free:
            return np.zeros(0, np.int64)
        mask = self._free & holds(conditions[0], self._cells) if conditions else self._free
        return self._names[_narrow(conditions[1:], self._cells, np.flatnonzero(mask))]

    def take(self, rows: Count) -> None:
        self._free[np.searchsorted(self._names, rows)] = False
        self._n_free -= len(rows)
        if 2 * self._n_free < len(self._free):
            self._cells, self._names = self._cells.take(self._free), self._names[self._free]
            self._free = np.ones(self._n_free, bool)


def first_match(rules: RuleList, rows: FloatAny) -> Index:
    out = np.full(len(rows), DEFAULT, np.int32)
    free = FreeRows(read_cells(rules.labels, rows))
    for k, rule in enumerate(rules.rules):
        found = free.find_covered(rule.conditions)
        out[found] = k
        free.take(found)
        if not len(free):
            break
    return out


def find_covered(conditions: Conditions, cells: Cells) -> Count:
    """The rows for which all conditions hold."""
    return FreeRows(cells).find_covered(conditions)


def _narrow(conditions: Conditions, cells: Cells, rows: Count) -> Count:
    for condition in conditions:
        if not len(rows):
            break
        rows = rows[holds(condition, cells, rows)]
    return rows
