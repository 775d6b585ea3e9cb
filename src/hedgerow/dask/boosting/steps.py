"""Sums over the rows of all shards, as the rounds of boosting and the grower ask for them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from hedgerow.dask.boosting.shard import Plan, Shard, Way
from hedgerow.dask.boosting.wide import Units
from hedgerow.dask.steps import Steps, own_threads, run_shard
from hedgerow.gradient.grown import GrownTree
from hedgerow.gradient.left_out import OwnPart
from hedgerow.gradient.search import Search
from hedgerow.types import Byte, Count, Float


class BoostSteps(Steps):
    def __init__(self, client: Any, shards: list[Any], plan: Plan) -> None:
        super().__init__(client, shards, plan)
        self.trees: list[tuple[GrownTree, Float, OwnPart | None]] = []
        self.n_numbers = 1  # of nodes

    def way(self, whole: bool) -> Way:
        first = 0 if whole else max(0, len(self.trees) - 1)
        return Way(first, tuple(self.trees[first:]), tuple(self.steps))

    def add_tree(self, grown: GrownTree, value: Float, part: OwnPart | None) -> None:
        self.trees.append((grown, value, part))
        self.steps, self.n_numbers = [], 1

    def step(self, *step: Any) -> Any:
        self.steps.append(step)
        return self.ask(run_shard, _ADD[step[0]])

    def score(self) -> Count:
        return np.asarray(self.ask(score_shard, _add_arrays))

    def root(self, units: Units, of_leaves: Units | None) -> tuple[int, int, Count]:
        total, n_rows, cells = self.step("root", units, of_leaves)
        return total, n_rows, cells

    def part(self, splits: list[tuple[int, int, Byte, int]]) -> list[tuple[int, Count]]:
        first = self.n_numbers
        self.n_numbers += 2 * len(splits)
        found: list[tuple[int, Count]] = self.step("part", splits, first)
        return found

    def count(self, nodes: list[int]) -> list[Count]:
        found: list[Count] = self.step("count", nodes)
        return found

    def sum_leaves(self, nodes: list[int]) -> tuple[Count, Count]:
        found = self.step("sum_leaves", nodes)
        return found[0], found[1]

    def search_leaves(self, nodes: list[int], search: Search) -> Float:
        """The number that the search finds in the rows of each node."""
        value = np.empty(len(nodes))
        open_: dict[int, Search] = dict.fromkeys(range(len(nodes)), search)
        while open_:
            found = self.step("search_leaves", [(nodes[k], own) for k, own in open_.items()])
            following = {
                k: own.follow(sums) for (k, own), (_, sums) in zip(open_.items(), found, strict=True)
            }
            open_ = {}
            for k, own in following.items():
                if isinstance(own, float):
                    value[k] = own
                else:
                    open_[k] = own
        return value


def score_shard(shard: Shard, plan: Plan, way: Way, threads: int | None = None) -> Any:
    return shard.score(plan, way, threads or own_threads())


def _add_extents(a: Any, b: Any) -> Any:
    (g, h, least, sound), squares, n, slope = a
    (g2, h2, least2, sound2), squares2, n2, slope2 = b
    extent = (max(g, g2), max(h, h2), min(least, least2), sound and sound2)
    return extent, squares + squares2, n + n2, None if slope is None else slope + slope2


def _add_pairs(a: Any, b: Any) -> Any:
    return tuple(x + y for x, y in zip(a, b, strict=True))


def _add_parts(a: Any, b: Any) -> Any:
    return [_add_pairs(x, y) for x, y in zip(a, b, strict=True)]


def _add_lists(a: Any, b: Any) -> Any:
    return [x + y for x, y in zip(a, b, strict=True)]


def _add_searches(a: Any, b: Any) -> Any:
    return [(search, search.add(x, y)) for (search, x), (_, y) in zip(a, b, strict=True)]


def _add_arrays(a: Any, b: Any) -> Any:
    return a + b


_ADD: dict[str, Callable[..., Any]] = {
    "extent": _add_extents,
    "coarse": _add_pairs,
    "root": _add_pairs,
    "part": _add_parts,
    "count": _add_lists,
    "sum_leaves": _add_arrays,
    "search_leaves": _add_searches,
}
