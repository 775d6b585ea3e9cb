"""Many rules at once.   In: lists of preconditions, rows with known classes.   Out: Boards, a bit for each
precondition and row, which the native core counts (native/rules/sums.hpp).

    x <= 5        1 0 1 1        rule 0: x <= 5, c = a
    c = a         1 1 0 1        rule 1: x <= 5, y > 2        each precondition once, however many rules have it
    y > 2         0 0 1 1

So many rules go on one bitset that its bits stay within some tens of megabytes.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.rules.rows import LabeledRows, holds
from hedgerow.rules.rule import Coverage
from hedgerow.tree.conditions import Condition
from hedgerow.types import Byte, Count, Float, Index, Mask, Word

MOST_BYTES = 1 << 26  # of a bitset


@dataclass(frozen=True, eq=False)
class RuleBitset:
    first: int  # number of its first rule
    bits: "ConditionBits"
    holds: Word  # preconditions x words
    begin: Count  # rule r has part[begin[r]] .. part[begin[r + 1] - 1]
    part: Index

    def __len__(self) -> int:
        return len(self.begin) - 1

    def sums(self, rules: Count, left: Byte, decision: Index) -> tuple[Float, Float, Count]:
        """Of some rules: wrong and right weight covered, the same gained without each part; where their parts are."""
        many = np.diff(self.begin)[rules]
        ends = np.cumsum(many)
        places = np.arange(int(ends[-1])) + np.repeat(self.begin[rules] - (ends - many), many)
        bits, begin = self.bits, np.append(0, ends)
        covered, gained = native.rule_sums(
            self.holds,
            bits.n_rows,
            begin,
            self.part[places],
            left[places],
            bits.of_class,
            bits.weight,
            decision[rules],
            bits.threads,
        )
        return covered, gained, places

    def counts(self) -> tuple[Float, Count]:
        """Of each rule: the weight of each class it covers, and the rows."""
        return native.rule_counts(*self._all(), self.bits.of_class, self.bits.weight, self.bits.threads)

    def assign(self, decision: Index, taker: Index) -> Index:
        return native.take_rows(*self._all(), self.bits.of_class, decision, self.first, taker)

    def _all(self) -> tuple[Word, int, Count, Index, Byte]:
        return self.holds, self.bits.n_rows, self.begin, self.part, np.ones(len(self.part), np.uint8)


class ConditionBits:
    """Rows with known classes, and the bits of preconditions in use, as many as there is room for."""

    def __init__(self, rows: LabeledRows, n_classes: int, threads: int = 1) -> None:
        self.rows, self.n_classes, self.threads = rows, n_classes, threads
        self.n_rows = rows.cells.n_rows
        self.of_class = _packed([rows.codes == k for k in range(n_classes)], self.n_rows)
        self.weight = None if np.all(rows.weight == 1.0) else np.ascontiguousarray(rows.weight)
        self.most = max(64, MOST_BYTES // (8 * max(1, _words(self.n_rows))))
        self._kept: dict[Condition, Word] = {}

    def of(self, conditions: Iterable[Condition]) -> Word:
        """A row of words for each precondition."""
        rows = [self._one(one) for one in conditions]
        return np.array(rows, np.uint64) if rows else np.zeros((0, _words(self.n_rows)), np.uint64)

    def _one(self, condition: Condition) -> Word:
        found = self._kept.get(condition)
        if found is None:
            found = _packed([holds(condition, self.rows.cells)], self.n_rows)[0]
            if len(self._kept) < self.most:
                self._kept[condition] = found
        return found


def make_bitsets(rules: Sequence[Sequence[Condition]], bits: ConditionBits) -> Iterator[RuleBitset]:
    first = 0
    while first < len(rules):
        known: dict[Condition, int] = {}
        begin, part = [0], []
        for conditions in rules[first:]:
            if len(known) + len(conditions) > bits.most and len(begin) > 1:
                break
            part += [known.setdefault(one, len(known)) for one in conditions]
            begin.append(len(part))
        places = np.array(begin, np.int64)
        yield RuleBitset(first, bits, bits.of(known), places, np.array(part, np.int32))
        first += len(begin) - 1


def count_covered(rules: Sequence[Sequence[Condition]], bits: ConditionBits) -> list[Coverage]:
    """The rows each rule covers."""
    out: list[Coverage] = []
    for bitset in make_bitsets(rules, bits):
        counts, many = bitset.counts()
        out += [Coverage.of(count, n) for count, n in zip(counts, many.tolist(), strict=True)]
    return out


def assign_rows(rules: Sequence[Sequence[Condition]], decision: Index, bits: ConditionBits) -> Index:
    """By row: the rule that takes it, when they come in their order and only those that get some row right; else -1."""
    taker = np.full(bits.n_rows, -1, np.int32)
    for bitset in make_bitsets(rules, bits):
        taker = bitset.assign(decision[bitset.first : bitset.first + len(bitset)], taker)
    return taker


def _packed(masks: list[Mask], n_rows: int) -> Word:
    """A bit a row, the first row lowest."""
    out = np.zeros((len(masks), 8 * _words(n_rows)), np.uint8)
    for k, mask in enumerate(masks):
        out[k, : (n_rows + 7) // 8] = np.packbits(mask, bitorder="little")
    return out.view("<u8").astype(np.uint64, copy=False)


def _words(n_rows: int) -> int:
    return (n_rows + 63) // 64
