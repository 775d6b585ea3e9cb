"""Shard: the rows of one worker, and what a fit knows of them.   In: what to do, step by step.   Out: sums.

A step says the whole way to itself: the trees so far and the steps of the tree that grows. A shard that has done them
already does only what is new; one that was just made anew, because its worker is gone, does all of it. So no step has
to know what happened to a worker, and the answer is the same.
"""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.dask.boosting.wide import Units, cut_blocks, split_words
from hedgerow.dask.steps import LOST
from hedgerow.gradient import BoostParams, Loss
from hedgerow.gradient.bins import Binned
from hedgerow.gradient.grown import GrownTree, TreesBuilder
from hedgerow.gradient.held_rows import add_by_codes, sort_by_leaf
from hedgerow.gradient.left_out import LeftOut, OwnPart
from hedgerow.gradient.penalties import Penalties
from hedgerow.gradient.search import Search
from hedgerow.table.split import draw_keys
from hedgerow.types import Byte, Count, Float, UIndex

BYTES_PER_CELL, BYTES_PER_ROW = 2, 56  # of a shard


@dataclass(frozen=True, eq=False)
class Plan:
    """What all shards of a fit share."""

    loss: Loss
    params: BoostParams
    baseline: Float


@dataclass(frozen=True, eq=False)
class Way:
    """The way to a step: trees from number `first` on, the steps of the tree after them."""

    first: int
    trees: tuple[tuple[GrownTree, Float, OwnPart | None], ...]
    steps: tuple[tuple[Any, ...], ...] = ()

    @property
    def n_trees(self) -> int:
        return self.first + len(self.trees)


@dataclass(eq=False)
class Shard:
    binned: Binned
    target: Float
    weight: Float | None
    position: Count  # of each row among all that train
    rows: Float  # held out, as trees read them
    rows_target: Float
    rows_weight: Float | None
    state: "State | None" = field(default=None)
    lock: Any = field(default_factory=Lock)  # a step that was given up may still run when the next begins

    def __sizeof__(self) -> int:
        """Dask runs a task where most of its bytes are."""
        return int(self.binned.codes.nbytes + self.binned.grouped.nbytes + BYTES_PER_ROW * len(self.target))

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"state": None, "lock": None}  # whoever gets a copy makes its own

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"lock": Lock()})

    def run(self, plan: Plan, way: Way, threads: int) -> Any:
        """The answer of the last step."""
        with self.lock:
            if self.state is None or self.state.n_trees < way.first:
                if way.first > 0:
                    return LOST
                self.state = State(self, plan, threads)
            self.state.follow(way)
            return self.state.answer

    def score(self, plan: Plan, way: Way, threads: int) -> Any:
        """Limbs of the loss of the rows that train, and of those held out."""
        if isinstance(self.run(plan, way, threads), str):
            return LOST
        assert self.state is not None
        own = plan.loss.loss_limbs(self.target, self.state.raw, self.weight)
        held = plan.loss.loss_limbs(
            self.rows_target, np.ascontiguousarray(self.state.raw_held.T), self.rows_weight
        )
        return np.stack([own, held])


class State:
    def __init__(self, shard: Shard, plan: Plan, threads: int) -> None:
        self.shard, self.plan, self.threads = shard, plan, threads
        self.raw = np.repeat(plan.baseline[:, None], len(shard.target), axis=1)
        self.gradient, self.hessian = np.empty_like(self.raw), np.empty_like(self.raw)
        self.raw_held = np.tile(plan.baseline, (len(shard.rows), 1))
        self.builder = TreesBuilder(shard.binned, plan.baseline)
        self.penalties = Penalties(plan.params, shard.weight, len(plan.baseline), len(shard.target))
        self.left_out: LeftOut | None = None
        self.slope: Count | None = None  # of its scores, as limbs
        self.n_trees, self.n_steps, self.answer = 0, 0, None
        self._find_gradients()

    @property
    def k(self) -> int:
        return self.n_trees % len(self.raw)

    def follow(self, way: Way) -> None:
        outputs = len(self.raw)
        for grown, value, part in way.trees[self.n_trees - way.first :]:
            self._add(grown, value, part)
            self.n_trees, self.n_steps, self.answer = self.n_trees + 1, 0, None
            if self.n_trees % outputs == 0:
                self._end_round()
        for step in way.steps[self.n_steps :]:
            self.answer = getattr(self, step[0])(*step[1:])
            self.n_steps += 1

    def _find_gradients(self) -> None:
        if self.left_out is not None:
            self._find_gradients_at(self.left_out.scores)
            self.slope = self.left_out.slope(self.gradient, self.threads)
        self._find_gradients_at(self.raw)

    def _find_gradients_at(self, scores: Float) -> None:
        own, plan = self.shard, self.plan
        plan.loss.weighted_gradients(
            own.target, scores, own.weight, self.gradient, self.hessian, self.threads
        )

    def _add(self, grown: GrownTree, value: Float, part: OwnPart | None) -> None:
        k, binned = self.k, self.shard.binned
        if part and self.left_out is None:  # k is 0
            self.left_out = LeftOut(self.raw, self.shard.weight)
        if binned.n_rows:
            if part and self.left_out is not None:
                by_leaf = sort_by_leaf(binned, grown, self.threads)
                self.left_out.add(k, by_leaf, value, self.gradient[k], self.hessian[k], part, self.threads)
            add_by_codes(binned, grown, value, self.raw[k], self.threads)
        self.builder.add(grown, value)

    def _end_round(self) -> None:
        if len(self.raw_held):
            last = self.builder.finish(since=self.n_trees - len(self.raw))
            last.add_to(self.raw_held, self.shard.rows, self.threads)
        self._find_gradients()

    # The steps of a tree, in their order.

    def extent(self, seed: int | None) -> Any:
        """What the units follow from, the squared gradients of all outputs, the number of rows drawn, and the slope of
        scores without a row's own part."""
        drawn = np.arange(len(self.shard.target))
        if seed is not None:
            drawn = np.flatnonzero(draw_keys(self.shard.position, seed) < self.plan.params.subsample)
        self.drawn: UIndex = drawn.astype(np.uint32)
        found = native.gradient_extent(self.gradient[self.k], self.hessian[self.k], self.drawn, self.threads)
        return found, self.penalties.sum_of_squares(self.gradient), len(drawn), self.slope

    def coarse(self, extent: Any) -> Any:
        return native.gradient_coarse_sums(
            self.gradient[self.k], self.hessian[self.k], self.drawn, extent, self.threads
        )

    def root(self, units: Units, of_leaves: Units | None) -> Any:
        self.units, self.of_leaves = units, of_leaves
        self.words = native.gradient_words(
            self.gradient[self.k], self.hessian[self.k], self.drawn, units, self.threads
        )
        self.rows = self.drawn.copy()
        self.span = {0: (0, len(self.rows))}
        total = int(self.words[self.rows].sum()) if of_leaves is None else 0
        return total, len(self.rows), self._sum(0)

    def _sum(self, node: int) -> Count:
        """Its words by code; as two rows (wide.py), where sums of words have no room."""
        if self.of_leaves is None:
            return self._histogram(node, self.words)
        begin, end = self.span[node]
        blocks = cut_blocks(self.words, self.rows[begin:end])
        return np.asarray(sum(split_words(self._add_up(self.words, block)) for block in blocks))

    def _histogram(self, node: int, words: Count) -> Count:
        begin, end = self.span[node]
        return self._add_up(words, self.rows[begin:end])

    def _add_up(self, words: Count, rows: UIndex) -> Count:
        own = self.shard.binned
        return native.gradient_histogram(
            own.codes, own.grouped, own.n_bins, own.has_missing, words, rows, self.threads
        )

    def part(self, splits: list[tuple[int, int, Byte, int]], first: int) -> Any:
        """`first`: the number of the first child; children are numbered on from it."""
        out = []
        for k, (node, column, goes_left, which) in enumerate(splits):
            begin, end = self.span[node]
            codes = self.shard.binned.codes[column]
            n_left = native.gradient_part(codes, goes_left, self.rows[begin:end], self.threads)
            left = first + 2 * k
            self.span[left], self.span[left + 1] = (begin, begin + n_left), (begin + n_left, end)
            out.append((n_left, self._sum(left + which)))
        return out

    def count(self, nodes: list[int]) -> Any:
        ones = np.ones(len(self.words), np.int64)
        return [self._histogram(node, ones) for node in nodes]

    def sum_leaves(self, nodes: list[int]) -> Any:
        begin = np.array([self.span[node][0] for node in nodes], np.int64)
        end = np.array([self.span[node][1] for node in nodes], np.int64)
        found = native.gradient_leaf_sums(
            self.gradient[self.k],
            self.hessian[self.k],
            self.rows,
            begin,
            end - begin,
            self.of_leaves or self.units,
            self.threads,
        )
        return np.stack(found)

    def search_leaves(self, searches: list[tuple[int, Search]]) -> Any:
        """What the rows of each node answer to its search."""
        own, out = self.shard, []
        for node, search in searches:
            begin, end = self.span[node]
            at = self.rows[begin:end]
            lack = own.target[at] - self.raw[self.k][at]
            out.append((search, search.look(lack, None if own.weight is None else own.weight[at])))
        return out
