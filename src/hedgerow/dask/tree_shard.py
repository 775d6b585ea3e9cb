"""TreeShard: the rows of one worker as trees of classes read them.   In: which trees, and their splits, step by step.
Out: counts by code and class, which add up over all workers.

As in shard.py a step comes with the whole way to it. Trees do not depend on each other, so that the way begins with
those that grow now, and a shard that was made anew draws its rows again and follows.
"""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.ensemble.draws import How
from hedgerow.types import Codes, Count, Float, Index, Mask, UIndex

Answer = tuple[
    Count, Count
]  # of a node: the weight of each class and its rows; the same by code of some columns


@dataclass(frozen=True)
class TreePlan:
    """What all shards of a fit share: how rows are drawn (ensemble/draws.py)."""

    n_classes: int
    how: How
    n_order: int  # rows that may be drawn
    size: int
    line_end: float
    seed: int


@dataclass(frozen=True)
class TreeWay:
    trees: tuple[int, ...]
    steps: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, eq=False)
class Places:
    """Where rows stand among all that may be drawn."""

    row: Count  # by place, ascending
    place: Count
    begin: Float  # the stretch of each; empty: all of length one
    end: Float


@dataclass(eq=False)
class TreeShard:
    codes: tuple[Codes, ...]
    n_codes: Count
    classes: Index
    count: (
        UIndex | None
    )  # of each row, where its weight goes along with the draws; zero: the row is not there
    places: Places | None  # None: all rows are drawn
    state: "TreeState | None" = field(default=None)
    lock: Any = field(default_factory=Lock)

    def __sizeof__(self) -> int:
        """Dask runs a task where most of its bytes are."""
        return sum(own.nbytes for own in self.codes) + 16 * len(self.classes)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"state": None, "lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state | {"lock": Lock()})

    def run(self, plan: TreePlan, way: TreeWay, threads: int) -> Any:
        """The answer of the last step."""
        with self.lock:
            return self._follow(plan, way).answer

    def take(self, plan: TreePlan, way: TreeWay, nodes: list[int]) -> "list[NodeRows]":
        """The rows of some nodes, to be grown elsewhere."""
        with self.lock:
            return [self._follow(plan, way).take(node) for node in nodes]

    def _follow(self, plan: TreePlan, way: TreeWay) -> "TreeState":
        if self.state is None or self.state.trees != way.trees or self.state.n_steps > len(way.steps):
            self.state = TreeState(self, plan, way.trees)
        self.state.follow(way)
        return self.state


@dataclass(frozen=True, eq=False)
class NodeRows:
    codes: list[Codes]
    classes: Index
    counts: UIndex

    def __sizeof__(self) -> int:
        return sum(own.nbytes for own in self.codes) + 8 * len(self.classes)


class TreeState:
    def __init__(self, shard: TreeShard, plan: TreePlan, trees: tuple[int, ...]) -> None:
        self.shard, self.plan, self.trees = shard, plan, trees
        self.counts = [self._draw(tree) for tree in trees]
        # By node, its tree and its rows; the first are the roots.
        self.nodes = {k: (k, np.flatnonzero(own).astype(np.uint32)) for k, own in enumerate(self.counts)}
        self.n_steps, self.answer = 0, None

    def _draw(self, tree: int) -> UIndex:
        own, plan = self.shard, self.plan
        if own.places is None:
            return np.ones(len(own.classes), np.uint32) if own.count is None else own.count
        drawn = native.draw_counts_of_places(
            plan.how,
            plan.n_order,
            plan.size,
            plan.seed,
            tree,
            own.places.place,
            own.places.begin,
            own.places.end,
            plan.line_end,
        )
        counts = np.zeros(len(own.classes), np.uint32)
        counts[own.places.row] = drawn
        return counts if own.count is None else counts * own.count

    def follow(self, way: TreeWay) -> None:
        for step in way.steps[self.n_steps :]:
            self.answer = getattr(self, step[0])(*step[1:])
            self.n_steps += 1

    def take(self, node: int) -> NodeRows:
        tree, rows = self.nodes[node]
        own = self.shard
        return NodeRows([codes[rows] for codes in own.codes], own.classes[rows], self.counts[tree][rows])

    # The steps.

    def count(self, requests: list[tuple[int, list[int]]]) -> list[Answer]:
        """Counts of each node, by code, for the requested columns."""
        return [self._count(node, columns) for node, columns in requests]

    def part(
        self, splits: list[tuple[int, int, Mask, tuple[list[int], list[int]]]], first: int
    ) -> list[Answer]:
        """For each (node, column, codes that go to the first child, columns to count in either child): the counts of
        both children, which are numbered on from `first`."""
        out = []
        for node, column, goes_first, columns in splits:
            tree, rows = self.nodes.pop(node)
            is_first = goes_first[self.shard.codes[column][rows]]
            for own, wanted in zip((rows[is_first], rows[~is_first]), columns, strict=True):
                self.nodes[first] = (tree, own)
                out.append(self._count(first, wanted))
                first += 1
        return out

    def _count(self, node: int, columns: list[int]) -> Answer:
        own, (tree, rows) = self.shard, self.nodes[node]
        n_classes, counts = self.plan.n_classes, self.counts[tree]
        weight = np.bincount(own.classes[rows], counts[rows], n_classes).astype(np.int64)
        cells = [
            native.count_codes(own.codes[j], int(own.n_codes[j]), rows, own.classes, counts, n_classes)
            for j in columns
        ]
        return np.append(weight, len(rows)), np.concatenate([np.empty(0, np.int64), *cells])
