"""Places of rows: a forest draws rows by their place in an order of their content (ensemble/draws.py).   In: pieces.
Out: the place of each row of a shard among all rows.

Hashes are sent to the worker that has their range, put in order there, and their places sent back: 24 bytes a row,
once.
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.dask.pieces import Piece, row_weights, target_of
from hedgerow.dask.trees.shard import Places, TreeShard
from hedgerow.encode.blocks import conform
from hedgerow.encode.schema import Schema
from hedgerow.ensemble.draws import row_hashes
from hedgerow.types import Count, Float

RowKeys = dict[str, Any]  # by row of a shard: hash, class, position, weight; and its row


def hash_pieces(
    schema: Schema, pieces: list[Piece], first: list[int], classes: NDArray[Any] | None
) -> RowKeys:
    """Of the rows that count."""
    parts: dict[str, list[Any]] = {name: [] for name in ("hash", "target", "position", "weight", "row")}
    at = 0
    for piece, start in zip(pieces, first, strict=True):
        table, weight = conform(schema, piece.table), row_weights(piece)
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


def find_line_end(ordered: OrderedRange, begin: float) -> float:
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
