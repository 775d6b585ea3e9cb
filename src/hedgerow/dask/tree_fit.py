"""Trees and forests of classes whose rows fit no single worker.   In: an estimator and delayed partitions.   Out: its
trees, those of `max_bins` on one machine, to the bit.

    partitions -> pieces -> counts -> bins -> shards, one a worker -> places of the rows -> trees, some at a time

A forest draws rows by their place in an order of their content (ensemble/draws.py). To find it, hashes are sent to the
worker that has their range, put in order there, and their places sent back: 24 bytes a row, once.
"""

from dataclasses import replace
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.dask.cluster import Steps, own_threads, run_shard
from hedgerow.dask.pieces import (
    Piece,
    Use,
    WeightFacts,
    by_worker,
    delayed,
    empty_table,
    find_facts,
    gather_counts,
    make_tree_piece,
    target_of,
    without_callbacks,
)
from hedgerow.dask.tree_grower import Columns, Node, Rules, grow_rest, grow_trees
from hedgerow.dask.tree_shard import Answer, NodeRows, Places, TreePlan, TreeShard, TreeWay
from hedgerow.encode.blocks import BlockEncoder, conform
from hedgerow.encode.encoded import MOST_BINS
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import How, row_hashes
from hedgerow.estimators.columns import remember_columns
from hedgerow.estimators.targets import check_classes
from hedgerow.estimators.tree_stream import edges_of
from hedgerow.fitting.params import TreeParams
from hedgerow.gradient.counts import TableCounts
from hedgerow.grow import Limits
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float, Mask

TREES_AT_ONCE = 8  # 8 bytes a row each, on the workers
BYTES_PER_ROW = 32  # of a shard, besides a byte a cell
BYTES_WHILE_GROWING = (6, 80)  # a cell, a row: of nodes that are grown in one place
MOST_RANGES = 32  # of hashes
LARGEST_WEIGHT = 2**31


class SpreadRows:
    """The rows of a collection as shards, and what is known of all of them."""

    def __init__(
        self, model: Any, client: Any, parts: list[tuple[Any, Any, Any]], params: TreeParams
    ) -> None:
        self.client = client
        bare = without_callbacks(model)
        pieces = client.compute([delayed(make_tree_piece)(bare, *part) for part in parts])
        facts = client.gather([client.submit(find_facts, piece, True) for piece in pieces])
        kept = [k for k, fact in enumerate(facts) if fact.n_rows]
        if not kept:
            raise ValueError("The collection has no rows. Give at least one partition with rows.")
        self.pieces, facts = [pieces[k] for k in kept], [facts[k] for k in kept]
        names, named = facts[0].names, facts[0].named
        remember_columns(model, *[empty_table(names, named)] * 2)
        labels = np.concatenate([fact.labels for fact in facts])
        self.classes = check_classes(type(model).__name__, labels, len(labels), None, None)[1]
        self.n_rows = sum(fact.n_rows for fact in facts)
        self.n_used = sum(fact.n_weighted for fact in facts)
        found = [fact.weights for fact in facts if fact.weights is not None]
        self.weights = reduce(WeightFacts.join, found) if found else None
        self.by_worker = by_worker(client, self.pieces)
        uses = [client.submit(_use_weighted, piece, pure=False) for piece in self.pieces]
        counts = gather_counts(client, self.by_worker, self.pieces, uses, names, named)
        max_bins = params.max_bins or MOST_BINS
        self.schema, self.edges = client.submit(_choose_edges, counts, max_bins).result()
        self.first = np.cumsum([0, *(fact.n_rows for fact in facts)]).tolist()

    def shards(self, carries_weight: bool, equal: bool) -> list[Any]:
        """Futures. `carries_weight`: rows count as often as their weight says; `equal`: as one, if they have any."""
        return [
            self.client.submit(
                make_tree_shard,
                self.schema,
                self.edges,
                [self.pieces[k] for k in own],
                self.classes,
                carries_weight,
                equal,
                workers=[worker],
                allow_other_workers=True,
                pure=False,
            )
            for worker, own in self.by_worker.items()
        ]

    def columns(self) -> tuple[Columns, Count]:
        """What codes mean, and how many cells of each column are missing."""
        firsts = [[self.first[k] for k in own] for own in self.by_worker.values()]
        pairs = zip(self.by_worker.values(), firsts, strict=True)
        requests = [
            self.client.submit(
                describe_codes, self.schema, self.edges, [self.pieces[k] for k in own], first, pure=False
            )
            for own, first in pairs
        ]
        return _join_codes(self.schema, self.edges, self.client.gather(requests))

    def places(self, shards: list[Any], carries_weight: bool, equal: bool) -> tuple[list[Any], float]:
        """Shards that know the places of their rows, and the length of the line of weights (0: all rows weigh the
        same)."""
        client, n_ranges = self.client, min(MOST_RANGES, len(shards))
        by_weight = not carries_weight and not equal and self.weights is not None
        firsts = [[self.first[k] for k in own] for own in self.by_worker.values()]
        keys = [
            client.submit(
                hash_pieces, self.schema, [self.pieces[k] for k in own], first, self.classes, pure=False
            )
            for own, first in zip(self.by_worker.values(), firsts, strict=True)
        ]
        ranges = [client.submit(order_range, keys, r, n_ranges, pure=False) for r in range(n_ranges)]
        sizes = client.gather([client.submit(len, own, pure=False) for own in ranges])
        starts = np.cumsum([0, *sizes]).tolist()
        line = [0.0]
        for own in ranges if by_weight else ():
            line.append(client.submit(_line_end, own, line[-1], pure=False).result())
        spread = [
            client.submit(place_rows, shard, k, ranges, starts, line if by_weight else None, pure=False)
            for k, shard in enumerate(shards)
        ]
        return spread, line[-1]


def grow_spread(
    rows: SpreadRows,
    params: TreeParams,
    limits: Limits,
    how: How,
    size: int,
    seed: int,
    keys: list[int],
    *,
    relative: bool,
    subtree_rows: int | None = None,
) -> tuple[list[Tree], Columns, Count]:
    """A tree for each root's key. `relative`: weights that are all equal are no weights."""
    client = rows.client
    equal = relative and rows.weights is not None and rows.weights.equal
    carries = how != "bootstrap"
    if carries and not equal:
        _check_whole(rows.weights)
    _check_memory(client, rows.n_rows, len(rows.schema.names))
    shards = rows.shards(carries, equal)
    columns, n_missing = rows.columns()
    line_end = 0.0
    if how != "all":
        shards, line_end = rows.places(shards, carries, equal)
    plan = TreePlan(len(rows.classes), how, rows.n_used, size, line_end, seed)
    rules = Rules(
        columns,
        len(rows.classes),
        params.criterion,
        limits,
        subtree_rows or rows_in_one_place(client, len(rows.schema.names)),
    )
    trees: list[Tree] = []
    for first in range(0, len(keys), TREES_AT_ONCE):
        batch = tuple(range(first, min(first + TREES_AT_ONCE, len(keys))))
        steps = TreeSteps(client, shards, plan, batch)
        trees += grow_trees(rules, steps, [keys[t] for t in batch])
    return trees, columns, n_missing


class TreeSteps(Steps):
    """Counts over the rows of all shards, of the trees that grow now."""

    def __init__(self, client: Any, shards: list[Any], plan: TreePlan, trees: tuple[int, ...]) -> None:
        super().__init__(client, shards, plan)
        self.trees, self.n_numbers = trees, len(trees)

    def way(self, whole: bool) -> TreeWay:
        return TreeWay(self.trees, tuple(self.steps))

    def count(self, requests: list[tuple[int, list[int]]]) -> list[Answer]:
        self.steps.append(("count", requests))
        return self.ask(run_shard, _add_answers)  # type: ignore[no-any-return]

    def part(self, splits: list[tuple[int, int, Mask, tuple[list[int], list[int]]]]) -> list[Answer]:
        self.steps.append(("part", splits, self.n_numbers))
        self.n_numbers += 2 * len(splits)
        return self.ask(run_shard, _add_answers)  # type: ignore[no-any-return]

    def grow_rest(self, nodes: list[Node], rules: Rules) -> list[Tree]:
        """Each worker is sent the rows of some nodes, of about as many rows as the others."""
        groups = _share_out(nodes, len(self.shards))
        tasks = []
        for group in groups:
            numbers = [node.number for node in group]
            rows = [
                self.client.submit(take_rows, shard, self.plan, self.way(True), numbers, pure=False)
                for shard in self.shards
            ]
            tasks.append(self.client.submit(grow_group, rows, group, rules, pure=False))
        found = {
            node.number: tree
            for group, trees in zip(groups, self.client.gather(tasks), strict=True)
            for node, tree in zip(group, trees, strict=True)
        }
        return [found[node.number] for node in nodes]


def take_rows(shard: TreeShard, plan: TreePlan, way: TreeWay, nodes: list[int]) -> list[NodeRows]:
    return shard.take(plan, way, nodes)


def grow_group(rows: list[list[NodeRows]], nodes: list[Node], rules: Rules) -> list[Tree]:
    """`rows`: of each shard, of each node."""
    threads = own_threads()
    return [grow_rest(rules, [own[k] for own in rows], node, threads) for k, node in enumerate(nodes)]


def _share_out(nodes: list[Node], many: int) -> list[list[Node]]:
    groups: list[list[Node]] = [[] for _ in range(min(many, len(nodes)))]
    size = [0] * len(groups)
    for node in sorted(nodes, key=lambda one: -one.n_rows):
        least = size.index(min(size))
        groups[least].append(node)
        size[least] += node.n_rows
    return groups


def _add_answers(a: list[Answer], b: list[Answer]) -> list[Answer]:
    return [(x[0] + y[0], x[1] + y[1]) for x, y in zip(a, b, strict=True)]


# --- tasks: from pieces to shards


def _use_weighted(piece: Piece) -> Use:
    n = piece.table.n_rows
    return Use(np.ones(n, bool) if piece.weight is None else piece.weight > 0, np.zeros(n, bool))


def _choose_edges(counts: TableCounts, max_bins: int) -> tuple[Schema, list[Float | None]]:
    return counts.schema(), [edges_of(column, max_bins) for column in counts.columns]


def make_tree_shard(
    schema: Schema,
    edges: list[Float | None],
    pieces: list[Piece],
    classes: NDArray[Any],
    carries_weight: bool,
    equal: bool,
) -> TreeShard:
    encoder = BlockEncoder(schema, edges, sum(piece.table.n_rows for piece in pieces), np.empty)
    for piece in pieces:
        encoder.add(conform(schema, piece.table), own_threads())
    target = np.concatenate([target_of(piece, classes) for piece in pieces]).astype(np.int32)
    count = None
    if pieces[0].weight is not None:
        weight = np.concatenate([_weight(piece) for piece in pieces])
        count = (weight if carries_weight and not equal else weight > 0).astype(np.uint32)
    return TreeShard(tuple(encoder.codes), encoder.n_codes, target, count, None)


def _weight(piece: Piece) -> Float:
    return np.ones(piece.table.n_rows) if piece.weight is None else piece.weight


def describe_codes(
    schema: Schema, edges: list[Float | None], pieces: list[Piece], first: list[int]
) -> list[tuple[Float, Count, int]]:
    """By column: a number for each code, the position of the row that has it, and the missing cells. The last row
    counts, as in BlockEncoder."""
    out = []
    for j, own in enumerate(edges):
        n_codes = len(schema.levels[j]) if own is None else len(own) + 1
        values, last, missing = np.zeros(n_codes + 1), np.full(n_codes + 1, -1), 0
        for piece, start in zip(pieces, first, strict=True):
            column = conform(schema, piece.table).columns[j]
            if own is None:
                missing += int(np.count_nonzero(column.values < 0)) if column.kind == "category" else 0
                continue
            codes = np.empty((1, piece.table.n_rows), np.uint8)
            missing += int(
                native.gradient_bin_codes([column.numbers], [own], np.zeros(1, np.int64), codes, 1)[0]
            )
            values[codes[0]] = column.numbers
            last[codes[0]] = start + np.arange(piece.table.n_rows)
        out.append((values, last, missing))
    return out


def _join_codes(
    schema: Schema, edges: list[Float | None], found: list[list[tuple[Float, Count, int]]]
) -> tuple[Columns, Count]:
    values, n_missing, n_codes = [], [], []
    for j, own in enumerate(edges):
        all_values = np.stack([one[j][0] for one in found])
        latest = np.stack([one[j][1] for one in found]).argmax(axis=0)
        joined = all_values[latest, np.arange(all_values.shape[1])]
        values.append(np.empty(0) if own is None else joined[:-1])
        n_missing.append(sum(one[j][2] for one in found))
        n_codes.append(all_values.shape[1] - 1)
    return Columns(schema, tuple(edges), np.array(n_codes, np.int64), tuple(values)), np.array(n_missing)


# --- tasks: the places of rows


RowKeys = dict[str, Any]  # by row of a shard: hash, class, position, weight; and its row


def hash_pieces(schema: Schema, pieces: list[Piece], first: list[int], classes: NDArray[Any]) -> RowKeys:
    """Of the rows that count."""
    parts: dict[str, list[Any]] = {name: [] for name in ("hash", "target", "position", "weight", "row")}
    at = 0
    for piece, start in zip(pieces, first, strict=True):
        table, weight = conform(schema, piece.table), _weight(piece)
        used = np.flatnonzero(weight > 0)
        parts["hash"].append(row_hashes(table.columns, table.n_rows)[used])
        parts["target"].append(target_of(piece, classes)[used])
        parts["position"].append(start + used)
        parts["weight"].append(weight[used])
        parts["row"].append(at + used)
        at += table.n_rows
    return {name: np.concatenate(own) for name, own in parts.items()}


class OrderedRange:
    """The rows whose hash is in a range, in the order of their content."""

    def __init__(self, shard: Count, row: Count, weight: Float) -> None:
        self.shard, self.row, self.weight = shard, row, weight

    def __len__(self) -> int:
        return len(self.row)


def order_range(keys: list[RowKeys], number: int, n_ranges: int) -> OrderedRange:
    """By hash, then class, then position, as content_order has them."""
    low = number * 2**64 // n_ranges
    high = (number + 1) * 2**64 // n_ranges - 1
    own = [(one["hash"] >= np.uint64(low)) & (one["hash"] <= np.uint64(high)) for one in keys]
    joined = {
        name: np.concatenate([one[name][at] for one, at in zip(keys, own, strict=True)]) for name in keys[0]
    }
    shard = np.repeat(np.arange(len(keys)), [int(at.sum()) for at in own])
    order = np.lexsort((joined["position"], joined["target"], joined["hash"]))
    return OrderedRange(shard[order], joined["row"][order], joined["weight"][order])


def _line_end(ordered: OrderedRange, begin: float) -> float:
    return float(_line(ordered, begin)[-1])


def _line(ordered: OrderedRange, begin: float) -> Float:
    """The ends of the stretches, with the one before first: added up one after the other, as on one machine."""
    return np.cumsum(np.append(begin, ordered.weight))


def place_rows(
    shard: TreeShard, number: int, ranges: list[OrderedRange], starts: list[int], line: list[float] | None
) -> TreeShard:
    row, place, begin, end = [], [], [], []
    for r, own in enumerate(ranges):
        at = np.flatnonzero(own.shard == number)
        row.append(own.row[at])
        place.append(starts[r] + at)
        if line is not None:
            ends = _line(own, line[r])
            begin.append(ends[at])
            end.append(ends[at + 1])
    none = np.empty(0)
    places = Places(
        np.concatenate(row),
        np.concatenate(place),
        np.concatenate([none, *begin]),
        np.concatenate([none, *end]),
    )
    return replace(shard, places=places, state=None)


# --- what is checked


def _check_whole(weights: WeightFacts | None) -> None:
    if weights is not None and not (weights.whole and weights.high < LARGEST_WEIGHT):
        raise ValueError(
            "No worker has memory for all rows, and trees that are grown by counts take weights that are whole "
            "numbers, whose sums have no order; these are not. Multiply and round them, use bootstrap=True, which "
            "draws by weight, or give a worker more memory."
        )


def rows_in_one_place(client: Any, n_columns: int) -> int:
    """Of a node that one worker grows: a quarter of the smallest one's memory."""
    limits = [worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()]
    least = min((own for own in limits if own > 0), default=2**40)
    a_cell, a_row = BYTES_WHILE_GROWING
    return max(1, min(2**30, least // 4 // (a_cell * n_columns + a_row)))


def _check_memory(client: Any, n_rows: int, n_columns: int) -> None:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    limit = sum(worker["memory_limit"] for worker in workers.values())
    a_row = n_columns + BYTES_PER_ROW + 8 * TREES_AT_ONCE
    if 0 < limit < n_rows * a_row:
        raise MemoryError(
            f"{n_rows:,} rows of {n_columns} columns want {n_rows * a_row / 1e9:.2f} GB of memory on the workers "
            f"({a_row} bytes a row), but {len(workers)} workers have {limit / 1e9:.2f} GB together. Add workers, give "
            "them more memory, or fit on one machine from a hedgerow.TableStream, which may use files."
        )
