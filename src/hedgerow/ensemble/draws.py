"""Which rows a tree of an ensemble learns from.   In: a seed and a tree's number.   Out: how often each row was drawn.

Nothing is stored: counts are a pure function of (seed, tree), made again whenever somebody asks. Rows are drawn by
their place in an order of their content, each as wide as its weight, so that neither the order of the rows nor writing
a row three times instead of giving it weight three changes what is drawn:

    weights 2 1 3   ->   |  a  |b |   c    |     a draw is a place on this line
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from numbers import Integral
from typing import Literal

import numpy as np

from hedgerow.core import native
from hedgerow.table import Column, Table
from hedgerow.types import Count, Float, FloatAny, Mask, UIndex, Word

How = Literal["all", "bootstrap", "subsample"]
MOST_UNITS = (
    2**26
)  # whole weights whose sum is beyond are shares: nobody has written such rows out one by one


@dataclass(frozen=True, eq=False)
class Draws:
    how: How  # all rows, each once; with replacement; without
    n_rows: int
    size: int  # draws a tree; "all": the rows that count
    order: UIndex  # rows of positive weight, in the order of their content
    weight: Float | None  # of each row; None: all one
    whole_weights: bool  # weights are whole numbers: a row of weight 3 is three rows
    seed: int

    def counts(self, tree: int) -> UIndex:
        """How often the tree drew each row."""
        return native.draw_counts(self.how, self.n_rows, self.size, self.order, self.line, self.seed, tree)

    def oob(self, tree: int) -> Mask:
        """The rows (of positive weight) that the tree has not seen: out of its bag."""
        out = np.zeros(self.n_rows, bool)
        out[self.order] = True
        out[self.counts(tree) > 0] = False
        return out

    def weights(self, tree: int) -> Float | None:
        """The weight of each row for the tree; None: all one.

        A draw by weight has used the weight up. Otherwise (all rows; or a subsample by shares) it goes along.
        """
        if self.carries_weight:
            return self.weight if self.how == "all" else self.counts(tree) * self._weight
        return self.counts(tree).astype(np.float64)

    @property
    def carries_weight(self) -> bool:
        return self.how == "all" or (self.how == "subsample" and not self.whole_weights)

    @property
    def _weight(self) -> Float:
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @cached_property
    def line(self) -> Float:
        """The end of each row's stretch, in the order of content; empty where all are of length one."""
        if self.weight is None or self.carries_weight:
            return np.empty(0)
        return np.cumsum(self.weight[self.order])


def draws_of(
    table: Table,
    y: FloatAny | Count,
    weight: Float | None,
    *,
    how: How,
    size: int | float | None = None,
    seed: int = 0,
) -> Draws:
    """`size`: draws a tree, or a share; None: as many as there are rows (the sum of weights that are whole)."""
    n_rows = table.n_rows
    if weight is not None and np.all(weight == 1):
        weight = None
    used = np.arange(n_rows) if weight is None else np.flatnonzero(weight > 0)
    whole, units = _units(weight, len(used))
    order = content_order(table, y)
    order = order if len(used) == n_rows else order[np.isin(order, used)]
    return Draws(how, n_rows, _size(how, size, units), order.astype(np.uint32), weight, whole, seed)


def _units(weight: Float | None, used: int) -> tuple[bool, int]:
    if weight is None:
        return True, used
    with np.errstate(over="ignore"):
        total = float(weight.sum())
    whole = total <= MOST_UNITS and bool(np.all(weight == np.floor(weight)))
    return whole, int(total) if whole else used


def _size(how: How, size: int | float | None, units: int) -> int:
    if how == "all" or size is None:
        return units
    wanted = int(size) if isinstance(size, Integral) else max(1, round(size * units))
    if how == "subsample" and wanted > units:
        raise ValueError(
            f"{wanted} rows cannot be drawn from {units} without drawing one twice. Draw fewer, or with replacement."
        )
    return wanted


def content_order(table: Table, y: FloatAny | Count) -> Count:
    """Rows in an order that depends on what is in them, not on where they stand: by a hash of the cells, then by y."""
    return np.lexsort((y, row_hashes(table.columns, table.n_rows)))


def row_hashes(columns: Sequence[Column], n_rows: int) -> Word:
    numbers = [column.numbers for column in columns if column.kind != "category"]
    hashes = native.hash_rows(numbers, n_rows)
    for column in columns:
        if column.kind == "category":
            words = [_hash(level) for level in (*column.levels, "")]  # code -1, missing, takes the last
            hashes = native.hash_more(hashes, np.array(words, np.uint64)[column.values])
    return hashes


def _hash(level: str) -> int:
    return int.from_bytes(blake2b(level.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
