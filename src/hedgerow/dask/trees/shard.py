"""TreeShard: the rows of one worker as trees read them.   In: which trees, and their splits, step by step.   Out: sums
by code, which add up over all workers without rounding (native/grow/grid.hpp).

As in dask/boosting/shard.py a step comes with the whole way to it. Trees do not depend on each other, so that the way
begins with those that grow now, and a shard that was made anew draws its rows again and follows.
"""

from dataclasses import dataclass, field
from threading import Lock
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.ensemble.draws import How
from hedgerow.types import Codes, Count, Float, Index, Mask

# Facts of a node.   Classes: the weight of each, and the rows.   Numbers: weight, rows, lowest and highest target.
Facts = Float
Request = tuple[Facts, list[int]]  # of a node; columns to sum up
Answer = tuple[Float, Float]  # numbers: rest and loss (native/grow/measure.hpp); sums by code of the columns


NUMBER_CELL = 5  # native/forest/shard.hpp: weight, rows, sum, lowest, highest


@dataclass(frozen=True, eq=False)
class TreePlan:
    """What all shards of a fit share: how rows are drawn (ensemble/draws.py), and how classes are weighed."""

    n_classes: int  # 0: numbers
    criterion: str
    how: How
    n_order: int  # rows that may be drawn
    size: int
    line_end: float
    seed: int
    by_class: Float | None
    balanced: bool  # all classes weigh the same in each tree

    @property
    def weighs_classes(self) -> bool:
        return self.balanced or self.by_class is not None

    def class_factors(self, mass: Float) -> tuple[Float, float]:
        """What weights of a tree's rows are multiplied by, by class, and what rounds them (native/grow/grid.hpp), as in
        native/forest/tree_rows.cpp. `mass`: the weight of each class."""
        factor, total = np.ones(len(mass)), float(mass.sum())
        if self.balanced:
            factor[mass > 0] = total / (len(mass) * mass[mass > 0])
        if self.by_class is not None:
            factor = factor * self.by_class
        bound = total * float(factor.max())
        return factor, float(np.ldexp(1.5, np.frexp(bound)[1] + 2)) if bound > 0 else 0.0


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
    target: Index | Float
    weight: Float | None  # where it goes along with the draws; zero: the row is not there
    places: Places | None  # None: all rows are drawn
    state: "TreeState | None" = field(default=None)
    lock: Any = field(default_factory=Lock)

    def __sizeof__(self) -> int:
        """Dask runs a task where most of its bytes are."""
        return sum(own.nbytes for own in self.codes) + 16 * len(self.target)

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
    target: Index | Float
    weight: Float

    def __sizeof__(self) -> int:
        return sum(own.nbytes for own in self.codes) + 16 * len(self.target)


class TreeState:
    def __init__(self, shard: TreeShard, plan: TreePlan, trees: tuple[int, ...]) -> None:
        self.shard, self.plan, self.trees = shard, plan, trees
        self.weights = [self._draw(tree) for tree in trees]
        # By node, its tree and its rows; the first are the roots.
        self.nodes = {k: (k, np.flatnonzero(own).astype(np.uint32)) for k, own in enumerate(self.weights)}
        self.n_steps, self.answer = 0, None

    def _draw(self, tree: int) -> Float:
        own, plan = self.shard, self.plan
        if own.places is None:
            return np.ones(len(own.target)) if own.weight is None else own.weight
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
        weight = np.zeros(len(own.target))
        weight[own.places.row] = drawn
        return weight if own.weight is None else weight * own.weight

    def follow(self, way: TreeWay) -> None:
        for step in way.steps[self.n_steps :]:
            self.answer = getattr(self, step[0])(*step[1:])
            self.n_steps += 1

    def take(self, node: int) -> NodeRows:
        tree, rows = self.nodes[node]
        own = self.shard
        return NodeRows([codes[rows] for codes in own.codes], own.target[rows], self.weights[tree][rows])

    # The steps.

    def facts(self) -> list[Facts]:
        """Of the roots."""
        return [self._facts(k) for k in range(len(self.trees))]

    def weigh(self, factors: list[tuple[Float, float]]) -> list[Facts]:
        """Facts of the roots, after classes are weighed. `factors`: TreePlan.class_factors of each tree."""
        for k, (by_class, grid) in enumerate(factors):
            self.weights[k] = (self.weights[k] * by_class[self.shard.target] + grid) - grid
            self.nodes[k] = (k, np.flatnonzero(self.weights[k]).astype(np.uint32))
        return self.facts()

    def count(self, requests: list[tuple[int, Request]]) -> list[Answer]:
        """Sums of each node, by code, for the requested columns."""
        return [self._count(node, request) for node, request in requests]

    def part(self, splits: list[tuple[int, int, Mask, tuple[Request, Request]]], first: int) -> list[Answer]:
        """For each (node, column, codes that go to the first child, what to sum up of either child): the sums of
        both children, which are numbered on from `first`."""
        out = []
        for node, column, goes_first, requests in splits:
            tree, rows = self.nodes.pop(node)
            is_first = goes_first[self.shard.codes[column][rows]]
            for own, request in zip((rows[is_first], rows[~is_first]), requests, strict=True):
                self.nodes[first] = (tree, own)
                out.append(self._count(first, request))
                first += 1
        return out

    def _facts(self, node: int) -> Facts:
        tree, rows = self.nodes[node]
        target, weight, n_classes = self.shard.target[rows], self.weights[tree][rows], self.plan.n_classes
        if n_classes:
            return np.append(np.bincount(target, weight, n_classes), len(rows))
        low, high = (target.min(), target.max()) if len(rows) else (np.inf, -np.inf)
        return np.array([weight.sum(), len(rows), low, high], np.float64)

    def _count(self, node: int, request: Request) -> Answer:
        own, (tree, rows), (facts, columns) = self.shard, self.nodes[node], request
        plan, weight = self.plan, self.weights[tree]
        sums, cells = np.zeros(2), [np.empty(0)]
        if plan.n_classes:
            target = np.asarray(own.target, np.int32)
            cells += [
                native.count_codes(own.codes[j], int(own.n_codes[j]), rows, target, weight, plan.n_classes)
                for j in columns
            ]
        else:
            number = np.asarray(own.target, np.float64)
            sums = np.array(native.sum_node(rows, number, weight, plan.criterion, facts))
            cells += [
                native.sum_codes(
                    own.codes[j], int(own.n_codes[j]), rows, number, weight, plan.criterion, facts
                )
                for j in columns
            ]
        return sums, np.concatenate(cells)


def add_facts(a: list[Facts], b: list[Facts]) -> list[Facts]:
    return [x + y for x, y in zip(a, b, strict=True)]


def add_number_facts(a: list[Facts], b: list[Facts]) -> list[Facts]:
    return [
        np.array([x[0] + y[0], x[1] + y[1], min(x[2], y[2]), max(x[3], y[3])])
        for x, y in zip(a, b, strict=True)
    ]


def add_answers(a: list[Answer], b: list[Answer]) -> list[Answer]:
    return [(x[0] + y[0], x[1] + y[1]) for x, y in zip(a, b, strict=True)]


def add_number_answers(a: list[Answer], b: list[Answer]) -> list[Answer]:
    return [(x[0] + y[0], _join_cells(x[1], y[1])) for x, y in zip(a, b, strict=True)]


def _join_cells(a: Float, b: Float) -> Float:
    a, b = a.reshape(-1, NUMBER_CELL), b.reshape(-1, NUMBER_CELL)
    low, high = np.minimum(a[:, 3], b[:, 3]), np.maximum(a[:, 4], b[:, 4])
    return np.column_stack([a[:, :3] + b[:, :3], low, high]).reshape(-1)
