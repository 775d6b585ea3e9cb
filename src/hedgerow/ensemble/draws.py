"""Which rows a tree of an ensemble learns from.   In: a seed and a tree's number.   Out: how often each row was drawn.

Nothing is stored: counts are a pure function of (seed, tree), made again whenever somebody asks. Rows are drawn by
their place in an order of their content, each as wide as its weight, so that the order of the rows does not change
what is drawn:

    weights 2 1 3   ->   |  a  |b |   c    |     a draw is a place on this line

There are as many draws as rows, whatever their weights: these are relative, and a constant weight is no weight.
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
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Count, Float, FloatAny, Mask, UIndex, Word

How = Literal["all", "bootstrap", "subsample", "given"]


@dataclass(frozen=True, eq=False)
class Draws:
    how: How  # all rows, each once; with replacement; without; drawn elsewhere
    n_rows: int
    size: int  # draws a tree; "all": the rows that count
    order: UIndex  # rows of positive weight, by content ("all": as they stand); "given": how often each was drawn
    weight: Float | None  # of each row; None: all one
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

        A draw with replacement is by weight and has used the weight up. Otherwise it goes along.
        """
        if self.carries_weight:
            return self.weight if self.how == "all" else self.counts(tree) * self._weight
        return self.counts(tree).astype(np.float64)

    @property
    def carries_weight(self) -> bool:
        return self.how != "bootstrap"

    @property
    def _weight(self) -> Float:
        return np.ones(self.n_rows) if self.weight is None else self.weight

    @cached_property
    def line(self) -> Float:
        """The end of each row's stretch, in the order of content; empty where all are of length one."""
        if self.weight is None or self.carries_weight:
            return np.empty(0)
        return np.cumsum(self.weight[self.order])


def drawn_rows(draws: Draws, n_trees: int) -> list[Count]:
    """The rows of each tree, as often as it drew them."""
    if draws.n_rows == 0:
        raise AttributeError("This model came from a file, which does not tell who drew which rows.")
    rows = np.arange(draws.n_rows)
    return [np.repeat(rows, draws.counts(t).astype(np.int64)) for t in range(n_trees)]


def draws_of(
    content: Table | Word | None,
    y: FloatAny | Count,
    weight: Float | None,
    *,
    how: How,
    size: int | float | None = None,
    seed: int = 0,
) -> Draws:
    """`content`: the rows, or a hash of each; how="all" asks for neither.
    `size`: draws a tree, or a share of the rows; None: as many as there are rows of positive weight."""
    weight = _relative(weight)
    order = np.arange(len(y)) if how == "all" or content is None else content_order(content, y)
    order = order if weight is None else order[weight[order] > 0]
    return Draws(how, len(y), draw_size(how, size, len(order)), order.astype(np.uint32), weight, seed)


def _relative(weight: Float | None) -> Float | None:
    """The weights; ones and zeros where all that are positive are equal; None where all are equal."""
    if weight is None:
        return None
    there = weight > 0
    if not np.all(weight[there] == weight[there][:1]):
        return weight
    return None if there.all() else there.astype(np.float64)


def draw_size(how: How, size: int | float | None, n_rows: int) -> int:
    """Draws a tree. `n_rows`: of positive weight."""
    if how == "all" or size is None:
        return n_rows
    wanted = int(size) if isinstance(size, Integral) else max(1, round(size * n_rows))
    if how == "subsample" and wanted > n_rows:
        raise ValueError(
            f"{wanted} rows cannot be drawn from {n_rows} without drawing one twice. Draw fewer, or with replacement."
        )
    return wanted


def content_order(content: Table | Word, y: FloatAny | Count) -> Count:
    """Rows in an order that depends on what is in them, not on where they stand: by a hash of the cells, then by y."""
    if isinstance(content, SparseTable):
        return np.lexsort((y, native.hash_entries(*content.by_row.arrays)))
    hashes = row_hashes(content.columns, content.n_rows) if isinstance(content, Table) else content
    return np.lexsort((y, hashes))


def row_hashes(columns: Sequence[Column], n_rows: int, threads: int = 1) -> Word:
    numbers = [column.numbers for column in columns if not column.is_coded]
    hashes = native.hash_rows(numbers, n_rows, threads)
    for column in columns:
        if column.is_coded:
            words = [_hash(level) for level in (*column.levels, "")]  # code -1, missing, takes the last
            hashes = native.hash_more(hashes, np.array(words, np.uint64)[column.values])
    return hashes


def _hash(level: str) -> int:
    return int.from_bytes(blake2b(level.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
