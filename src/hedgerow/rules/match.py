"""Which rule decides.   In: a RuleList, a matrix.   Out: for each row, the first rule that holds (-1: none).

Rows leave as soon as a rule has taken them, and a rule tests its second condition only on rows that met its first:

    uncovered     a b c d e f g h
    rule 0          b     e   g         tested on 8
    rule 1        a           h         tested on 5
    rule 2            c d               tested on 3: copied together first, since most are gone
"""

import numpy as np

from hedgerow.rules.rows import Cells, holds, read_cells
from hedgerow.rules.rule import DEFAULT, RuleList
from hedgerow.tree.conditions import Condition
from hedgerow.types import Count, FloatAny, Index

Conditions = tuple[Condition, ...]


class UncoveredRows:
    """The rows no rule has taken yet. The one thing here that changes: it is used up by one pass."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells
        self._names = np.arange(cells.n_rows)
        self._uncovered = np.ones(cells.n_rows, bool)
        self._n_uncovered = cells.n_rows

    def __len__(self) -> int:
        return self._n_uncovered

    @property
    def rows(self) -> Count:
        return self._names[self._uncovered]

    def find_covered(self, conditions: Conditions) -> Count:
        """The uncovered rows for which all conditions hold: to look at, or to `take`."""
        if not self._n_uncovered:
            return np.zeros(0, np.int64)
        mask = self._uncovered & holds(conditions[0], self._cells) if conditions else self._uncovered
        return self._names[_narrow(conditions[1:], self._cells, np.flatnonzero(mask))]

    def take(self, rows: Count) -> None:
        self._uncovered[np.searchsorted(self._names, rows)] = False
        self._n_uncovered -= len(rows)
        if 2 * self._n_uncovered < len(self._uncovered):
            self._cells, self._names = self._cells.take(self._uncovered), self._names[self._uncovered]
            self._uncovered = np.ones(self._n_uncovered, bool)


def first_match(rules: RuleList, rows: FloatAny) -> Index:
    out = np.full(len(rows), DEFAULT, np.int32)
    rest = UncoveredRows(read_cells(rules.labels, rows))
    for k, rule in enumerate(rules.rules):
        found = rest.find_covered(rule.conditions)
        out[found] = k
        rest.take(found)
        if not len(rest):
            break
    return out


def find_covered(conditions: Conditions, cells: Cells) -> Count:
    """The rows for which all conditions hold."""
    return UncoveredRows(cells).find_covered(conditions)


def _narrow(conditions: Conditions, cells: Cells, rows: Count) -> Count:
    for condition in conditions:
        if not len(rows):
            break
        rows = rows[holds(condition, cells, rows)]
    return rows
