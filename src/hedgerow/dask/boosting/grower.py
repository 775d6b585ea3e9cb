"""One tree, grown from histograms that come from anywhere.   In: a place to ask for sums over all rows.   Out: the tree
that native/gradient/grow.cpp grows of the same rows, to the bit.

Leaves are split in the order of their gains, so that which one is next is known only when the last is done. To ask once
a level and not once a split, the splits of all leaves that can be split are requested at once; what is not used is
dropped. Which of two children is summed and which is the rest does not matter: whole numbers have no order.
"""

import heapq
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hedgerow.core import native
from hedgerow.dask.boosting.wide import Narrowed, Units, narrow
from hedgerow.dask.keys import child_key, draw_columns, mix
from hedgerow.gradient import BoostParams
from hedgerow.gradient.bins import Bins
from hedgerow.gradient.grown import GrownTree
from hedgerow.types import Byte, Count, Word


class Rows(Protocol):
    """Sums over the rows of all places."""

    def root(self, units: Units, of_leaves: Units | None) -> tuple[int, int, Count]:
        """Its word, its number of rows, its histogram (wide.py: where there are units of leaves, two rows of sums)."""

    def part(self, splits: list[tuple[int, int, Byte, int]]) -> list[tuple[int, Count]]:
        """For each (node, column, codes that go left, child to sum up): rows gone left, the child's histogram."""

    def count(self, nodes: list[int]) -> list[Count]: ...
    def sum_leaves(self, nodes: list[int]) -> tuple[Count, Count]: ...


@dataclass(eq=False)
class Split:
    gain: float
    column: int
    bin: int
    categorical: bool
    missing_left: bool
    left: int
    levels: Word
    values: tuple[float, float]


@dataclass(eq=False)
class Node:
    total: int
    n_rows: int
    depth: int
    key: int
    together: list[bool]
    cells: Count | None
    low: float = -np.inf
    high: float = np.inf
    split: Split | None = None
    value: float = 0.0
    number: int = 0  # at the places
    children: "tuple[Node, Node] | None" = None
    kept: "list[Node]" = field(default_factory=list)  # children that are part of the tree


class Grower:
    def __init__(
        self,
        bins: Bins,
        params: BoostParams,
        units: Units,
        of_leaves: Units | None,
        used: Byte | None,
        seed: int,
        rows: Rows,
    ) -> None:
        d = len(bins.n_bins)
        self.bins, self.params, self.rows = bins, params, rows
        self.units, self.of_leaves = units, of_leaves
        self.used = np.ones(d, np.uint8) if used is None else used
        self.monotone, self.max_features = params.directions(d), params.columns_at_node(d)
        self.numbers: list[int] = []  # of the nodes of the finished tree, at the places
        self.key, self.n_nodes = mix(seed), 1

    def grow(self) -> Node:
        """The root."""
        total, n_rows, cells = self.rows.root(self.units, self.of_leaves)
        root = Node(total, n_rows, 0, self.key, [True] * len(self.params.interactions), cells)
        self._choose([root])
        nodes, n_leaves = [root], 1
        limit = self.params.max_leaves or n_rows
        heap: list[tuple[Any, int]] = []
        self._offer(heap, root, 0)
        while heap and n_leaves < limit:
            _, at = heapq.heappop(heap)
            node = nodes[at]
            if node.children is None:
                self._expand([node, *self._likely(heap, nodes, limit - n_leaves - 1)])
            assert node.children is not None
            node.kept = list(node.children)
            n_leaves += 1
            for child in node.kept:
                nodes.append(child)
                self._offer(heap, child, len(nodes) - 1)
        return root

    def _likely(self, heap: list[tuple[Any, int]], nodes: list[Node], many: int) -> list[Node]:
        waiting = (nodes[at] for _, at in heapq.nsmallest(max(0, many), heap))
        return [node for node in waiting if node.children is None]

    def _offer(self, heap: list[tuple[Any, int]], node: Node, at: int) -> None:
        if node.split is None:
            return
        urgency = (0.0, node.split.gain)
        if self.params.max_leaves == 0:
            urgency = (0.0, float(at))
        elif self.params.level_by_level:
            urgency = (-float(node.depth), node.split.gain)
        heapq.heappush(heap, ((-urgency[0], -urgency[1], at), at))

    def _expand(self, nodes: list[Node]) -> None:
        """Children of all these nodes, with their histograms and splits: one question to all places."""
        requests, sums = [], []
        for node in nodes:
            split = node.split
            assert split is not None
            left_smaller = 2 * (split.left & 0xFFFFFFFF) <= node.total & 0xFFFFFFFF
            sums.append(0 if left_smaller else 1)
            requests.append((node.number, split.column, self._goes_left(split), sums[-1]))
        children: list[Node] = []
        for node, which, (n_left, cells) in zip(nodes, sums, self.rows.part(requests), strict=True):
            assert node.cells is not None
            rest = node.cells - cells
            both = (cells, rest) if which == 0 else (rest, cells)
            node.children = (self._child(node, 0, n_left, both[0]), self._child(node, 1, n_left, both[1]))
            node.cells = None
            children += node.children
        self._choose(children)

    def _goes_left(self, split: Split) -> Byte:
        codes = np.arange(256)
        if split.categorical:
            bits = np.unpackbits(np.asarray(split.levels, np.uint64).view(np.uint8), bitorder="little")
            return np.ascontiguousarray(bits, np.uint8)
        goes = (codes <= split.bin).astype(np.uint8)
        if self.bins.has_missing[split.column]:
            goes[self.bins.n_bins[split.column]] = split.missing_left
        return goes

    def _child(self, parent: Node, which: int, n_left: int, cells: Count) -> Node:
        split = parent.split
        assert split is not None
        together = [
            open_ and split.column in columns
            for open_, columns in zip(parent.together, self.params.interactions, strict=True)
        ]
        child = Node(
            parent.total - split.left if which else split.left,
            parent.n_rows - n_left if which else n_left,
            parent.depth + 1,
            child_key(parent.key, which),
            together,
            cells,
            parent.low,
            parent.high,
        )
        child.number, self.n_nodes = self.n_nodes, self.n_nodes + 1
        way = int(self.monotone[split.column])
        if way:
            middle = 0.5 * (split.values[0] + split.values[1])
            if (which == 0) == (way > 0):
                child.high = middle
            else:
                child.low = middle
        return child

    def _can_split(self, node: Node) -> bool:
        deep = self.params.max_depth and node.depth >= self.params.max_depth
        return node.n_rows >= 2 * max(1, self.params.min_rows) and not deep

    def _choose(self, nodes: list[Node]) -> None:
        """The best split of each; where bounds do not decide about min_rows, rows are counted."""
        unsure = [node for node in nodes if not self._choose_one(node, None)]
        if unsure:
            for node, counts in zip(unsure, self.rows.count([node.number for node in unsure]), strict=True):
                self._choose_one(node, counts)

    def _choose_one(self, node: Node, counts: Count | None) -> bool:
        bins = self.bins
        sums = self._words(node)
        node.total = sums.total
        can = self._can_split(node)
        sure, gain, column, bin_, categorical, missing_left, left, levels, low, high, value = (
            native.gradient_choose(
                n_bins=bins.n_bins,
                has_missing=bins.has_missing,
                categorical=bins.categorical,
                monotone=self.monotone,
                cells=sums.cells,
                counts=counts,
                total=sums.total,
                n_rows=node.n_rows,
                low=node.low,
                high=node.high,
                allowed=self._allowed(node) if can else np.zeros(len(bins.n_bins), np.uint8),
                units=sums.units,
                **sums.rules,
            )
        )
        node.value = value
        if sure and column >= 0:
            node.split = Split(gain, column, bin_, categorical, missing_left, left, levels, (low, high))
        return sure

    def _words(self, node: Node) -> Narrowed:
        assert node.cells is not None
        if self.of_leaves is None:
            return Narrowed(node.cells, node.total, self.units, self.params.split_rules)
        return narrow(node.cells, self.bins, self.units, node.n_rows, self.params.split_rules)

    def _allowed(self, node: Node) -> Byte:
        mask = self.used.copy()
        if node.together:
            meet = {
                j
                for open_, own in zip(node.together, self.params.interactions, strict=True)
                if open_
                for j in own
            }
            mask &= np.array([j in meet for j in range(len(mask))], np.uint8)
        if not self.max_features:
            return mask
        columns = np.flatnonzero(mask).tolist()
        drawn = np.zeros(len(mask), np.uint8)
        drawn[draw_columns(node.key, columns, min(len(columns), self.max_features))] = 1
        return drawn

    def finish(self, root: Node) -> GrownTree:
        """Nodes in the order of their depth, values from finer sums of the leaves."""
        order = [root]
        place: dict[int, int] = {}
        for node in order:  # grows while it is gone through
            place[id(node)] = len(place)
            order += node.kept
        self.numbers = [node.number for node in order]
        first = np.array([place[id(node.kept[0])] if node.kept else -1 for node in order], np.int32)
        low, high = (np.array([getattr(node, name) for node in order]) for name in ("low", "high"))
        leaves = [k for k, node in enumerate(order) if not node.kept]
        sums = np.zeros((2, len(order)), np.int64)
        sums[:, leaves] = self.rows.sum_leaves([order[k].number for k in leaves])
        value, hessian = native.gradient_node_values(
            first, low, high, sums[0], sums[1], self.of_leaves or self.units, self.params.l1, self.params.l2
        )
        splits = [node.split if node.kept else None for node in order]
        return GrownTree(
            column=np.array([-1 if split is None else split.column for split in splits], np.int32),
            bin=np.array(
                [-1 if split is None or split.categorical else split.bin for split in splits], np.int32
            ),
            first_child=first,
            categorical=np.array([split is not None and split.categorical for split in splits], np.uint8),
            missing_left=np.array([self._missing_left(node) for node in order], np.uint8),
            levels=np.array([np.zeros(4) if s is None else s.levels for s in splits], np.uint64).reshape(
                -1, 4
            ),
            value=value,
            gain=np.array([0.0 if split is None else split.gain for split in splits]),
            hessian=hessian,
            begin=np.zeros(len(order), np.int64),
            n_rows=np.array([node.n_rows for node in order], np.int64),
            depth=np.array([node.depth for node in order], np.int32),
            low=low,
            high=high,
            rows=np.empty(0, np.uint32),
        )

    def _missing_left(self, node: Node) -> bool:
        """Where training had no missing cell in the column, one goes with most rows."""
        if not node.kept or node.split is None:
            return False
        if self.bins.has_missing[node.split.column]:
            return node.split.missing_left
        return node.kept[0].n_rows >= node.kept[1].n_rows
