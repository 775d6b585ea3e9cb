"""Which rules a list needs.   In: candidates in their order, rows with known classes.   Out: those that are kept.

A rule is useless when it gets no row right that no rule before it took, or when every row it decides would be
given the same class without it. The second is found in one pass from the last rule to the first:

    rule     decides       without it               after the pass
    0  yes   a b           b goes to 2 (yes)        kept: a would go to the default, no
    1  no    c d           both to the default      useless
    2  yes   e             to the default           kept
       no    the rest

A list still longer than allowed gives up, again and again, the rule whose going costs least.
"""

import numpy as np

from hedgerow.rules.bitset import ConditionBits, assign_rows
from hedgerow.rules.drop import Conditions, split_conditions
from hedgerow.rules.match import find_covered
from hedgerow.rules.rows import LabeledRows
from hedgerow.types import Count, Float, Index, Mask

Candidate = tuple[Conditions, int]  # conditions, class


def select_useful(listed: list[Candidate], bits: ConditionBits) -> list[int]:
    """The places of the rules that are not useless."""
    rows, end = bits.rows, len(listed)
    decision = np.array([*(decision for _, decision in listed), 0], np.int32)
    taker = assign_rows([split_conditions(conditions) for conditions, _ in listed], decision[:end], bits)
    decision[end] = majority_class(rows, np.flatnonzero(taker < 0), bits.n_classes)
    order = np.argsort(taker, kind="stable")
    busy, starts = np.unique(taker[order], return_index=True)
    after = np.full(rows.cells.n_rows, end, np.int64)  # the first kept rule further down
    kept: list[int] = []
    for k, decided in zip(busy[::-1].tolist(), np.split(order, starts[1:])[::-1], strict=True):
        if k >= 0 and (decision[after[decided]] != decision[k]).any():
            after[find_covered(listed[k][0], rows.cells)] = k
            kept.append(k)
    return kept[::-1]


def select_cheapest(listed: list[Candidate], rows: LabeledRows, n_classes: int, most: int) -> list[int]:
    """The places of at most `most` rules, after the others have gone one by one."""
    holds = _coverage(listed, rows)  # rows x (rules and the default)
    end = len(listed)
    decision = np.array([*(decision for _, decision in listed), 0])
    active = np.ones(end, bool)
    first, second = _first_two(holds)
    while np.count_nonzero(active) > most:
        decision[end] = majority_class(rows, np.flatnonzero(first == end), n_classes)
        cost = _cost(decision, first, second, rows)[:end]
        gone = end - 1 - int(np.argmin(np.where(active, cost, np.inf)[::-1]))
        active[gone] = False
        holds[:, gone] = False
        stale = np.flatnonzero((first == gone) | (second == gone))
        first[stale], second[stale] = _first_two(holds[stale])
    return np.flatnonzero(active).tolist()


def majority_class(rows: LabeledRows, among: Count, n_classes: int) -> int:
    """The class of most weight among some rows; of all rows where there are none."""
    return rows.count(among if len(among) else slice(None), n_classes).majority


def _coverage(listed: list[Candidate], rows: LabeledRows) -> Mask:
    holds = np.zeros((rows.cells.n_rows, len(listed) + 1), bool)
    for k, (conditions, _) in enumerate(listed):
        holds[find_covered(conditions, rows.cells), k] = True
    holds[:, -1] = True
    return holds


def _first_two(holds: Mask) -> tuple[Count, Count]:
    """For each row, the first rule that holds and the one after it; the default follows itself."""
    first = holds.argmax(axis=1)
    others = holds.copy()
    others[np.arange(len(first)), first] = False
    second = np.where(others.any(axis=1), others.argmax(axis=1), holds.shape[1] - 1)
    return first, second


def _cost(decision: Index | Count, first: Count, second: Count, rows: LabeledRows) -> Float:
    """What goes wrong, in weight, when each rule goes."""
    now, then = decision[first] == rows.codes, decision[second] == rows.codes
    lost: Float = rows.weight * (now.astype(np.float64) - then)
    return np.bincount(first, lost, minlength=len(decision)).astype(np.float64)
