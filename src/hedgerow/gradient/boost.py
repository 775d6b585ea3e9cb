"""Boosting.   In: binned rows, a target, a loss.   Out: GradientTrees.

A round: gradients of the loss at the sum so far, a tree for each output grown on them, its leaf values (refitted where
the loss says so) times the learning rate added to the sum. `watch` is called after each round and may end it.

The rounds are the same wherever the rows are held: here (HeldRows), or on a cluster (dask/boosting/fit.py).

Penalties on leaf values ease where rows follow a rule: a row that is fitted has no hessian left in a log loss, so
that a fixed penalty would outweigh all rows of a leaf (docs/decisions/0020-penalties-that-ease.md).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.bins import Allocate, Binned
from hedgerow.gradient.left_out import LeftOut, OwnPart, count_times
from hedgerow.gradient.loss import Loss
from hedgerow.gradient.sums import round_limbs
from hedgerow.gradient.trees import GradientTrees, GrownTree, TreesBuilder
from hedgerow.table.split import draw_keys
from hedgerow.types import Byte, Count, Float, SmallInt, UIndex

ALL_ROWS = 1 << 40  # rows in one block
SPLIT_RULES = (
    "min_rows",
    "min_hessian",
    "min_gain",
    "l1",
    "l2",
    "category_smoothing",
    "category_l2",
    "category_cost",
    "few_levels",
    "min_level_rows",
)


@dataclass(frozen=True)
class Easing:
    below: float  # of the squared gradients that there were before the first round
    least_hessian: float  # of a leaf, times l2
    guarded_step: float  # by which the learning rate is multiplied where rows are exceptions


# Of several outputs that of a row's class rises while the others fall: a fitted row goes twice as far in a round.
ONE_OUTPUT = Easing(below=0.01, least_hessian=0.0, guarded_step=1.0)
SEVERAL_OUTPUTS = Easing(below=0.03, least_hessian=0.02, guarded_step=0.5)
LEFT_OUT_BELOW = 0.3  # of the squared gradients: scores without the row's own part are kept from there on
GUARDED_HESSIAN = 0.5  # of a leaf, times l2, where rows are exceptions
GUARDED_ROWS = 5


@dataclass(frozen=True)
class BoostParams:
    max_iter: int = 100
    learning_rate: float = 0.1
    max_leaves: int = 31  # 0: no limit
    max_depth: int = 0  # 0: no limit
    level_by_level: bool = False
    min_rows: int = 20
    min_hessian: float = 1e-3
    min_gain: float = 0.0
    l1: float = 0.0
    l2: float = 0.0
    subsample: float = 1.0  # share of the rows, about, drawn for each round
    tree_features: float = 1.0  # share of the columns, drawn for each tree
    node_features: float = 1.0  # share of the columns, drawn at each node
    monotone: SmallInt | None = None
    interactions: tuple[tuple[int, ...], ...] = ()
    category_smoothing: float = 10.0
    category_l2: float = 5.0  # besides l2, where a category has more than few_levels
    category_cost: float = (
        0.25  # by which a set must gain more for each level but one (native/gradient/choose.hpp)
    )
    few_levels: int = 4
    min_level_rows: float = 10.0  # a level with fewer stays with the rest
    times_left_out: float = 0.0  # a row, in scores without its own part; 0: there are none
    block_rows: int = ALL_ROWS
    threads: int = 1

    def directions(self, d: int) -> SmallInt:
        """Of each of d columns: 1 rising, -1 falling, 0 free."""
        return np.zeros(d, np.int8) if self.monotone is None else self.monotone

    def columns_at_node(self, d: int) -> int:
        """How many of d columns are drawn at each node; 0: none are drawn, all are looked at."""
        return max(1, round(self.node_features * d)) if self.node_features < 1.0 else 0

    @property
    def own_part(self) -> OwnPart | None:
        return OwnPart(self.l2, self.learning_rate, self.times_left_out) if self.times_left_out else None

    @property
    def split_rules(self) -> dict[str, Any]:
        """What the choice of a split goes by, wherever it is made."""
        return {name: getattr(self, name) for name in SPLIT_RULES}


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
    baseline = loss.start(y, weight) if earlier is None else earlier.baseline
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
        penalties = Penalties(params, weight, len(baseline), count_times(binned))
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
    penalties: "Penalties | None",
    watch: Callable[[int], bool],
    *,
    first: int = 0,
) -> GradientTrees:
    """`penalties`: where they ease. `watch` is called with the number of rounds done."""
    d = len(builder.binned.n_bins)
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


@dataclass(eq=False)
class HeldRows:
    """Rows in memory, or in files that are mapped into it."""

    binned: Binned
    y: Float
    weight: Float | None
    loss: Loss
    params: BoostParams
    raw: Float  # outputs x rows
    gradient: Float
    hessian: Float
    penalties: "Penalties | None"
    allocate: Allocate
    number: int = 0
    drawn: UIndex | None = None
    left_out: LeftOut | None = None
    left_out_slope: float | None = None
    spare: native.GradientSpareMemory = field(default_factory=native.GradientSpareMemory)

    def begin_round(self, number: int, seed: int | None) -> None:
        if self.left_out is not None:
            self._find_gradients(self.left_out.scores)
            self.left_out_slope = round_limbs(self.left_out.slope(self.gradient, self.params.threads))
        self._find_gradients(self.raw)
        self.number = number
        self.drawn = None if seed is None else draw_rows(self.binned.n_rows, self.params.subsample, seed)

    def _find_gradients(self, scores: Float) -> None:
        self.loss.weighted_gradients(
            self.y, scores, self.weight, self.gradient, self.hessian, self.params.threads
        )

    def slope(self) -> float | None:
        return self.left_out_slope

    def squared_gradients(self) -> float:
        assert self.penalties is not None
        return round_limbs(self.penalties.sum_of_squares(self.gradient))

    def grow(self, k: int, params: BoostParams, used: Byte | None, seed: int) -> tuple[GrownTree, Float]:
        grown = _grow(
            self.binned,
            self.gradient[k],
            self.hessian[k],
            self.drawn,
            params,
            used,
            seed,
            self.number,
            self.loss,
            self.spare,
        )
        value = _leaf_values(grown, self.y, self.raw[k], self.weight, self.loss) * params.learning_rate
        if params.own_part:
            self._leave_out(k, grown, value, params.own_part)
        _add(self.binned, grown, value, self.raw[k], self.drawn, params.threads)
        return grown, value

    def _leave_out(self, k: int, grown: GrownTree, value: Float, part: OwnPart) -> None:
        if self.left_out is None:  # k is 0
            self.left_out = LeftOut(self.raw, self.weight, self.allocate)
        threads = self.params.threads
        by_leaf = grown if self.drawn is None else sort_by_leaf(self.binned, grown, threads)
        self.left_out.add(k, by_leaf, value, self.gradient[k], self.hessian[k], part, threads)


class Penalties:
    """The penalties of a round. Let s be the squared gradients of all outputs by those before the first round. Where s
    is below `Easing.below` and scores without the row's own part (left_out.py) would have less loss if they were
    larger, rows follow a rule: penalties are multiplied by (s / below)^2. If they would have more, rows are exceptions,
    and what guards a leaf is its hessian. A weight of two counts as two rows."""

    def __init__(
        self, params: BoostParams, weight: Float | None, n_outputs: int, times_left_out: float = 0.0
    ) -> None:
        self.params = params
        self.easing = ONE_OUTPUT if n_outputs == 1 else SEVERAL_OUTPUTS
        self.times_left_out = times_left_out
        self.by_root = None
        if weight is not None:  # gradients are multiplied by the weight, their squares should be once
            self.by_root = np.divide(1.0, np.sqrt(weight), out=np.zeros_like(weight), where=weight > 0)
        self.at_start: float | None = None

    def ease(self, left: float, slope: float | None) -> BoostParams:
        """`left`: squared gradients; the first call says what there is at the start. `slope`: of the loss by a factor
        of the scores without the row's own part; None: there are none yet."""
        if self.at_start is None:
            self.at_start = left
        if left < LEFT_OUT_BELOW * self.at_start:  # from now on
            self.params = replace(self.params, times_left_out=self.times_left_out)
        limit = self.easing.below * self.at_start
        if not left < limit:
            return self.params
        if slope is not None and slope >= 0.0:
            return self._guard()
        share = (left / limit) ** 2
        return replace(
            self.params,
            min_hessian=max(self.params.min_hessian, self.easing.least_hessian * self.params.l2),
            l2=self.params.l2 * share,
            category_l2=self.params.category_l2 * share,
            category_smoothing=self.params.category_smoothing * share,
        )

    def _guard(self) -> BoostParams:
        return replace(
            self.params,
            min_hessian=max(self.params.min_hessian, GUARDED_HESSIAN * self.params.l2),
            min_rows=min(self.params.min_rows, GUARDED_ROWS),
            learning_rate=self.params.learning_rate * self.easing.guarded_step,
        )

    def sum_of_squares(self, gradient: Float) -> Count:
        """Of some rows, as limbs (sums.py)."""
        own = gradient if self.by_root is None else gradient * self.by_root
        return native.sum_of_squares(own.reshape(-1), self.params.threads)


def draw_rows(n_rows: int, share: float, seed: int) -> UIndex:
    """Each row by its position in the whole table, so that rows may lie anywhere; all, if none is drawn."""
    position = np.arange(n_rows)
    drawn = np.flatnonzero(draw_keys(position, seed) < share)
    return (drawn if len(drawn) else position).astype(np.uint32)


def draw_columns(d: int, share: float, rng: np.random.Generator) -> Byte | None:
    if share >= 1.0:
        return None
    used = np.zeros(d, np.uint8)
    used[rng.permutation(d)[: max(1, round(share * d))]] = 1
    return used


def _grow(
    binned: Binned,
    gradient: Float,
    hessian: Float,
    rows: UIndex | None,
    params: BoostParams,
    used: Byte | None,
    seed: int,
    number: int,
    loss: Loss,
    spare: native.GradientSpareMemory,
) -> GrownTree:
    d = len(binned.n_bins)
    sparse = binned.sparse
    try:
        grown = native.gradient_grow(
            codes=binned.codes,
            grouped=binned.grouped,
            usual=None if sparse is None else sparse.usual,
            entry_start=None if sparse is None else sparse.entry_start,
            entries=None if sparse is None else sparse.entries,
            n_bins=binned.n_bins,
            has_missing=binned.has_missing,
            categorical=binned.categorical,
            monotone=params.directions(d),
            gradient=gradient,
            hessian=hessian,
            rows=rows,
            used_columns=used,
            interactions=params.interactions,
            max_leaves=params.max_leaves,
            max_depth=params.max_depth,
            level_by_level=params.level_by_level,
            **params.split_rules,
            max_features=params.columns_at_node(d),
            seed=seed,
            block_rows=params.block_rows,
            spare=spare,
            threads=params.threads,
        )
    except ValueError as reason:
        raise ValueError(_unsound(gradient, hessian, number, loss)) from reason
    return GrownTree(*grown)


def _unsound(gradient: Float, hessian: Float, number: int, loss: Loss) -> str:
    bad = ~np.isfinite(gradient) | ~np.isfinite(hessian) | (hessian < 0)
    row = int(np.argmax(bad))
    name = getattr(loss, "given", type(loss).__module__.rpartition(".")[2])
    return (
        f"loss={name!r} gave a gradient of {gradient[row]} and a hessian of {hessian[row]} in round {number + 1} "
        f"({int(bad.sum())} rows of {len(bad)}; the first in row {row}). Expected: finite gradients, and finite "
        "hessians of 0 or more. A smaller learning_rate, or targets of a smaller size, may help."
    )


def _leaf_values(grown: GrownTree, y: Float, raw: Float, weight: Float | None, loss: Loss) -> Float:
    if not loss.refits_leaves:
        return grown.value
    value = grown.value.copy()
    for t in range(len(value)):
        at = grown.rows[grown.begin[t] : grown.begin[t] + grown.n_rows[t]]
        value[t] = loss.leaf_value(y[at], raw[at], None if weight is None else weight[at])
    return np.clip(value, grown.low, grown.high)


def _add(
    binned: Binned, grown: GrownTree, value: Float, raw: Float, rows: UIndex | None, threads: int
) -> None:
    if rows is None:
        leaf = grown.first_child < 0
        native.gradient_add_leaves(
            grown.rows, grown.begin[leaf], grown.n_rows[leaf], value[leaf], raw, threads
        )
        return
    add_by_codes(binned, grown, value, raw, threads)  # rows that were not drawn walk down too


def sort_by_leaf(binned: Binned, grown: GrownTree, threads: int) -> GrownTree:
    """With all rows, those that were not drawn too."""
    node = np.zeros(binned.n_rows)
    add_by_codes(binned, grown, np.arange(len(grown.value), dtype=np.float64), node, threads)
    n_rows = np.bincount(node.astype(np.int64), minlength=len(grown.value))
    rows = np.argsort(node, kind="stable").astype(np.uint32)
    return replace(grown, rows=rows, n_rows=n_rows, begin=np.cumsum(n_rows) - n_rows)


def add_by_codes(binned: Binned, grown: GrownTree, value: Float, raw: Float, threads: int) -> None:
    """The values of a tree, added to raw of all rows: each walks down by its codes."""
    native.gradient_add_by_codes(
        codes=binned.codes,
        n_bins=binned.n_bins,
        has_missing=binned.has_missing,
        is_category=binned.categorical,
        column=grown.column,
        bin=grown.bin,
        first_child=grown.first_child,
        categorical=grown.categorical,
        missing_left=grown.missing_left,
        levels=grown.levels,
        value=value,
        scores=raw,
        threads=threads,
    )
