"""Dropping preconditions from rules.   In: their conditions and classes, rows, an estimate.   Out: what is left.

The two ends of an interval are two preconditions. Of all that could go, the one goes whose going leaves the
smallest estimated error, as long as the estimate does not rise; of equals (to twelve digits), the one that lets in
more, then the one met last on the path.

A row that fails exactly one precondition comes in when that one goes; one that fails more does not matter yet. All
rules are looked at together, one step of each at a time, so that the counting is native (bitset.py) and the estimates
are made in few calls.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.rules.bitset import ConditionBits, RuleBitset, make_bitsets
from hedgerow.rules.estimate import Estimate
from hedgerow.rules.rule import DIGITS
from hedgerow.tree.conditions import Condition, Span
from hedgerow.types import Count, Float, Index

Conditions = tuple[Condition, ...]
TINY = np.finfo(np.float64).tiny


@dataclass(frozen=True)
class Simplified:
    conditions: Conditions
    error: float  # estimated
    before: float  # the same, with all conditions


def drop_all(
    listed: Sequence[tuple[Conditions, int]], bits: ConditionBits, estimate: Estimate
) -> list[Simplified]:
    """Of each rule, all rules a step at a time."""
    parts = [split_conditions(conditions) for conditions, _ in listed]
    decision = np.array([decision for _, decision in listed], np.int32)
    out: list[Simplified] = []
    for bitset in make_bitsets(parts, bits):
        here = slice(bitset.first, bitset.first + len(bitset))
        out += _drop(bitset, parts[here], decision[here], estimate)
    return out


def _drop(
    bitset: RuleBitset, parts: list[list[Condition]], decision: Index, estimate: Estimate
) -> list[Simplified]:
    left = np.ones(len(bitset.part), np.uint8)
    error, before = np.zeros(len(bitset)), np.zeros(len(bitset))
    going, begun = np.arange(len(bitset)), False
    while len(going):
        covered, gained, places = bitset.sums(going, left, decision)
        if not begun:
            error = before = _estimate(estimate, covered)
            begun = True
        place = np.flatnonzero(left[places])
        rule = np.repeat(np.arange(len(going)), np.diff(bitset.begin)[going])[place]
        after = covered[rule] + gained[place]
        best, least = _best(rule, after, _estimate(estimate, after))
        better = np.round(least, DIGITS) <= np.round(error[going[rule[best]]], DIGITS)
        best, least = best[better], least[better]
        left[places[place[best]]] = 0
        going = going[rule[best]]
        error = error.copy()
        error[going] = least
    kept = [[p for p, on in zip(one, left[a:b], strict=True) if on] for one, a, b in _spans(bitset, parts)]
    return [
        Simplified(merge_conditions(some), float(now), float(was))
        for some, now, was in zip(kept, error, before, strict=True)
    ]


def _spans(bitset: RuleBitset, parts: list[list[Condition]]) -> Iterator[tuple[list[Condition], int, int]]:
    return zip(parts, bitset.begin[:-1].tolist(), bitset.begin[1:].tolist(), strict=True)


def _estimate(estimate: Estimate, sums: Float) -> Float:
    """Of wrong and right weights; each different pair once."""
    pairs, place = np.unique(sums[:, 0] + 1j * sums[:, 1], return_inverse=True)
    return np.asarray(estimate(pairs.real, pairs.real + pairs.imag))[place]


def split_conditions(conditions: Conditions) -> list[Condition]:
    """Each condition; an interval with two ends as two."""
    parts: list[Condition] = []
    for condition in conditions:
        if isinstance(condition, Span) and condition.low > -np.inf and condition.high < np.inf:
            j, missing = condition.feature, condition.missing
            parts += [Span(j, condition.low, np.inf, missing), Span(j, -np.inf, condition.high, missing)]
        else:
            parts.append(condition)
    return parts


def merge_conditions(parts: list[Condition]) -> Conditions:
    """One condition a column again."""
    out: dict[int, Condition] = {}
    for part in parts:
        other = out.get(part.feature)
        if isinstance(part, Span) and isinstance(other, Span):
            low, high = max(part.low, other.low), min(part.high, other.high)
            part = Span(part.feature, low, high, part.missing)
        out[part.feature] = part
    return tuple(out.values())


def _best(rule: Count, after: Float, errors: Float) -> tuple[Count, Float]:
    """For each rule that has one, the place of the one to drop, and the error that leaves."""
    totals = after.sum(axis=1)
    first = np.flatnonzero(np.append(True, rule[1:] != rule[:-1])) if len(rule) else np.zeros(0, np.int64)
    largest = np.maximum.reduceat(totals, first) if len(first) else np.zeros(0)
    group = np.cumsum(np.isin(np.arange(len(rule)), first)) - 1
    large = np.round(totals / np.maximum(largest, TINY)[group], DIGITS)
    order = np.lexsort((-np.arange(len(rule)), -large, np.round(errors, DIGITS), rule))
    best = order[first]
    return best, errors[best]
