"""Dropping preconditions from one rule.   In: its conditions and class, rows, an estimate.   Out: what is left.

The two ends of an interval are two preconditions. Of all that could go, the one goes whose going leaves the
smallest estimated error, as long as the estimate does not rise; of equals (to twelve digits), the one that lets in
more, then the one met last on the path.

Each row has one number: for every precondition it fails, the number of preconditions plus that one's place. So
the rows that matter are found by their number alone. Of three preconditions:

    row    fails    number
    a      -        0                  covered
    b      2        3 + 2      = 5     from 3 to 5: fails one, and comes in when that one goes
    c      1, 2     3 + 1 + 5  = 9     does not matter yet; when 2 goes it becomes 4
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.rules.estimate import Estimate
from hedgerow.rules.rows import Known, holds
from hedgerow.rules.rule import DIGITS
from hedgerow.tree.conditions import Condition, Span
from hedgerow.types import Float

Conditions = tuple[Condition, ...]
TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True)
class Dropped:
    conditions: Conditions
    error: float  # estimated
    before: float  # the same, with all conditions


def drop_preconditions(conditions: Conditions, decision: int, rows: Known, estimate: Estimate) -> Dropped:
    parts = preconditions(conditions)
    many = len(parts)
    width = np.int16 if 2 * many * many < 2**15 else np.int32
    failing = [np.multiply(~holds(part, rows.cells), many + k, dtype=width) for k, part in enumerate(parts)]
    number: NDArray[Any] = np.zeros(rows.cells.n_rows, width)
    for one in failing:
        number += one
    right = rows.codes == decision
    sums = np.bincount(right[number == 0], rows.weight[number == 0], minlength=2)  # wrong, right
    error = before = float(estimate(sums[0], sums[0] + sums[1]))
    left = list(range(many))
    while left:
        near = np.flatnonzero((number >= many) & (number < 2 * many))
        pairs = (number[near] - many) * 2 + right[near]
        gained = np.bincount(pairs, rows.weight[near], minlength=2 * many).reshape(-1, 2)
        after = sums + gained[left]
        totals = after.sum(axis=1)
        errors = estimate(after[:, 0], totals)
        place = _best(errors, totals, error)
        if place is None:
            break
        gone, sums, error = left.pop(place), after[place], float(errors[place])
        number -= failing[gone]
    return Dropped(merged([parts[k] for k in left]), error, before)


def preconditions(conditions: Conditions) -> list[Condition]:
    """Each condition; an interval with two ends as two."""
    parts: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, Span) and condition.low > -np.inf and condition.high < np.inf:
            parts += [replace(condition, high=np.inf), replace(condition, low=-np.inf)]
        else:
            parts.append(condition)
    return parts


def merged(parts: list[Condition]) -> Conditions:
    """One condition a column again."""
    out: dict[int, Condition] = {}
    for part in parts:
        other = out.get(part.feature)
        if isinstance(part, Span) and isinstance(other, Span):
            part = replace(part, low=max(part.low, other.low), high=min(part.high, other.high))
        out[part.feature] = part
    return tuple(out.values())


def _best(errors: Float, totals: Float, error: float) -> int | None:
    """The place of the one to drop, if any."""
    near, large = np.round(errors, DIGITS), np.round(totals / max(float(totals.max()), TINY), DIGITS)
    place = int(np.lexsort((-np.arange(len(errors)), -large, near))[0])
    return place if near[place] <= np.round(error, DIGITS) else None
