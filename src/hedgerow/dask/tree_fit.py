"""Trees and forests whose rows fit no single worker.   In: an estimator and delayed partitions.   Out: its
trees, those of `max_bins` on one machine, to the bit.

    partitions -> pieces, weights on a grid -> counts -> bins -> shards, one a worker -> places of the rows -> trees

A forest draws rows by their place in an order of their content (ensemble/draws.py). To find it, hashes are sent to the
worker that has their range, put in order there, and their places sent back: 24 bytes a row, once.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.dask.cluster import Steps, own_threads, run_shard
from hedgerow.dask.pieces import (
    Piece,
    Use,
    by_worker,
    delayed,
    empty_table,
    find_facts,
    gather_counts,
    make_tree_piece,
    target_of,
    weight_of,
    without_callbacks,
)
from hedgerow.dask.tree_grower import Columns, Node, Rules, grow_rest, grow_trees
from hedgerow.dask.tree_shard import (
    Answer,
    Facts,
    NodeRows,
    Places,
    Request,
    TreePlan,
    TreeShard,
    TreeWay,
    add_answers,
    add_facts,
    add_number_answers,
    add_number_facts,
)
from hedgerow.encode.blocks import BlockEncoder, conform
from hedgerow.encode.encoded import MOST_BINS
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import How, row_hashes
from hedgerow.estimators.columns import remember_columns
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree_stream import edges_of
from hedgerow.fitting.exact import round_weights, weight_unit
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.target import check_sample_weight, compute_class_weights, encode_numbers
from hedgerow.gradient.counts import TableCounts
from hedgerow.gradient.sums import round_limbs, sum_limbs
from hedgerow.grow import Classes, Limits, Numbers
from hedgerow.grow.scale import Scale, scale_of
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float, Mask

TREES_AT_ONCE = 8  # 12 bytes a row each, on the workers
BYTES_PER_ROW = 32  # of a shard, besides a byte a cell
BYTES_WHILE_GROWING = (6, 80)  # a cell, a row: of nodes that are grown in one place
MOST_RANGES = 32  # of hashes


@dataclass(frozen=True)
class WeightFacts:
    """Of the weights above zero, all on a grid."""

    low: float
    high: float
    total: float

    @property
    def equal(self) -> bool:
        return self.low == self.high


class SpreadRows:
    """The rows of a collection as shards, and what is known of all of them."""

    def __init__(
        self, model: Any, client: Any, parts: list[tuple[Any, Any, Any]], params: TreeParams
    ) -> None:
        self.client = client
        bare = without_callbacks(model)
        pieces = client.compute([delayed(make_tree_piece)(bare, *part) for part in parts])
        of_classes = params.task == "classification"
        if not of_classes:
            pieces = [client.submit(check_piece, piece, type(model).__name__, pure=False) for piece in pieces]
        facts = client.gather([client.submit(find_facts, piece, of_classes) for piece in pieces])
        kept = [k for k, fact in enumerate(facts) if fact.n_rows]
        if not kept:
            raise ValueError("The collection has no rows. Give at least one partition with rows.")
        self.pieces, facts = [pieces[k] for k in kept], [facts[k] for k in kept]
        names, named = facts[0].names, facts[0].named
        remember_columns(model, *[empty_table(names, named)] * 2)
        labels = np.concatenate([fact.labels for fact in facts])
        self.classes: NDArray[Any] | None = None
        if of_classes:
            self.classes = check_classes(type(model).__name__, labels, len(labels), None, None)[1]
            self._weigh_by_class(getattr(model, "class_weight", None) if hasattr(model, "splitter") else None)
        else:
            encode_numbers(np.array([labels.min(), labels.max()], np.float64), None, params.criterion)
        self.extremes = (0.0, 0.0) if of_classes else (float(labels.min()), float(labels.max()))
        self.n_rows = sum(fact.n_rows for fact in facts)
        self.weights: WeightFacts | None = None
        self.n_used = self.n_rows
        self._round_weights()
        self.by_worker = by_worker(client, self.pieces)
        uses = [client.submit(_use_weighted, piece, pure=False) for piece in self.pieces]
        counts = gather_counts(client, self.by_worker, self.pieces, uses, names, named)
        max_bins = params.max_bins or MOST_BINS
        self.schema, self.edges = client.submit(_choose_edges, counts, max_bins).result()
        self.first = np.cumsum([0, *(fact.n_rows for fact in facts)]).tolist()

    @property
    def n_classes(self) -> int:
        return 0 if self.classes is None else len(self.classes)

    def _weigh_by_class(self, given: Any) -> None:
        """A tree's weights: those of its rows times those of their classes."""
        if given is None:
            return
        assert self.classes is not None
        limbs = self.client.gather(
            [self.client.submit(class_limbs, piece, self.classes, pure=False) for piece in self.pieces]
        )
        total = np.array([round_limbs(own) for own in np.sum(limbs, axis=0)])
        by_class = compute_class_weights(given, self.classes, np.arange(len(total)), total)
        self.pieces = [
            self.client.submit(weigh_piece, piece, self.classes, by_class, pure=False)
            for piece in self.pieces
        ]

    def _round_weights(self) -> None:
        """On the grid of with_exact_sums."""
        found = self.client.gather(
            [self.client.submit(find_weights, piece, pure=False) for piece in self.pieces]
        )
        there = [one for one in found if one is not None]
        if not there:
            return
        if not sum(one.n_weighted for one in there):
            raise ValueError("sample_weight is zero in every row, so that no row is left to learn from.")
        unit = weight_unit(np.sum([one.limbs for one in there], axis=0))
        used = [one for one in there if one.n_weighted]
        low, high = min(one.low for one in used), max(one.high for one in used)
        low, high = round_weights(np.array([low, high]), unit).tolist()
        self.pieces = [self.client.submit(round_piece, piece, unit, pure=False) for piece in self.pieces]
        totals = self.client.gather(
            [self.client.submit(total_weight, piece, pure=False) for piece in self.pieces]
        )
        self.weights = WeightFacts(low, high, sum(totals))
        self.n_used = sum(one.n_weighted for one in there)

    def shards(self, carries_weight: bool, equal: bool, scale: Scale) -> list[Any]:
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
                (scale.value, scale.weight),
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
    scale = _scale_of(rows, params.criterion, carries and not equal)
    limits = scale.rescale_limits(limits)
    _check_memory(client, rows.n_rows, len(rows.schema.names))
    shards = rows.shards(carries, equal, scale)
    columns, n_missing = rows.columns()
    line_end = 0.0
    if how != "all":
        shards, line_end = rows.places(shards, carries, equal)
    plan = TreePlan(rows.n_classes, params.criterion, how, rows.n_used, size, line_end, seed)
    rules = Rules(
        columns,
        rows.n_classes,
        params.criterion,
        limits,
        subtree_rows or rows_in_one_place(client, len(rows.schema.names)),
    )
    trees: list[Tree] = []
    for first in range(0, len(keys), TREES_AT_ONCE):
        batch = tuple(range(first, min(first + TREES_AT_ONCE, len(keys))))
        steps = TreeSteps(client, shards, plan, batch)
        trees += grow_trees(rules, steps, [keys[t] for t in batch])
    return [scale.unscale(tree) for tree in trees], columns, n_missing


def _scale_of(rows: SpreadRows, criterion: str, weighted: bool) -> Scale:
    """As scale_of of all rows."""
    weight = np.full(2, rows.weights.high) if weighted and rows.weights is not None else None
    if rows.classes is not None:
        return scale_of(Classes(np.zeros(2, np.int32), rows.n_classes, weight), criterion)
    return scale_of(Numbers(np.array(rows.extremes), weight), criterion)


class TreeSteps(Steps):
    """Counts over the rows of all shards, of the trees that grow now."""

    def __init__(self, client: Any, shards: list[Any], plan: TreePlan, trees: tuple[int, ...]) -> None:
        super().__init__(client, shards, plan)
        self.trees, self.n_numbers = trees, len(trees)

    def way(self, whole: bool) -> TreeWay:
        return TreeWay(self.trees, tuple(self.steps))

    def facts(self) -> list[Facts]:
        self.steps.append(("facts",))
        return self.ask(run_shard, add_facts if self.plan.n_classes else add_number_facts)  # type: ignore[no-any-return]

    def count(self, requests: list[tuple[int, Request]]) -> list[Answer]:
        self.steps.append(("count", requests))
        return self._ask_sums()

    def part(self, splits: list[tuple[int, int, Mask, tuple[Request, Request]]]) -> list[Answer]:
        self.steps.append(("part", splits, self.n_numbers))
        self.n_numbers += 2 * len(splits)
        return self._ask_sums()

    def _ask_sums(self) -> list[Answer]:
        return self.ask(run_shard, add_answers if self.plan.n_classes else add_number_answers)  # type: ignore[no-any-return]

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


# --- tasks: from pieces to shards


def check_piece(piece: Piece, name: str) -> Piece:
    """Its target as numbers."""
    if not piece.table.n_rows:
        return piece
    return replace(piece, labels=check_numbers(name, piece.labels, piece.table.n_rows, None, "").values)


def class_limbs(piece: Piece, classes: NDArray[Any]) -> Count:
    """The weight of each class, exactly: classes x limbs."""
    target, weight = target_of(piece, classes), _weight(piece)
    return np.stack([sum_limbs(weight[target == k]) for k in range(len(classes))])


def weigh_piece(piece: Piece, classes: NDArray[Any], by_class: Float) -> Piece:
    return replace(piece, weight=weight_of(piece, target_of(piece, classes), by_class))


@dataclass(frozen=True, eq=False)
class FoundWeights:
    """Of the weights above zero of a piece."""

    n_weighted: int
    low: float
    high: float
    limbs: Count  # their sum, exactly


def find_weights(piece: Piece) -> FoundWeights | None:
    if piece.weight is None:
        return None
    if piece.weight.any():  # a partition may have none
        check_sample_weight(piece.weight, piece.table.n_rows)
    there = piece.weight[piece.weight > 0]
    ends = (float(there.min()), float(there.max())) if len(there) else (np.inf, 0.0)
    return FoundWeights(len(there), *ends, sum_limbs(there))


def round_piece(piece: Piece, unit: float) -> Piece:
    return replace(piece, weight=round_weights(_weight(piece), unit))


def total_weight(piece: Piece) -> float:
    """Exact: the weights are on a grid."""
    return float(_weight(piece).sum())


def _use_weighted(piece: Piece) -> Use:
    n = piece.table.n_rows
    return Use(np.ones(n, bool) if piece.weight is None else piece.weight > 0, np.zeros(n, bool))


def _choose_edges(counts: TableCounts, max_bins: int) -> tuple[Schema, list[Float | None]]:
    return counts.schema(), [edges_of(column, max_bins) for column in counts.columns]


def make_tree_shard(
    schema: Schema,
    edges: list[Float | None],
    pieces: list[Piece],
    classes: NDArray[Any] | None,
    carries_weight: bool,
    equal: bool,
    exponents: tuple[int, int],
) -> TreeShard:
    """`exponents`: powers of two that target and weight are multiplied by."""
    encoder = BlockEncoder(schema, edges, sum(piece.table.n_rows for piece in pieces), np.empty)
    for piece in pieces:
        encoder.add(conform(schema, piece.table), own_threads())
    target = np.concatenate([target_of(piece, classes) for piece in pieces])
    target = np.ldexp(target, exponents[0]) if classes is None else target.astype(np.int32)
    weight = None
    if pieces[0].weight is not None:
        weight = np.concatenate([_weight(piece) for piece in pieces])
        weight = np.ldexp(weight, exponents[1]) if carries_weight and not equal else (weight > 0) * 1.0
    return TreeShard(tuple(encoder.codes), encoder.n_codes, target, weight, None)


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
                missing += int(np.count_nonzero(column.missing))
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


def hash_pieces(
    schema: Schema, pieces: list[Piece], first: list[int], classes: NDArray[Any] | None
) -> RowKeys:
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


def rows_in_one_place(client: Any, n_columns: int) -> int:
    """Of a node that one worker grows: a quarter of the smallest one's memory."""
    limits = [worker["memory_limit"] for worker in client.scheduler_info(n_workers=-1)["workers"].values()]
    least = min((own for own in limits if own > 0), default=2**40)
    a_cell, a_row = BYTES_WHILE_GROWING
    return max(1, min(2**30, least // 4 // (a_cell * n_columns + a_row)))


def _check_memory(client: Any, n_rows: int, n_columns: int) -> None:
    workers = client.scheduler_info(n_workers=-1)["workers"]
    limit = sum(worker["memory_limit"] for worker in workers.values())
    a_row = n_columns + BYTES_PER_ROW + 12 * TREES_AT_ONCE
    if 0 < limit < n_rows * a_row:
        raise MemoryError(
            f"{n_rows:,} rows of {n_columns} columns want {n_rows * a_row / 1e9:.2f} GB of memory on the workers "
            f"({a_row} bytes a row), but {len(workers)} workers have {limit / 1e9:.2f} GB together. Add workers, give "
            "them more memory, or fit on one machine from a hedgerow.TableStream, which may use files."
        )
