"""Pieces: the partitions of a Dask collection as rows that a model learns from.   In: a collection.   Out: futures of
Piece, each on the worker that has the partition; what is known of all of them."""

import copy
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.estimators.columns import remember_columns
from hedgerow.estimators.gradient_columns import read_table
from hedgerow.fitting.target import check_sample_weight, refuse_missing
from hedgerow.gradient.counts import TableCounts, no_counts
from hedgerow.table import Column, Table, to_table
from hedgerow.types import Float, Mask
from hedgerow.words import listing, quote

Parts = list[tuple[Any, Any, Any]]  # delayed partitions of X, y and weights


def delayed(function: Any) -> Any:
    import dask

    return dask.delayed(function, pure=False)


def without_callbacks(model: Any) -> Any:
    """What workers need of it."""
    made = copy.copy(model)
    made.callbacks = None
    return made


def find_pieces(
    model: Any, client: Any, parts: Parts, make: Callable[..., "Piece"], of_classes: bool
) -> "tuple[list[Any], list[PieceFacts]]":
    """Futures of the pieces that have rows, and what is known of each."""
    bare = without_callbacks(model)
    pieces = client.compute([delayed(make_named)(k, make, bare, *part) for k, part in enumerate(parts)])
    facts = client.gather([client.submit(find_facts, piece, of_classes) for piece in pieces])
    kept = [k for k, fact in enumerate(facts) if fact.n_rows]
    if not kept:
        raise ValueError("The collection has no rows. Give at least one partition with rows.")
    if not any(facts[k].n_weighted for k in kept):
        raise ValueError("sample_weight is zero in every row, so that no row is left to learn from.")
    first = facts[kept[0]]
    check_names({k: facts[k].names for k in kept})
    table = Table(tuple(Column(name, "number", np.empty(0)) for name in first.names), 0, first.named)
    remember_columns(model, table, table)
    return [pieces[k] for k in kept], [facts[k] for k in kept]


def check_names(names_of: dict[int, tuple[Any, ...]]) -> None:
    """The names of the columns of each partition."""
    first, wanted = next(iter(names_of.items()))
    for k, names in names_of.items():
        if names != wanted:
            raise ValueError(
                f"Partition {k} has the columns {listing(names) or 'none'}, but partition {first} has "
                f"{listing(wanted)}. Give all partitions the same columns in the same order."
            )


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


def make_named(k: int, make: Callable[..., Piece], model: Any, x: Any, y: Any, weight: Any) -> Piece:
    """The piece of partition k. An error names the partition, as rows are counted within it."""
    columns = getattr(x, "columns", ())
    for name in (y, weight):
        if isinstance(name, str) and name not in columns:
            raise ValueError(
                f"Partition {k} has no column {quote(name)}. Columns: {listing(columns) or 'none with a name'}. Give "
                "all partitions the same columns in the same order."
            )
    try:
        return make(model, x, y, weight)
    except ValueError as error:
        raise ValueError(f"Partition {k}: {error}") from error


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
    refuse_missing(labels)
    weight = None if weight is None else np.asarray(weight, np.float64)
    if weight is not None and weight.any():  # a partition may have none
        check_sample_weight(weight, table.n_rows)
    return Piece(table, by_number, labels, weight)


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


def row_weights(piece: Piece) -> Float:
    return np.ones(piece.table.n_rows) if piece.weight is None else piece.weight


def weight_of(piece: Piece, target: Float, by_class: Float | None) -> Float | None:
    if by_class is None:
        return piece.weight
    own = by_class[target.astype(np.int64)]
    return own if piece.weight is None else piece.weight * own
