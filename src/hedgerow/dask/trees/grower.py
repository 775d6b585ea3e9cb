"""Trees, grown from sums that come from anywhere.   In: a place to ask for sums over all rows.   Out: the trees that
native/forest and native/grow grow of the same rows with `max_bins`, to the bit.

    large node   the sums of its columns, by code, from all places; the best split of each column is found from them;
                 places part their rows
    small node   its rows go to one place, which grows the rest of the tree

Sums are exact, so that it does not matter who added them up. The columns that a node looks at, and its random
thresholds, follow from its key, a function of the seed and of the path to it (native/common/random.hpp).
"""

from dataclasses import asdict, dataclass, field, replace
from typing import Protocol

import numpy as np

from hedgerow.core import native
from hedgerow.dask.keys import child_key, draw_columns, unmix
from hedgerow.dask.trees.shard import NUMBER_CELL, Answer, Facts, NodeRows, Request
from hedgerow.encode.blocks import BlockEncoded
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.forest import grow_forest
from hedgerow.grow import Classes, Limits, Numbers, Target
from hedgerow.table import Column, Table
from hedgerow.tree.tree import Tree
from hedgerow.types import Codes, Count, Float, Mask

TIE = 1e-11  # native/grow/node.hpp
FOR_GROWING = 0xE7037ED1A0B428DB  # native/forest/draws.cpp
MORE_COLUMNS = 8  # requested at once, if all columns drawn are constant


@dataclass(frozen=True, eq=False)
class Columns:
    """What the codes of all rows mean."""

    schema: Schema
    edges: tuple[Float | None, ...]
    n_codes: Count
    value_of_code: tuple[Float, ...]

    def rows(self, codes: list[Codes], columns: list[int]) -> BlockEncoded:
        """Rows of some columns."""
        empty = []
        for j in columns:
            kind = self.schema.kinds[j]
            values = np.empty(0, np.int32) if kind == "category" else np.empty(0)
            empty.append(Column(self.schema.names[j], kind, values, self.schema.levels[j]))
        return BlockEncoded(
            table=Table(tuple(empty), 0, self.schema.named),
            schema=replace(
                self.schema,
                names=tuple(self.schema.names[j] for j in columns),
                kinds=tuple(self.schema.kinds[j] for j in columns),
                levels=tuple(self.schema.levels[j] for j in columns),
            ),
            codes=tuple(codes),
            n_codes=self.n_codes[columns],
            n_missing=np.zeros(len(columns), np.int64),
            edges=tuple(self.edges[j] for j in columns),
            value_of_code=tuple(self.value_of_code[j] for j in columns),
            allocate=np.empty,
        )


class Sums(Protocol):
    """Sums over the rows of all places."""

    def facts(self) -> list[Facts]: ...
    def count(self, requests: list[tuple[int, Request]]) -> list[Answer]: ...
    def part(self, splits: list[tuple[int, int, Mask, tuple[Request, Request]]]) -> list[Answer]: ...
    def grow_rest(self, nodes: "list[Node]", rules: "Rules") -> list[Tree]: ...


@dataclass(frozen=True, eq=False)
class Rules:
    """How all trees of a fit are grown."""

    columns: Columns
    n_classes: int  # 0: numbers
    criterion: str
    limits: Limits
    subtree_rows: int  # a node with no more rows is grown in one place
    whole: bool  # weights say how often rows were drawn

    @property
    def cell_width(self) -> int:
        return self.n_classes + 1 if self.n_classes else NUMBER_CELL

    def facts_of(self, cells: Float) -> Facts:
        """Of the rows of some codes of a column."""
        if self.n_classes:
            return np.asarray(cells.sum(axis=0))
        return np.array([cells[:, 0].sum(), cells[:, 1].sum(), cells[:, 3].min(), cells[:, 4].max()])

    def rows_of(self, facts: Facts) -> int:
        return int(facts[-1] if self.n_classes else facts[1])

    def weight_of(self, facts: Facts) -> float:
        return float(facts[:-1].sum() if self.n_classes else facts[0])


@dataclass(eq=False)
class Split:
    column: int
    goes_first: Mask  # by code, missing last
    threshold: float  # NaN: by levels
    missing_first: bool
    levels: Mask  # that go to the first child, and one for levels never seen; empty: by a threshold
    facts: tuple[Facts, Facts]  # of the children


@dataclass(eq=False)
class Node:
    number: int  # at the places
    key: int
    depth: int
    root_weight: float
    facts: Facts
    n_rows: int
    order: list[int]  # columns in the order they are looked at
    sums: tuple[float, float] = (0.0, 0.0)  # rest and loss
    cells: dict[int, Float] = field(default_factory=dict)  # by column: code x sums
    value: Float = field(default_factory=lambda: np.empty(0))  # as the tree has it
    weight: float = 0.0
    impurity: float = 0.0
    pure: bool = False
    split: Split | None = None
    children: "tuple[Node, Node] | None" = None
    rest: Tree | None = None  # grown elsewhere, this node its root


class TreesGrower:
    """Grows a tree for each key of a root: node k of the places, for the k-th."""

    def __init__(self, rules: Rules, sums: Sums) -> None:
        self.rules, self.sums = rules, sums
        self.handed: list[Node] = []

    def grow(self, keys: list[int]) -> list[Node]:
        roots = self._roots(keys)
        open_ = self._to_split(roots)
        number = len(roots)
        while open_:
            self._choose(open_)
            parted = [node for node in open_ if node.split is not None]
            open_ = self._to_split(self._part(parted, number))
            number += 2 * len(parted)
        for node, rest in zip(
            self.handed, self.sums.grow_rest(self.handed, self.rules) if self.handed else (), strict=True
        ):
            node.rest = rest
        return roots

    def _roots(self, keys: list[int]) -> list[Node]:
        facts = self.sums.facts()
        roots = [
            self._node(k, key, 0, self.rules.weight_of(facts[k]), facts[k]) for k, key in enumerate(keys)
        ]
        requests = [(node.number, self._request(node)) for node in roots]
        for node, (_, request), answer in zip(roots, requests, self.sums.count(requests), strict=True):
            self._measure(node, request[1], answer)
        return roots

    def _node(self, number: int, key: int, depth: int, root_weight: float, facts: Facts) -> Node:
        return Node(
            number, key, depth, root_weight, facts, self.rules.rows_of(facts), self._column_order(key)
        )

    def _request(self, node: Node) -> Request:
        """No columns of nodes that are grown in one place."""
        small = node.n_rows <= self.rules.subtree_rows
        return node.facts, [] if small else self._first_columns(node.order)

    def _measure(self, node: Node, columns: list[int], answer: Answer) -> None:
        node.sums = float(answer[0][0]), float(answer[0][1])
        found = native.node_stats(self.rules.criterion, node.facts, *node.sums)
        moments, node.weight, node.impurity, node.pure = found
        node.value = moments / moments.sum() if self.rules.n_classes else moments
        self._keep(node, columns, answer[1])

    def _keep(self, node: Node, columns: list[int], cells: Float) -> None:
        width, at = self.rules.cell_width, 0
        for j in columns:
            size = (int(self.rules.columns.n_codes[j]) + 1) * width
            node.cells[j] = cells[at : at + size].reshape(-1, width)
            at += size

    def _to_split(self, nodes: list[Node]) -> list[Node]:
        """Those that are split here; the others are leaves, or grown in one place."""
        inner = [node for node in nodes if not self._is_leaf(node)]
        self.handed += [node for node in inner if node.n_rows <= self.rules.subtree_rows]
        return [node for node in inner if node.n_rows > self.rules.subtree_rows]

    def _is_leaf(self, node: Node) -> bool:
        """native/grow/stop_rules.hpp."""
        limits = self.rules.limits
        return bool(
            node.pure
            or node.depth >= limits.max_depth
            or node.n_rows < limits.min_rows_split
            or node.weight < 2 * limits.min_weight_leaf
            or node.n_rows < 2 * limits.min_rows_leaf
        )

    # --- columns

    def _column_order(self, key: int) -> list[int]:
        d = len(self.rules.columns.n_codes)
        return draw_columns(key, range(d), d) if self.rules.limits.max_features < d else list(range(d))

    def _first_columns(self, order: list[int]) -> list[int]:
        return order[: self.rules.limits.max_features]

    # --- choosing

    def _choose(self, nodes: list[Node]) -> None:
        """The split of each; where all columns drawn are constant, more are counted."""
        while nodes:
            waiting = [(node, more) for node in nodes if (more := self._choose_one(node))]
            if waiting:
                requests = [(node.number, (node.facts, more)) for node, more in waiting]
                for (node, more), answer in zip(waiting, self.sums.count(requests), strict=True):
                    self._keep(node, more, answer[1])
            nodes = [node for node, _ in waiting]

    def _choose_one(self, node: Node) -> list[int]:
        """Sets the split, if there is one; or the columns that have to be counted first."""
        limits, tie = self.rules.limits, TIE * node.weight * node.impurity
        wanted, looked, top = limits.max_features, 0, -np.inf
        found: list[tuple[float, int, int, Mask]] = []
        for i, j in enumerate(node.order):
            enough = i >= wanted and (looked > 0 or not limits.redraw)
            if enough or top >= node.weight * node.impurity - tie:
                break
            if j not in node.cells:
                return node.order[i : i + MORE_COLUMNS]
            if np.count_nonzero(self._rows_by_code(node, j)) < 2:
                continue
            looked += 1
            gain, last_code, first = self._look(node, j)
            if gain > top:
                found.append((gain, j, last_code, first))
                top = gain
        best = next((one for one in found if one[0] >= top - tie), None)
        if best is not None and _gains_enough(limits, best[0], node.root_weight):
            node.split = self._make_split(node, *best[1:])
        node.cells.clear()
        return []

    def _rows_by_code(self, node: Node, j: int) -> Float:
        return node.cells[j][:, -1 if self.rules.n_classes else 1]

    def _look(self, node: Node, j: int) -> tuple[float, int, Mask]:
        """The gain of the column's best split, its last code up to the threshold, and what goes to the first child."""
        columns = self.rules.columns
        gain, last_code, first = native.split_of_cells(
            self.rules.criterion,
            asdict(self.rules.limits),
            node.facts,
            node.sums[0],
            node.sums[1],
            np.ascontiguousarray(node.cells[j]).reshape(-1),
            int(columns.n_codes[j]),
            int(columns.schema.n_levels[j]),
            columns.value_of_code[j],
            node.key,
            j,
        )
        return gain, last_code, first.astype(bool)

    def _make_split(self, node: Node, j: int, last_code: int, goes_first: Mask) -> Split:
        rules, cells, rows = self.rules, node.cells[j], self._rows_by_code(node, j)
        facts = rules.facts_of(cells[goes_first]), rules.facts_of(cells[~goes_first])
        heavier = rules.weight_of(facts[0]) > rules.weight_of(facts[1])
        missing_first = bool(goes_first[-1]) if rows[-1] else heavier
        edges = rules.columns.edges[j]
        if edges is None:
            levels = np.full(len(goes_first), heavier)
            present = np.flatnonzero(rows[:-1])
            levels[present] = goes_first[present]
            return Split(j, goes_first, np.nan, missing_first, levels, facts)
        threshold = np.inf if last_code < 0 else float(edges[last_code])
        return Split(j, goes_first, threshold, missing_first, np.empty(0, bool), facts)

    # --- parting

    def _part(self, nodes: list[Node], number: int) -> list[Node]:
        """The children of all these nodes, with their sums: one question to all places."""
        splits: list[tuple[int, int, Mask, tuple[Request, Request]]] = []
        children: list[Node] = []
        for node in nodes:
            assert node.split is not None
            pair = [
                self._node(
                    number + which, child_key(node.key, which), node.depth + 1, node.root_weight, facts
                )
                for which, facts in enumerate(node.split.facts)
            ]
            number += 2
            node.children = (pair[0], pair[1])
            children += pair
            requests = (self._request(pair[0]), self._request(pair[1]))
            splits.append((node.number, node.split.column, node.split.goes_first, requests))
        if not splits:
            return []
        asked = [request for split in splits for request in split[3]]
        for child, request, answer in zip(children, asked, self.sums.part(splits), strict=True):
            self._measure(child, request[1], answer)
        return children


def grow_rest(rules: Rules, parts: list[NodeRows], node: Node, threads: int) -> Tree:
    """What grows from a node, of its rows from all places."""
    d = len(rules.columns.n_codes)
    codes = [np.concatenate([part.codes[j] for part in parts]) for j in range(d)]
    weight = np.concatenate([part.weight for part in parts])
    target = np.concatenate([part.target for part in parts])
    limits = replace(
        rules.limits,
        max_depth=rules.limits.max_depth - node.depth,
        min_decrease=rules.limits.min_decrease * node.root_weight / node.weight,
    )
    seed = unmix(unmix(unmix(node.key))) ^ FOR_GROWING  # of whose first tree the root has this key
    n = len(weight)
    if rules.whole:
        draws = Draws("given", n, n, weight.astype(np.uint32), None, seed)
    else:
        draws = Draws("all", n, n, np.arange(n, dtype=np.uint32), weight, seed)
    learned: Target = Classes(target.astype(np.int32), rules.n_classes, exact=True)
    if not rules.n_classes:
        learned = Numbers(target.astype(np.float64), exact=True)
    rows = rules.columns.rows(codes, list(range(d)))
    return grow_forest(rows, learned, rules.criterion, limits, draws, 1, threads=threads).trees[0]


def _gains_enough(limits: Limits, gain: float, root_weight: float) -> bool:
    return bool(max(0.0, gain) / root_weight + np.finfo(np.float64).eps >= limits.min_decrease)
