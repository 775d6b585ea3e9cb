"""Out of bag.   In: Trees, the rows they were drawn from, who drew what.   Out: what the trees that have not seen a row
say about it, and the loss after each tree.

A row is predicted by the trees whose bag it is not in: about 37 of 100 with a bootstrap. Their mean is an honest
prediction of a row of training, so that no row has to be held out.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.flat import flat_of
from hedgerow.ensemble.forest import Forest
from hedgerow.grow import Classes, Target
from hedgerow.tree import predict
from hedgerow.types import Float, FloatAny, Index, Mask, Word


@dataclass(frozen=True, eq=False)
class Tally:
    """The trees so far, added up. Frozen: more trees make a new one."""

    sum: Float  # rows x outputs: the values of the trees a row is out of
    many: Index  # the number of those trees
    loss: Float  # after each tree: mean loss of the rows that were out so far (wrong class, or squared error)
    weight: Float | None  # of each row

    @property
    def mean(self) -> Float:
        """Rows x outputs; NaN for rows that were never out."""
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(self.many[:, None] > 0, self.sum / self.many[:, None], np.nan)

    @property
    def covered(self) -> Mask:
        """Rows that were out of some bag and count."""
        out = self.many > 0
        return out if self.weight is None else out & (self.weight > 0)


def empty_tally(n_rows: int, n_outputs: int, weight: Float | None) -> Tally:
    return Tally(np.zeros((n_rows, n_outputs)), np.zeros(n_rows, np.int32), np.empty(0), weight)


def outside_bits(draws: Draws, first_tree: int, n_trees: int) -> Word:
    """Trees x words: bit i of a tree's words is one when row i is out of its bag."""
    n_words = (draws.n_rows + 63) // 64
    out = np.zeros((n_trees, n_words * 8), np.uint8)
    for t in range(n_trees):
        bits = np.packbits(draws.oob(first_tree + t), bitorder="little")
        out[t, : len(bits)] = bits
    return np.ascontiguousarray(out.view("<u8").astype(np.uint64))


def add_trees(
    tally: Tally,
    forest: Forest,
    rows: FloatAny | SparseRows,
    target: Target,
    draws: Draws,
    *,
    first_tree: int = 0,
    threads: int = 1,
) -> Tally:
    """The tally with the trees of `forest`, which are the draws' trees from `first_tree` on."""
    if isinstance(rows, SparseRows):
        for t, tree in enumerate(forest.trees):
            out = draws.oob(first_tree + t)
            tally = add_member(tally, out, predict.values(tree, rows, threads)[out], target)
        return tally
    flat = flat_of(forest)
    total, many, loss, counted = native.tally_outside(
        **flat.arrays(),
        rows=rows,
        outside=outside_bits(draws, first_tree, flat.n_trees),
        **truth(target),
        row_weight=tally.weight,
        sum=tally.sum,
        many=tally.many,
        threads=threads,
    )
    with np.errstate(invalid="ignore", divide="ignore"):
        curve = np.where(counted > 0, loss / counted, np.nan)
    return Tally(total, many, np.concatenate([tally.loss, curve]), tally.weight)


def add_member(tally: Tally, out: Mask, values: Float, target: Target) -> Tally:
    """The tally with one more member of any kind: its values (rows that are out x outputs)."""
    total, many = tally.sum.copy(), tally.many.copy()
    total[out] += values
    many[out] += 1
    more = Tally(total, many, tally.loss, tally.weight)
    covered = more.covered
    loss = losses(more.mean[covered], target, covered)
    weight = None if tally.weight is None else tally.weight[covered]
    now = float(np.average(loss, weights=weight)) if len(loss) else np.nan
    return Tally(total, many, np.append(tally.loss, now), tally.weight)


def losses(mean: Float, target: Target, rows: Mask) -> Float:
    """For each of the rows: 1 where the class is wrong, or the squared error."""
    if isinstance(target, Classes):
        return np.asarray(mean.argmax(axis=1) != target.codes[rows], np.float64)
    with np.errstate(over="ignore"):
        return np.asarray((mean[:, 0] - target.values[rows]) ** 2)


def truth(target: Target) -> dict[str, Any]:
    classes = isinstance(target, Classes)
    return {
        "classes": target.codes if isinstance(target, Classes) else None,
        "numbers": None if classes else target.values,  # type: ignore[union-attr]
    }
