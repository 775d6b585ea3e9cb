"""Trees of classes, grown from counts that come from anywhere.   In: a place to ask for counts over all rows.   Out:
the trees that native/forest and native/grow grow of the same rows with `max_bins`, to the bit.

    large node   the counts of its columns, by code and class, from all places; the best split of each column is found
                 by the compiled grower, of rows that have these counts; places part their rows
    small node   its rows go to one place, which grows the rest of the tree

Counts are whole numbers, so that it does not matter who added them up. The columns that a node looks at, and its random
thresholds, follow from its key, a function of the seed and of the path to it (native/common/random.hpp).
"""

from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np

from hedgerow.dask.grower import MASK, mix
from hedgerow.dask.tree_shard import Answer, NodeRows
from hedgerow.encode.blocks import BlockEncoded
from hedgerow.encode.codebook import code_width
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.forest import grow_forest
from hedgerow.grow import Classes, Limits, grow_traced
from hedgerow.table import Column, Table
from hedgerow.tree.tree import LEAF, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Codes, Count, Float, Mask, Word

TIE = 1e-11  # native/grow/node.hpp
FOR_GROWING = 0xE7037ED1A0B428DB  # native/forest/draws.cpp
OF_A_COLUMN = 0xD1342543DE82EF95  # native/forest/random_scan.hpp
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


class Counts(Protocol):
    """Counts over the rows of all places."""

    def count(self, requests: list[tuple[int, list[int]]]) -> list[Answer]: ...
    def part(self, splits: list[tuple[int, int, Mask, tuple[list[int], list[int]]]]) -> list[Answer]: ...
    def grow_rest(self, nodes: "list[Node]", rules: "Rules") -> list[Tree]: ...


@dataclass(frozen=True, eq=False)
class Rules:
    """How all trees of a fit are grown."""

    columns: Columns
    n_classes: int
    criterion: str
    limits: Limits
    subtree_rows: int  # a node with no more rows is grown in one place


@dataclass(eq=False)
class Split:
    column: int
    goes_first: Mask  # by code
    stump: Tree  # of the column alone: what is known of the node and of its children


@dataclass(eq=False)
class Node:
    number: int  # at the places
    key: int
    depth: int
    root_weight: float
    weight: Count  # of each class
    n_rows: int
    value: Float  # as the tree has it
    impurity: float
    order: list[int]  # columns in the order they are looked at
    cells: dict[int, Count] = field(default_factory=dict)  # by column: code x (classes, rows)
    split: Split | None = None
    children: "tuple[Node, Node] | None" = None
    rest: Tree | None = None  # grown elsewhere, this node its root

    @property
    def total(self) -> float:
        return float(self.weight.sum())


def grow_trees(rules: Rules, counts: Counts, keys: list[int]) -> list[Tree]:
    """One for each key of a root: node k of the places, for the k-th."""
    grower = TreesGrower(rules, counts)
    return [join(rules, root) for root in grower.grow(keys)]


class TreesGrower:
    def __init__(self, rules: Rules, counts: Counts) -> None:
        self.rules, self.counts = rules, counts
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
            self.handed, self.counts.grow_rest(self.handed, self.rules) if self.handed else (), strict=True
        ):
            node.rest = rest
        return roots

    def _roots(self, keys: list[int]) -> list[Node]:
        orders = [self._column_order(key) for key in keys]
        requests = [(k, self._first_columns(order)) for k, order in enumerate(orders)]
        roots = []
        for (k, columns), (stats, cells) in zip(requests, self.counts.count(requests), strict=True):
            stump = self._grow_column(0, _one_row_a_class(stats[:-1]), self.rules.limits, 0)[0]
            node = Node(
                k,
                keys[k],
                0,
                float(stats[:-1].sum()),
                stats[:-1],
                int(stats[-1]),
                stump.value[0],
                float(stump.impurity[0]),
                orders[k],
            )
            self._keep(node, columns, cells)
            roots.append(node)
        return roots

    def _keep(self, node: Node, columns: list[int], cells: Count) -> None:
        width, at = self.rules.n_classes + 1, 0
        for j in columns:
            size = (int(self.rules.columns.n_codes[j]) + 1) * width
            node.cells[j] = cells[at : at + size].reshape(-1, width)
            at += size

    def _to_split(self, nodes: list[Node]) -> list[Node]:
        """Those that are split here; the others are leaves, or grown in one place."""
        inner = [node for node in nodes if not self._is_leaf(node)]
        small = [node for node in inner if node.n_rows <= self.rules.subtree_rows]
        self.handed += small
        for node in small:
            node.cells.clear()
        return [node for node in inner if node.n_rows > self.rules.subtree_rows]

    def _is_leaf(self, node: Node) -> bool:
        """native/grow/stop_rules.hpp."""
        limits = self.rules.limits
        return bool(
            np.count_nonzero(node.weight) <= 1
            or node.depth >= limits.max_depth
            or node.n_rows < limits.min_rows_split
            or node.total < 2 * limits.min_weight_leaf
            or node.n_rows < 2 * limits.min_rows_leaf
        )

    # --- columns

    def _column_order(self, key: int) -> list[int]:
        d = len(self.rules.columns.n_codes)
        order = list(range(d))
        if self.rules.limits.max_features >= d:
            return order
        for i in range(d - 1):
            bits = mix((key + 0x9E3779B97F4A7C15 * i) & MASK)
            other = i + ((bits >> 32) * (d - i) >> 32)
            order[i], order[other] = order[other], order[i]
        return order

    def _first_columns(self, order: list[int]) -> list[int]:
        return order[: self.rules.limits.max_features]

    # --- choosing

    def _choose(self, nodes: list[Node]) -> None:
        """The split of each; where all columns drawn are constant, more are counted."""
        while nodes:
            waiting = [(node, more) for node in nodes if (more := self._choose_one(node))]
            if waiting:
                requests = [(node.number, more) for node, more in waiting]
                for (node, more), (_, cells) in zip(waiting, self.counts.count(requests), strict=True):
                    self._keep(node, more, cells)
            nodes = [node for node, _ in waiting]

    def _choose_one(self, node: Node) -> list[int]:
        """Sets the split, if there is one; or the columns that have to be counted first."""
        limits, tie = self.rules.limits, TIE * node.total * node.impurity
        wanted, looked, top = limits.max_features, 0, -np.inf
        found: list[tuple[float, int, Tree]] = []
        for i, j in enumerate(node.order):
            enough = i >= wanted and (looked > 0 or not limits.redraw)
            if enough or top >= node.total * node.impurity - tie:
                break
            if j not in node.cells:
                return node.order[i : i + MORE_COLUMNS]
            if np.count_nonzero(node.cells[j][:, -1]) < 2:
                continue
            looked += 1
            stump, gain = self._look(node, j)
            if gain > top:
                found.append((gain, j, stump))
                top = gain
        best = next((one for one in found if one[0] >= top - tie), None)
        if best is not None and _gains_enough(limits, best[0], node.root_weight):
            node.split = Split(best[1], self._goes_first(best[1], best[2]), best[2])
        node.cells.clear()
        return []

    def _look(self, node: Node, j: int) -> tuple[Tree, float]:
        rows = _rows_with(node.cells[j], self.rules.limits.min_rows_leaf)
        key = node.key ^ (OF_A_COLUMN * (j + 1) & MASK) ^ OF_A_COLUMN  # as that of the first column
        limits = replace(
            self.rules.limits, max_features=1, max_depth=1, min_rows_split=2, min_decrease=0.0, redraw=True
        )
        return self._grow_column(j, rows, limits, unmix(key))

    def _grow_column(
        self, j: int, rows: tuple[Count, Count, Count], limits: Limits, seed: int
    ) -> tuple[Tree, float]:
        """The tree of (code, class, weight), and the gain of its split."""
        code, label, weight = rows
        columns = self.rules.columns
        encoded = columns.rows([code.astype(code_width(int(columns.n_codes[j])))], [j])
        target = Classes(label.astype(np.int32), self.rules.n_classes, weight.astype(np.float64))
        tree, trace = grow_traced(encoded, target, self.rules.criterion, limits, seed=seed)
        return tree, -np.inf if tree.kind[0] == LEAF else float(trace.gain[0, 0])

    def _goes_first(self, j: int, stump: Tree) -> Mask:
        columns = self.rules.columns
        n_codes = int(columns.n_codes[j])
        goes = np.zeros(n_codes + 1, bool)
        if stump.kind[0] == THRESHOLD:
            edges = columns.edges[j]
            assert edges is not None
            goes[: int(np.searchsorted(edges, stump.threshold[0])) + 1] = True
        else:
            goes[:n_codes] = bits_of(stump.subset_bits)[:n_codes]
        goes[n_codes] = stump.missing_child[0] == stump.first_child[0]
        return goes

    # --- parting

    def _part(self, nodes: list[Node], number: int) -> list[Node]:
        """The children of all these nodes, with their counts: one question to all places."""
        if not nodes:
            return []
        keys = [[child_key(node.key, which) for which in (0, 1)] for node in nodes]
        orders = [[self._column_order(key) for key in own] for own in keys]
        requests = []
        for node, own in zip(nodes, orders, strict=True):
            assert node.split is not None
            columns = (self._first_columns(own[0]), self._first_columns(own[1]))
            requests.append((node.number, node.split.column, node.split.goes_first, columns))
        answers = iter(self.counts.part(requests))
        children: list[Node] = []
        for node, own_keys, own in zip(nodes, keys, orders, strict=True):
            pair = []
            for which, (stats, cells) in zip((0, 1), answers, strict=False):
                assert node.split is not None
                stump, at = node.split.stump, int(node.split.stump.first_child[0]) + which
                child = Node(
                    number + len(children),
                    own_keys[which],
                    node.depth + 1,
                    node.root_weight,
                    stats[:-1],
                    int(stats[-1]),
                    stump.value[at],
                    float(stump.impurity[at]),
                    own[which],
                )
                self._keep(child, self._first_columns(own[which]), cells)
                pair.append(child)
                children.append(child)
            node.children = (pair[0], pair[1])
        return children


def grow_rest(rules: Rules, parts: list[NodeRows], node: Node, threads: int) -> Tree:
    """What grows from a node, of its rows from all places."""
    d = len(rules.columns.n_codes)
    codes = [np.concatenate([part.codes[j] for part in parts]) for j in range(d)]
    counts = np.concatenate([part.counts for part in parts])
    classes = np.concatenate([part.classes for part in parts])
    limits = replace(
        rules.limits,
        max_depth=rules.limits.max_depth - node.depth,
        min_decrease=rules.limits.min_decrease * node.root_weight / node.total,
    )
    seed = unmix(unmix(unmix(node.key))) ^ FOR_GROWING  # of whose first tree the root has this key
    draws = Draws("given", len(counts), len(counts), counts, None, seed)
    target = Classes(classes, rules.n_classes)
    rows = rules.columns.rows(codes, list(range(d)))
    return grow_forest(rows, target, rules.criterion, limits, draws, 1, threads=threads).trees[0]


def _gains_enough(limits: Limits, gain: float, root_weight: float) -> bool:
    return bool(max(0.0, gain) / root_weight + np.finfo(np.float64).eps >= limits.min_decrease)


def _one_row_a_class(weight: Count) -> tuple[Count, Count, Count]:
    label = np.flatnonzero(weight)
    return np.zeros(len(label), np.int64), label, weight[label]


def _rows_with(cells: Count, min_rows: int) -> tuple[Count, Count, Count]:
    """Rows (code, class, weight) with these counts: one for each code and class that occur, and more where a code has
    more rows, up to `min_rows`: then a side has so many of them if and only if it has so many rows."""
    code, label = np.nonzero(cells[:, :-1])
    weight = cells[code, label]
    if min_rows == 1:
        return code, label, weight
    lack = np.minimum(cells[:, -1], min_rows) - np.bincount(code, minlength=len(cells))
    more: list[tuple[int, int, int]] = []
    for k in np.flatnonzero(
        lack[code] > 0
    ).tolist():  # a row of weight w becomes w - p and p rows of weight one
        pieces = int(min(lack[code[k]], weight[k] - 1))
        if pieces > 0:
            lack[code[k]] -= pieces
            weight[k] -= pieces
            more += [(int(code[k]), int(label[k]), 1)] * pieces
    if not more:
        return code, label, weight
    added = np.array(more, np.int64).T
    return tuple(np.concatenate(pair) for pair in zip((code, label, weight), added, strict=True))  # type: ignore[return-value]


def bits_of(words: Word) -> Mask:
    return np.unpackbits(np.asarray(words, np.uint64).view(np.uint8), bitorder="little").astype(bool)


def child_key(key: int, which: int) -> int:
    """native/common/random.hpp."""
    return mix(key ^ (0x632BE59BD9B4E019 * (which + 1) & MASK))


def unmix(x: int) -> int:
    """The number that `mix` makes x of: the seed whose root has this key."""
    x = _unshift(x, 31)
    x = x * pow(0x94D049BB133111EB, -1, 2**64) & MASK
    x = _unshift(x, 27)
    x = x * pow(0xBF58476D1CE4E5B9, -1, 2**64) & MASK
    return (_unshift(x, 30) - 0x9E3779B97F4A7C15) & MASK


def _unshift(x: int, bits: int) -> int:
    """The y of x = y ^ (y >> bits)."""
    y = x
    for _ in range(64 // bits):
        y = x ^ (y >> bits)
    return y


# --- one tree of all parts

OF_A_NODE = ("feature", "kind", "threshold", "n_children", "value", "weight", "n_rows", "impurity")


def join(rules: Rules, root: Node) -> Tree:
    """Nodes in the order in which the growers number them: a pair of children when their parent is split, the first
    child's branch before the second's."""
    parts: list[
        tuple[Tree, Count, Count]
    ] = []  # a tree, the numbers of its nodes and of their first children
    stack, size = [(root, 0)], 1
    while stack:
        node, at = stack.pop()
        if node.rest is not None:
            numbers = np.append(at, np.arange(size, size + node.rest.n_nodes - 1))
            child = node.rest.first_child
            parts.append((node.rest, numbers, np.where(child == NONE, NONE, numbers[child])))
            size += node.rest.n_nodes - 1
        else:
            is_leaf = node.children is None
            parts.append((_as_tree(rules, node), np.array([at]), np.array([NONE if is_leaf else size])))
            if node.children is not None:
                stack += [(node.children[1], size + 1), (node.children[0], size)]
                size += 2
    return _write(rules, parts, size)


def _write(rules: Rules, parts: list[tuple[Tree, Count, Count]], size: int) -> Tree:
    n_classes = rules.n_classes
    arrays: dict[str, Any] = {name: np.empty(size) for name in OF_A_NODE} | {
        "value": np.empty((size, n_classes))
    }
    first, missing, start = (np.full(size, NONE, np.int64) for _ in range(3))
    words, n_words = [np.empty(0, np.uint64)], 0
    for tree, numbers, child in parts:
        for name, array in arrays.items():
            array[numbers] = getattr(tree, name)
        first[numbers] = child
        missing[numbers] = np.where(child == NONE, NONE, child + tree.missing_child - tree.first_child)
        start[numbers] = np.where(tree.kind == SUBSET, tree.subset_start + n_words, NONE)
        words.append(tree.subset_bits)
        n_words += len(tree.subset_bits)
    n_levels = rules.columns.schema.n_levels
    subsets = np.flatnonzero(start != NONE)  # their words follow the order of the nodes
    length = n_levels[arrays["feature"][subsets].astype(np.int64)] // 64 + 1
    begin = np.cumsum(length) - length
    at = np.arange(length.sum()) + np.repeat(start[subsets] - begin, length)
    start[subsets] = begin
    arrays |= {"first_child": first, "missing_child": missing, "subset_start": start}
    return Tree(**arrays, subset_bits=np.concatenate(words)[at], n_levels=n_levels)


def _as_tree(rules: Rules, node: Node) -> Tree:
    """A node that was split here, or is a leaf, as the first node of a tree."""
    facts: dict[str, Any] = {
        "value": node.value[None],
        "weight": np.array([node.total]),
        "n_rows": np.array([node.n_rows]),
        "impurity": np.array([node.impurity]),
        "n_levels": rules.columns.schema.n_levels,
    }
    if node.split is None:
        none = np.array([NONE])
        facts |= {"feature": none, "kind": np.array([LEAF]), "threshold": np.array([np.nan])}
        facts |= {"first_child": none, "missing_child": none, "n_children": none + 1, "subset_start": none}
        return Tree(**facts, subset_bits=np.empty(0, np.uint64))
    names = ("kind", "threshold", "first_child", "missing_child", "n_children", "subset_start")
    facts |= {name: getattr(node.split.stump, name)[:1] for name in names}
    return Tree(**facts, feature=np.array([node.split.column]), subset_bits=node.split.stump.subset_bits)
