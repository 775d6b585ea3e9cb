"""Pieces: the partitions of a Dask collection as rows that a model learns from.   In: a collection.   Out: futures of
Piece, each on the worker that has the partition; what is known of all of them; shards, one a worker."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.dask.shard import Shard
from hedgerow.encode import matrix
from hedgerow.estimators.gradient_columns import read_table
from hedgerow.estimators.gradient_watch import held_out_positions
from hedgerow.gradient.bins import Bins, encode_block, group
from hedgerow.gradient.counts import TableCounts, no_counts
from hedgerow.gradient.search import Search
from hedgerow.table import Column, Table, to_table
from hedgerow.table.copies import find_copies
from hedgerow.types import Count, Float, Mask


def delayed(function: Any) -> Any:
    import dask

    return dask.delayed(function, pure=False)


def without_callbacks(model: Any) -> Any:
    """What workers need of it."""
    made = copy.copy(model)
    made.callbacks = None
    return made


def empty_table(names: tuple[str, ...], named: bool) -> Table:
    return Table(tuple(Column(name, "number", np.empty(0)) for name in names), 0, named)


def by_worker(client: Any, pieces: list[Any]) -> dict[str, list[int]]:
    """Which pieces lie where."""
    where = client.who_has(pieces)
    found: dict[str, list[int]] = {}
    for k, piece in enumerate(pieces):
        has = where.get(piece.key) or next(iter(client.scheduler_info(n_workers=-1)["workers"]), "")
        found.setdefault(sorted(has)[0] if not isinstance(has, str) else has, []).append(k)
    return found


def gather_counts(
    client: Any,
    own_of: dict[str, list[int]],
    pieces: list[Any],
    uses: list[Any],
    names: tuple[str, ...],
    named: bool,
) -> Any:
    """A future of the counts of all pieces, added up on the workers."""
    counts = [
        client.submit(count_pieces, [pieces[k] for k in own], [uses[k] for k in own], names, named)
        for own in own_of.values()
    ]
    while len(counts) > 1:
        counts = [client.submit(merge_counts, counts[k : k + 4]) for k in range(0, len(counts), 4)]
    return counts[0]


@dataclass(frozen=True, eq=False)
class Piece:
    table: Table
    by_number: frozenset[int]  # categories that were numbers
    labels: NDArray[Any]  # the target as it came
    weight: Float | None

    def __sizeof__(self) -> int:
        """Dask runs a task where most of its bytes are."""
        return self.labels.nbytes + sum(np.asarray(one.values).nbytes for one in self.table.columns)


@dataclass(frozen=True, eq=False)
class PieceFacts:
    n_rows: int
    n_weighted: int
    labels: NDArray[Any]  # classes: those that occur; numbers: the least and the largest
    count_of_class: dict[Any, int]
    names: tuple[str, ...]
    named: bool


@dataclass(frozen=True, eq=False)
class Use:
    """Which rows of a piece train, and which are held out."""

    train: Mask
    aside: Mask


def make_piece(model: Any, x: Any, y: Any, weight: Any) -> Piece:
    """As gradient boosting reads it."""
    return _read_piece(lambda plain: read_table(model, plain, None), x, y, weight)


def make_tree_piece(model: Any, x: Any, y: Any, weight: Any) -> Piece:
    """As trees and forests read it."""
    return _read_piece(lambda plain: to_table(plain, categories=model.categorical_features), x, y, weight)


def _read_piece(read: Callable[[Table], Table], x: Any, y: Any, weight: Any) -> Piece:
    if isinstance(y, str):
        y, x = x[y], x.drop(columns=[y])
    if isinstance(weight, str):
        weight, x = x[weight], x.drop(columns=[weight])
    if not len(x):  # a table without rows is refused elsewhere, a partition may be empty
        return Piece(Table((), 0, hasattr(x, "columns")), frozenset(), np.asarray(y), None)
    plain = to_table(x)
    table = read(plain)
    pairs = enumerate(zip(plain.columns, table.columns, strict=True))
    by_number = frozenset(j for j, (old, new) in pairs if old.kind != new.kind and old.kind == "number")
    labels = y.to_numpy() if hasattr(y, "to_numpy") else np.asarray(y)
    return Piece(table, by_number, labels, None if weight is None else np.asarray(weight, np.float64))


def find_facts(piece: Piece, classes: bool) -> PieceFacts:
    used = piece.labels if piece.weight is None else piece.labels[piece.weight > 0]
    found = np.unique(piece.labels) if classes or not len(used) else np.array([used.min(), used.max()])
    counts = dict(zip(*(array.tolist() for array in np.unique(used, return_counts=True)), strict=True))
    return PieceFacts(
        piece.table.n_rows,
        len(used),
        found,
        counts if classes else {},
        piece.table.names,
        piece.table.named,
    )


def count_pieces(pieces: list[Piece], uses: list[Use], names: tuple[str, ...], named: bool) -> TableCounts:
    """Of the pieces of one worker."""
    counts = no_counts(names, named)
    there = [(piece, use) for piece, use in zip(pieces, uses, strict=True) if piece.table.n_rows]
    counts.add_all(
        [piece.table for piece, _ in there], [use.train for _, use in there], [p.by_number for p, _ in there]
    )
    return counts


def merge_counts(counts: list[TableCounts]) -> TableCounts:
    """A new one: what a task is given may be given to another."""
    total = copy.deepcopy(counts[0])
    for more in counts[1:]:
        total.merge(more)
    return total


def target_of(piece: Piece, classes: NDArray[Any] | None) -> Float:
    if classes is None:
        return np.ascontiguousarray(piece.labels, np.float64)
    return np.searchsorted(classes, piece.labels).astype(np.float64)


def weight_of(piece: Piece, target: Float, by_class: Float | None) -> Float | None:
    if by_class is None:
        return piece.weight
    own = by_class[target.astype(np.int64)]
    return own if piece.weight is None else piece.weight * own


def use_all(piece: Piece, by_class: Float | None, classes: NDArray[Any] | None) -> Use:
    """Rows with a weight train."""
    weight = weight_of(piece, target_of(piece, classes), by_class)
    train = np.ones(piece.table.n_rows, bool) if weight is None else weight > 0
    return Use(train, np.zeros(piece.table.n_rows, bool))


def divide_by_position(use: Use, piece: Piece, start: int, share: float, seed: int, rare: list[Any]) -> Use:
    """`start`: the row's number in the whole table; `rare`: classes that train with all their rows."""
    out = use.train & held_out_positions(start + np.arange(len(use.train)), share, seed)
    out &= ~np.isin(piece.labels, rare)
    return Use(use.train & ~out, out)


def divide_together(model: Any, pieces: list[Piece], by_class: Float | None) -> list[Use]:
    """As on one machine, where the rows are few enough for one worker."""
    classes = getattr(model, "classes_", None)
    targets = [target_of(piece, classes) for piece in pieces]
    weights = [weight_of(piece, own, by_class) for piece, own in zip(pieces, targets, strict=True)]
    target = np.concatenate(targets)
    weight = None if weights[0] is None else np.concatenate([own for own in weights if own is not None])
    train, aside = model._divide(len(target), target, weight, False, lambda: find_copies(join_tables(pieces)))
    out = np.zeros((2, len(target)), bool)
    out[0, train], out[1, aside] = True, True
    ends = np.cumsum([len(own) for own in targets])
    return [
        Use(out[0, e - len(own) : e], out[1, e - len(own) : e]) for e, own in zip(ends, targets, strict=True)
    ]


def join_tables(pieces: list[Piece]) -> Table:
    """One Table of all rows, each category with the levels of all pieces."""
    counts = no_counts(pieces[0].table.names, pieces[0].table.named)
    for piece in pieces:
        counts.add(piece.table, np.zeros(piece.table.n_rows, bool), piece.by_number, 1)
    schema = counts.schema()
    cells = np.concatenate([matrix(schema, piece.table) for piece in pieces])
    columns = []
    for j, (name, kind, levels) in enumerate(zip(schema.names, schema.kinds, schema.levels, strict=True)):
        values = cells[:, j]
        if kind == "category":
            columns.append(
                Column(name, kind, np.where(np.isnan(values), -1, values).astype(np.int32), levels)
            )
        else:
            columns.append(Column(name, kind, values))
    return Table(tuple(columns), len(cells), schema.named)


def make_shard(
    bins: Bins,
    pieces: list[Piece],
    uses: list[Use],
    first: list[int],
    classes: NDArray[Any] | None,
    by_class: Float | None,
) -> Shard:
    """The rows of some pieces in one place. `first`: the position of each piece's first row among all that train."""
    from hedgerow.dask.cluster import own_threads

    threads = own_threads()
    parts: dict[str, list[Any]] = {
        name: [] for name in ("codes", "target", "weight", "position", "rows", "rows_target", "rows_weight")
    }
    for piece, use, start in zip(pieces, uses, first, strict=True):
        if not piece.table.n_rows:
            continue
        target = target_of(piece, classes)
        weight = weight_of(piece, target, by_class)
        parts["codes"].append(encode_block(bins, piece.table.take(np.flatnonzero(use.train)), threads))
        parts["rows"].append(matrix(bins.schema, piece.table.take(np.flatnonzero(use.aside))))
        parts["position"].append(start + np.arange(int(use.train.sum())))
        for name, own in (("target", target), ("weight", weight)):
            parts[name].append(None if own is None else own[use.train])
            parts[f"rows_{name}"].append(None if own is None else own[use.aside])
    d = len(bins.n_bins)
    codes = np.concatenate([np.empty((d, 0), np.uint8), *parts["codes"]], axis=1)
    return Shard(
        group(bins, np.ascontiguousarray(codes), np.empty, threads),
        _join(parts["target"]),
        _join_weights(parts["weight"]),
        _join(parts["position"]).astype(np.int64),
        np.ascontiguousarray(np.concatenate([np.empty((0, d)), *parts["rows"]])),
        _join(parts["rows_target"]),
        _join_weights(parts["rows_weight"]),
    )


def _join(parts: list[Any]) -> Any:
    return np.concatenate([np.empty(0), *parts])


def _join_weights(parts: list[Any]) -> Any:
    return None if not parts or parts[0] is None else np.concatenate(parts)


def find_statistics(shard: Shard, loss: Any) -> Count:
    return np.asarray(loss.statistics(shard.target, shard.weight))


def search_target(shard: Shard, search: Search, read: Callable[[Float], Float]) -> Any:
    return search.look(read(shard.target), shard.weight)
