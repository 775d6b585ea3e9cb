"""Boosting.   In: binned rows, a target, a loss.   Out: GradientTrees.

A round: gradients of the loss at the sum so far, a tree for each output grown on them, its leaf values (refitted where
the loss says so) times the learning rate added to the sum. `watch` is called after each round and may end it.

The rounds are the same wherever the rows are held: here (held_rows.py), or on a cluster (dask/boosting/fit.py).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from hedgerow.gradient.bins import Allocate, Binned
from hedgerow.gradient.grown import GrownTree, TreesBuilder
from hedgerow.gradient.held_rows import HeldRows
from hedgerow.gradient.left_out import count_times
from hedgerow.gradient.loss import Loss
from hedgerow.gradient.params import BoostParams
from hedgerow.gradient.penalties import Penalties
from hedgerow.gradient.sums import round_limbs
from hedgerow.gradient.trees import GradientTrees
from hedgerow.types import Byte, Float


@dataclass(eq=False)
class Progress:
    """Where boosting stands after a round."""

    round: int  # rounds done, those of earlier fits included
    raw: Float  # outputs x rows, of the training rows
    builder: TreesBuilder
    n_outputs: int
    stop: bool = field(default=False)

    def last_round(self) -> GradientTrees:
        """The trees of this round."""
        return self.builder.finish(since=len(self.builder._parts) - self.n_outputs)


Watch = Callable[[Progress], bool]  # true: stop


def boost(
    binned: Binned,
    y: Float,
    weight: Float | None,
    loss: Loss,
    params: BoostParams,
    rng: np.random.Generator,
    *,
    earlier: GradientTrees | None = None,
    raw: Float | None = None,
    watches: Sequence[Watch] = (),
    begin: Callable[[Float, TreesBuilder], None] | None = None,
    allocate: Allocate = np.empty,
) -> GradientTrees:
    """`earlier`, `raw`: rounds to go on from, and the training rows' sums in them (outputs x rows). `begin` is called
    with the sums before the first round, each of `watches` after every round."""
    start = loss.start(y, weight)  # in any case: what a loss finds there it may need in every round
    baseline = start if earlier is None else earlier.baseline
    shape = (len(baseline), binned.n_rows)
    if raw is None:
        raw = allocate(shape, np.float64)
        raw[:] = baseline[:, None]
    builder = TreesBuilder(binned, baseline, earlier)
    gradient, hessian = allocate(shape, np.float64), allocate(shape, np.float64)
    if begin is not None:
        begin(raw, builder)
    penalties = None
    if loss.hessians_vanish:
        penalties = Penalties(params, weight, len(baseline), binned.n_rows, count_times(binned))
        if earlier is not None:  # else the first round begins there
            raw_at_start = np.repeat(baseline[:, None], len(y), axis=1)
            loss.weighted_gradients(y, raw_at_start, weight, gradient, hessian, params.threads)
            penalties.ease(round_limbs(penalties.sum_of_squares(gradient)), None)
    rows = HeldRows(binned, y, weight, loss, params, raw, gradient, hessian, penalties, allocate)

    def call_watches(number: int) -> bool:
        progress = Progress(number, rows.raw, builder, len(rows.raw))
        stops = [watch(progress) for watch in watches]  # all are called
        return any(stops)

    return run_rounds(
        rows, builder, params, rng, penalties, call_watches, first=0 if earlier is None else earlier.n_rounds
    )


class BoostRows(Protocol):
    """The training rows, wherever they are held, with the sum of the trees so far."""

    def begin_round(self, number: int, seed: int | None) -> None:
        """`seed`: by which rows are drawn; None: all."""

    def squared_gradients(self) -> float:
        """Of all outputs."""

    def slope(self) -> float | None:
        """Of the loss by a factor of all scores without a row's own part; None: there are none yet."""

    def grow(self, k: int, params: BoostParams, used: Byte | None, seed: int) -> tuple[GrownTree, Float]:
        """The tree of output k and the values of its nodes, which are added to the sum. `used`: columns that may be
        looked at; `seed`: of those drawn at a node."""


def run_rounds(
    rows: BoostRows,
    builder: TreesBuilder,
    params: BoostParams,
    rng: np.random.Generator,
    penalties: Penalties | None,
    watch: Callable[[int], bool],
    *,
    first: int = 0,
) -> GradientTrees:
    """`penalties`: where they ease. `watch` is called with the number of rounds done."""
    d = len(builder.binned.n_bins)
    if params.monotone is not None and len(builder.baseline) > 1:
        raise ValueError(
            f"monotonic_cst needs two classes, but y has {len(builder.baseline)}: the probability of a class need not "
            "rise with its score. Leave it out, or join classes."
        )
    for number in range(first, params.max_iter):
        rows.begin_round(number, int(rng.integers(2**63)) if params.subsample < 1.0 else None)
        eased = params if penalties is None else penalties.ease(rows.squared_gradients(), rows.slope())
        for k in range(len(builder.baseline)):
            used = draw_columns(d, params.tree_features, rng)
            seed = int(rng.integers(2**63)) if params.node_features < 1.0 else 0
            builder.add(*rows.grow(k, eased, used, seed))
        if watch(number + 1):
            break
    return builder.finish()


def draw_columns(d: int, share: float, rng: np.random.Generator) -> Byte | None:
    if share >= 1.0:
        return None
    used = np.zeros(d, np.uint8)
    used[rng.permutation(d)[: max(1, round(share * d))]] = 1
    return used
