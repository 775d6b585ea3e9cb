"""Scores from leaf values that a row has no part in.   In: trees, with the gradients they were grown on.   Out: scores
of the training rows, and whether the loss would fall if all of them were larger.

A row's own gradient is part of its leaf's value: if no other row is like it, it is all of the value. Besides, the
splits were chosen, out of m thresholds, with that gradient too. So what the row contributes to the value is taken off
1 + log(m) / 2 times. Where rows follow a rule, each is vouched for by others and little is lost; an exception loses
what was learned from itself.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.bins import Allocate, Bins
from hedgerow.gradient.grown import GrownTree
from hedgerow.gradient.sums import sum_limbs
from hedgerow.types import Count, Float


@dataclass(frozen=True)
class OwnPart:
    """What a row's own part in a leaf value follows from, besides the sums of the leaf."""

    l2: float
    rate: float
    times: float  # that it is taken off


def count_times(bins: Bins) -> float:
    return 1.0 + 0.5 * float(np.log(max(1, int((bins.n_bins - 1).sum()))))


class LeftOut:
    def __init__(self, raw: Float, weight: Float | None, allocate: Allocate = np.empty) -> None:
        self.weight = weight
        self.scores = allocate(raw.shape, np.float64)  # outputs x rows
        self.scores[:] = raw  # trees so far as they are

    def add(
        self,
        k: int,
        grown: GrownTree,
        value: Float,
        gradient: Float,
        hessian: Float,
        part: OwnPart,
        threads: int,
    ) -> None:
        """A tree of output k whose `rows` are sorted by leaf. `value`: with the learning rate."""
        leaf = grown.first_child < 0
        native.gradient_add_left_out(
            rows=grown.rows,
            begin=grown.begin[leaf],
            n_rows=grown.n_rows[leaf],
            value=value[leaf],
            leaf_hessian=grown.hessian[leaf] + part.l2,
            gradient=gradient,
            hessian=hessian,
            weight=self.weight,
            rate=part.rate,
            times=part.times,
            scores=self.scores[k],
            threads=threads,
        )

    def slope(self, gradient: Float, threads: int) -> Count:
        """Of the loss by a factor of all scores, as limbs (sums.py). `gradient`, of the loss at the scores, is
        overwritten."""
        gradient *= self.scores
        return sum_limbs(gradient.reshape(-1), threads)
