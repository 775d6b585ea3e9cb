"""Trees and forests whose rows fit no single worker.   In: an estimator and delayed partitions.   Out: its
trees, those of `max_bins` on one machine, to the bit.

    partitions -> pieces, weights on a grid -> counts -> bins -> shards, one a worker -> places of the rows -> trees
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.dask.memory import check_memory, memory_limits
from hedgerow.dask.pieces import (
    Parts,
    Piece,
    Use,
    by_worker,
    find_pieces,
    gather_counts,
    make_tree_piece,
    row_weights,
    target_of,
    weight_of,
)
from hedgerow.dask.steps import own_threads
from hedgerow.dask.trees.grower import Columns, Rules, TreesGrower
from hedgerow.dask.trees.join import join_tree
from hedgerow.dask.trees.places import find_line_end, hash_pieces, order_range, place_rows
from hedgerow.dask.trees.shard import TreePlan, TreeShard
from hedgerow.dask.trees.steps import TreeSteps
from hedgerow.encode.blocks import BlockEncoder, conform
from hedgerow.encode.encoded import MOST_BINS
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import How
from hedgerow.ensemble.forest import mean_class_weight
from hedgerow.estimators.targets import check_classes, check_numbers
from hedgerow.estimators.tree_stream import edges_of
from hedgerow.fitting.exact import round_weights, weight_unit
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.target import compute_class_weights, encode_numbers
from hedgerow.gradient.counts import TableCounts
from hedgerow.gradient.sums import round_limbs, sum_limbs
from hedgerow.grow import Classes, Limits, Numbers
from hedgerow.grow.scale import Scale, scale_of
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float

TREES_AT_ONCE = 8
BYTES_PER_ROW, BYTES_PER_TREE = 32, 12  # of a shard, besides a byte a cell; the latter for each row and tree
BYTES_WHILE_GROWING = (6, 80)  # a cell, a row: of nodes that are grown in one place
MOST_RANGES = 32  # of hashes


@dataclass(frozen=True)
class WeightFacts:
    """Of the weights above zero, all on a grid, so that their sum is exact."""

    n_rows: int
    low: float
    high: float
    total: float

    @property
    def equal(self) -> bool:
        return self.low == self.high


class SpreadRows:
    """The rows of a collection as shards, and what is known of all of them."""

    def __init__(self, model: Any, client: Any, parts: Parts, params: TreeParams) -> None:
        self.client = client
        of_classes = params.task == "classification"
        make = make_tree_piece if of_classes else make_number_piece
        self.pieces, facts = find_pieces(model, client, parts, make, of_classes)
        names, named = facts[0].names, facts[0].named
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
        self.by_class: Float | None = None  # of forests: weights of classes, on top of what is drawn
        self.balanced = False
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
        total = self._class_totals(equal=False)
        self._weigh(compute_class_weights(given, self.classes, np.arange(len(total)), total))

    def weigh_draws(self, model: Any) -> None:
        """As a forest weighs classes. Rows of a class without weight are not drawn."""
        total = self._class_totals(equal=False)
        codes = np.arange(len(total), dtype=np.int32)
        self.by_class, self.balanced = model._class_weight(Classes(codes, len(total), total))
        if self.by_class is not None and not self.by_class.all():
            self._weigh((self.by_class > 0).astype(np.float64))
            self._find_weights()

    def mean_tree_weight(self, how: How, size: int) -> float:
        """As that of ensemble/forest.py."""
        equal = self.weights is None or self.weights.equal
        total = float(size) if how != "all" or equal or self.weights is None else self.weights.total
        if self.by_class is None:
            return total
        return mean_class_weight(self.by_class, self._class_totals(equal)) * total

    def _class_totals(self, equal: bool) -> Float:
        """The weight of each class. `equal`: rows weigh one, if anything."""
        found = self.client.gather(self._submit_all(class_limbs, self.classes, equal))
        return np.array([round_limbs(limbs) for limbs in np.sum(found, axis=0)])

    def _weigh(self, by_class: Float) -> None:
        self.pieces = self._submit_all(weigh_piece, self.classes, by_class)

    def _submit_all(self, task: Any, *given: Any) -> list[Any]:
        return [self.client.submit(task, piece, *given, pure=False) for piece in self.pieces]

    def _round_weights(self) -> None:
        """On the grid of with_exact_sums."""
        found = self.client.gather(self._submit_all(weight_limbs))
        there = [limbs for limbs in found if limbs is not None]
        if there:
            self.pieces = self._submit_all(round_piece, weight_unit(np.sum(there, axis=0)))
            self._find_weights()

    def _find_weights(self) -> None:
        found = [one for one in self.client.gather(self._submit_all(find_weights)) if one.n_rows]
        if not found:
            raise ValueError("sample_weight is zero in every row, so that no row is left to learn from.")
        self.n_used = sum(one.n_rows for one in found)
        low, high = min(one.low for one in found), max(one.high for one in found)
        self.weights = WeightFacts(self.n_used, low, high, sum(one.total for one in found))

    def shards(self, carries_weight: bool, equal: bool, scale: Scale) -> list[Any]:
        """Futures. `carries_weight`: rows count as often as their weight says; `equal`: as one, if they have any."""
        return [
            self.client.submit(
                make_shard,
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
            line.append(client.submit(find_line_end, own, line[-1], pure=False).result())
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
) -> tuple[list[Tree], Columns, Count]:
    """A tree for each root's key. `relative`: weights that are all equal are no weights."""
    client = rows.client
    equal = relative and rows.weights is not None and rows.weights.equal
    carries = how != "bootstrap"
    scale = _scale_of(rows, params.criterion, carries and not equal)
    limits = scale.rescale_limits(limits)
    d = len(rows.schema.names)
    check_memory(client, rows.n_rows, d, 1, BYTES_PER_ROW + BYTES_PER_TREE * TREES_AT_ONCE)
    shards = rows.shards(carries, equal, scale)
    columns, n_missing = rows.columns()
    line_end = 0.0
    if how != "all":
        shards, line_end = rows.places(shards, carries, equal)
    plan = TreePlan(
        rows.n_classes,
        params.criterion,
        how,
        rows.n_used,
        size,
        line_end,
        seed,
        rows.by_class,
        rows.balanced,
    )
    whole = rows.weights is None or equal or not carries
    rules = Rules(
        columns,
        rows.n_classes,
        params.criterion,
        limits,
        rows_in_one_place(client, d),
        whole and not plan.weighs_classes,
    )
    trees: list[Tree] = []
    for first in range(0, len(keys), TREES_AT_ONCE):
        batch = tuple(range(first, min(first + TREES_AT_ONCE, len(keys))))
        grower = TreesGrower(rules, TreeSteps(client, shards, plan, batch))
        trees += [join_tree(rules, root) for root in grower.grow([keys[t] for t in batch])]
    return [scale.unscale(tree) for tree in trees], columns, n_missing


def _scale_of(rows: SpreadRows, criterion: str, weighted: bool) -> Scale:
    """As scale_of of all rows."""
    weight = np.full(2, rows.weights.high) if weighted and rows.weights is not None else None
    if rows.classes is not None:
        return scale_of(Classes(np.zeros(2, np.int32), rows.n_classes, weight), criterion)
    return scale_of(Numbers(np.array(rows.extremes), weight), criterion)


def rows_in_one_place(client: Any, n_columns: int) -> int:
    """Of a node that one worker grows: a quarter of the smallest one's memory."""
    least = min((own for own in memory_limits(client).values() if own), default=2**40)
    a_cell, a_row = BYTES_WHILE_GROWING
    return max(1, min(2**30, least // 4 // (a_cell * n_columns + a_row)))


# --- tasks: from pieces to shards


def make_number_piece(model: Any, x: Any, y: Any, weight: Any) -> Piece:
    """Its target as numbers."""
    piece = make_tree_piece(model, x, y, weight)
    if not piece.table.n_rows:
        return piece
    name = type(model).__name__
    return replace(piece, labels=check_numbers(name, piece.labels, piece.table.n_rows, None, "").values)


def class_limbs(piece: Piece, classes: NDArray[Any], equal: bool) -> Count:
    """The weight of each class, exactly: classes x limbs."""
    target, weight = target_of(piece, classes), row_weights(piece)
    weight = (weight > 0).astype(np.float64) if equal else weight
    return np.stack([sum_limbs(weight[target == k]) for k in range(len(classes))])


def weigh_piece(piece: Piece, classes: NDArray[Any], by_class: Float) -> Piece:
    return replace(piece, weight=weight_of(piece, target_of(piece, classes), by_class))


def weight_limbs(piece: Piece) -> Count | None:
    """Of their sum; None: there are none."""
    return None if piece.weight is None else sum_limbs(piece.weight)


def round_piece(piece: Piece, unit: float) -> Piece:
    return replace(piece, weight=round_weights(row_weights(piece), unit))


def find_weights(piece: Piece) -> WeightFacts:
    there = row_weights(piece)
    there = there[there > 0]
    ends = (float(there.min()), float(there.max())) if len(there) else (np.inf, 0.0)
    return WeightFacts(len(there), *ends, float(there.sum()))


def _use_weighted(piece: Piece) -> Use:
    n = piece.table.n_rows
    return Use(np.ones(n, bool) if piece.weight is None else piece.weight > 0, np.zeros(n, bool))


def _choose_edges(counts: TableCounts, max_bins: int) -> tuple[Schema, list[Float | None]]:
    return counts.schema(), [edges_of(column, max_bins) for column in counts.columns]


def make_shard(
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
        weight = np.concatenate([row_weights(piece) for piece in pieces])
        weight = np.ldexp(weight, exponents[1]) if carries_weight and not equal else (weight > 0) * 1.0
    return TreeShard(tuple(encoder.codes), encoder.n_codes, target, weight, None)


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
