"""The rows of a round, held by this process.   In: binned rows, their target and the sum of the trees so far.
Out: a tree of each output, added to the sum.

    gradients of the loss --grow--> GrownTree --refit where the loss says so--> values --add--> sum
"""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.gradient.bins import Allocate, Binned
from hedgerow.gradient.grown import GrownTree
from hedgerow.gradient.left_out import LeftOut, OwnPart
from hedgerow.gradient.loss import Loss
from hedgerow.gradient.params import BoostParams
from hedgerow.gradient.penalties import Penalties
from hedgerow.gradient.sums import round_limbs
from hedgerow.table.split import draw_keys
from hedgerow.types import Byte, Float, UIndex

SMALLER = "A smaller learning_rate, or targets of a smaller size, may help."


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
    penalties: Penalties | None
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
        grown = self._grow_tree(k, params, used, seed)
        value = _leaf_values(grown, self.y, self.raw[k], self.weight, self.loss) * params.learning_rate
        if not np.isfinite(value).all():
            raise ValueError(_no_value(value, self.number, self.loss))
        if params.own_part:
            self._leave_out(k, grown, value, params.own_part)
        _add(self.binned, grown, value, self.raw[k], self.drawn, params.threads)
        return grown, value

    def _grow_tree(self, k: int, params: BoostParams, used: Byte | None, seed: int) -> GrownTree:
        binned, sparse = self.binned, self.binned.sparse
        d = len(binned.n_bins)
        try:
            grown = native.gradient_grow(
                codes=binned.codes,
                grouped=binned.grouped,
                others=None if sparse is None else sparse.others,
                entries=None if sparse is None else sparse.entries,
                n_bins=binned.n_bins,
                has_missing=binned.has_missing,
                categorical=binned.categorical,
                monotone=params.directions(d),
                gradient=self.gradient[k],
                hessian=self.hessian[k],
                rows=self.drawn,
                used_columns=used,
                interactions=params.interactions,
                max_leaves=params.max_leaves,
                max_depth=params.max_depth,
                level_by_level=params.level_by_level,
                **params.split_rules,
                max_features=params.columns_at_node(d),
                seed=seed,
                block_rows=params.block_rows,
                spare=self.spare,
                threads=params.threads,
            )
        except ValueError as reason:
            raise ValueError(_unsound(self.gradient[k], self.hessian[k], self.number, self.loss)) from reason
        return GrownTree(*grown)

    def _leave_out(self, k: int, grown: GrownTree, value: Float, part: OwnPart) -> None:
        if self.left_out is None:  # k is 0
            self.left_out = LeftOut(self.raw, self.weight, self.allocate)
        threads = self.params.threads
        by_leaf = grown if self.drawn is None else sort_by_leaf(self.binned, grown, threads)
        self.left_out.add(k, by_leaf, value, self.gradient[k], self.hessian[k], part, threads)


def draw_rows(n_rows: int, share: float, seed: int) -> UIndex:
    """Each row by its position in the whole table, so that rows may lie anywhere; all, if none is drawn."""
    position = np.arange(n_rows)
    drawn = np.flatnonzero(draw_keys(position, seed) < share)
    return (drawn if len(drawn) else position).astype(np.uint32)


def _unsound(gradient: Float, hessian: Float, number: int, loss: Loss) -> str:
    bad = ~np.isfinite(gradient) | ~np.isfinite(hessian) | (hessian < 0)
    row = int(np.argmax(bad))
    return (
        f"loss={_name_of(loss)!r} gave a gradient of {gradient[row]} and a hessian of {hessian[row]} in round "
        f"{number + 1} ({int(bad.sum())} rows of {len(bad)}; the first in row {row}). Expected: finite gradients, and "
        f"finite hessians of 0 or more. {SMALLER}"
    )


def _no_value(value: Float, number: int, loss: Loss) -> str:
    bad = value[~np.isfinite(value)][0]
    where = f"a leaf the value {bad} in round {number + 1}"
    return f"loss={_name_of(loss)!r} gave {where}. Expected: a finite value. {SMALLER}"


def _name_of(loss: Loss) -> Any:
    return getattr(loss, "given", type(loss).__module__.rpartition(".")[2])


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
        others=None if binned.sparse is None else binned.sparse.others,
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
