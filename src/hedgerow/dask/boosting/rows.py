"""Rows of boosting.   In: pieces.   Out: which rows of them train and which are held out; shards, one a worker."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.dask.boosting.shard import Shard
from hedgerow.dask.pieces import Piece, Use, target_of, weight_of
from hedgerow.dask.steps import own_threads
from hedgerow.encode import matrix
from hedgerow.estimators.gradient_watch import held_out_positions
from hedgerow.gradient.bins import Bins, encode_block, group
from hedgerow.gradient.counts import no_counts
from hedgerow.gradient.search import Search
from hedgerow.table import Column, Table
from hedgerow.table.copies import find_copies
from hedgerow.types import Count, Float


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
