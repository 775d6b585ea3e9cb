"""Many rules at once.   In: lists of preconditions, rows with known classes.   Out: Boards, a bit for each
precondition and row, which the native core counts (native/rules/sums.hpp).

    x <= 5        1 0 1 1        rule 0: x <= 5, c = a
    c = a         1 1 0 1        rule 1: x <= 5, y > 2        each precondition once, however many rules have it
    y > 2         0 0 1 1

So many rules go on one board that its bits stay within some tens of megabytes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.rules.rows import Known, holds
from hedgerow.rules.rule import Covered
from hedgerow.tree.conditions import Condition
from hedgerow.types import Byte, Count, Float, Index, Mask, Word

MOST_BYTES = 1 << 26  # of a board


@dataclass(frozen=True, eq=False)
class Board:
    first: int  # number of its first rule
    bits: Word  # preconditions x words
    n_rows: int
    begin: Count  # rule r has part[begin[r]] .. part[begin[r + 1] - 1]
    part: Index
    of_class: Word  # classes x words
    weight: Float | None
    threads: int

    def __len__(self) -> int:
        return len(self.begin) - 1

    def sums(self, rules: Count, left: Byte, decision: Index) -> tuple[Float, Float, Count]:
        """Of some rules: wrong and right weight covered, the same gained without each part; where their parts are."""
        many = np.diff(self.begin)[rules]
        ends = np.cumsum(many)
        places = np.arange(int(ends[-1])) + np.repeat(self.begin[rules] - (ends - many), many)
        covered, gained = native.rule_sums(
            self.bits,
            self.n_rows,
            np.append(0, ends),
            self.part[places],
            left[places],
            self.of_class,
            self.weight,
            decision[rules],
            self.threads,
        )
        return covered, gained, places

    def counts(self) -> tuple[Float, Count]:
        """Of each rule: the weight of each class it covers, and the rows."""
        return native.rule_counts(
            self.bits,
            self.n_rows,
            self.begin,
            self.part,
            np.ones(len(self.part), np.uint8),
            self.of_class,
            self.weight,
            self.threads,
        )


def boards(
    rules: Sequence[Sequence[Condition]], rows: Known, n_classes: int, threads: int
) -> Iterator[Board]:
    n_rows = rows.cells.n_rows
    most = max(64, MOST_BYTES // (8 * max(1, _words(n_rows))))
    of_class = _packed([rows.codes == k for k in range(n_classes)], n_rows)
    weight = None if np.all(rows.weight == 1.0) else np.ascontiguousarray(rows.weight)
    first = 0
    while first < len(rules):
        known: dict[Condition, int] = {}
        begin, part = [0], []
        for conditions in rules[first:]:
            if len(known) + len(conditions) > most and len(begin) > 1:
                break
            part += [known.setdefault(one, len(known)) for one in conditions]
            begin.append(len(part))
        bits = _packed([holds(one, rows.cells) for one in known], n_rows)
        places = np.array(begin, np.int64)
        yield Board(first, bits, n_rows, places, np.array(part, np.int32), of_class, weight, threads)
        first += len(begin) - 1


def counted(
    rules: Sequence[Sequence[Condition]], rows: Known, n_classes: int, threads: int = 1
) -> list[Covered]:
    """The rows each rule covers."""
    out: list[Covered] = []
    for board in boards(rules, rows, n_classes, threads):
        counts, many = board.counts()
        out += [Covered.of(count, n) for count, n in zip(counts, many.tolist(), strict=True)]
    return out


def _packed(masks: list[Mask], n_rows: int) -> Word:
    """A bit a row, the first row lowest."""
    out = np.zeros((len(masks), 8 * _words(n_rows)), np.uint8)
    for k, mask in enumerate(masks):
        out[k, : (n_rows + 7) // 8] = np.packbits(mask, bitorder="little")
    return out.view("<u8").astype(np.uint64, copy=False)


def _words(n_rows: int) -> int:
    return (n_rows + 63) // 64
