"""Thresholds.   In: Encoded rows and a target.   Out: of each number column, where questions cut it.

Columns with few values give all their cuts. Of the others those that gradient boosting with small trees finds: the
largest sums of gain over its rounds. Where it never asks about a column, no optimal tree of this size is likely to.
"""

from typing import NamedTuple

import numpy as np

from hedgerow.encode import Encoded
from hedgerow.gradient.bins import bin_table
from hedgerow.gradient.boost import boost
from hedgerow.gradient.loss import Loss, LossOptions
from hedgerow.gradient.losses import log_loss, squared_error
from hedgerow.gradient.params import BoostParams
from hedgerow.gradient.trees import GradientTrees
from hedgerow.grow import Classes, Target
from hedgerow.types import Count, Float

ROUNDS = 40


class Cuts(NamedTuple):
    """Between the codes of two neighbouring values each."""

    low: Count
    high: Count

    def take(self, which: Count) -> "Cuts":
        return Cuts(self.low[which], self.high[which])


NO_CUTS = Cuts(np.empty(0, np.int64), np.empty(0, np.int64))


def choose_cuts(rows: Encoded, target: Target, most: int | None, threads: int) -> list[Cuts]:
    """One for each column; of a category there are none."""
    every = [
        NO_CUTS if kind == "category" else _all_cuts(rows, j, target.weight)
        for j, kind in enumerate(rows.schema.kinds)
    ]
    if most is None or all(len(cuts.low) <= most for cuts in every):
        return every
    trees = _boost(rows, target, threads)
    return [
        cuts if len(cuts.low) <= most else _best_cuts(trees, rows, j, cuts, most)
        for j, cuts in enumerate(every)
    ]


def _all_cuts(rows: Encoded, j: int, weight: Float | None) -> Cuts:
    """Between values that rows have."""
    n_codes = int(rows.n_codes[j])
    codes = rows.codes[j] if weight is None else rows.codes[j][weight > 0]
    present = np.flatnonzero(np.bincount(codes, minlength=n_codes + 1)[:n_codes])
    return Cuts(present[:-1], present[1:])


def _boost(rows: Encoded, target: Target, threads: int) -> GradientTrees:
    if isinstance(target, Classes):
        loss: Loss = log_loss.Loss(LossOptions(n_classes=target.n_classes))
    else:
        loss = squared_error.Loss(LossOptions())
    y = target.codes.astype(np.float64) if isinstance(target, Classes) else target.values
    params = BoostParams(max_iter=ROUNDS, max_leaves=4, learning_rate=0.3, min_rows=1, threads=threads)
    return boost(
        bin_table(rows.table, threads=threads), y, target.weight, loss, params, np.random.default_rng(0)
    )


def _best_cuts(trees: GradientTrees, rows: Encoded, j: int, cuts: Cuts, most: int) -> Cuts:
    """The cuts nearest below the thresholds of the trees, the `most` with the largest gain, in order."""
    here = (trees.column == j) & np.isfinite(trees.threshold)
    if not here.any():
        return NO_CUTS
    values = rows.values(j)[cuts.low]
    at = np.clip(np.searchsorted(values, trees.threshold[here], side="right") - 1, 0, len(values) - 1)
    gain = np.bincount(at, np.maximum(trees.gain[here], 0.0), minlength=len(values))
    best = np.argsort(-gain, kind="stable")[:most]
    return cuts.take(np.sort(best[gain[best] > 0]))
