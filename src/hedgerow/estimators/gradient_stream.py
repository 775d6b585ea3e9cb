"""Gradient boosting on a stream.   In: an estimator, a stream and the name of its target.   Out: the estimator, fitted;
the model is the one that all rows at once would give, to the bit.

    target, weights   one entry a row, in memory
    first pass        what each column is, its levels, the counts that its bins follow from (gradient/counts.py)
    second pass       codes, a byte a cell, twice; beyond the stream's `memory` in a file that is removed afterwards
    rounds            as always
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.encode import matrix
from hedgerow.estimators.columns import remember_columns
from hedgerow.estimators.gradient_columns import read_table
from hedgerow.estimators.gradient_params import check_max_bins
from hedgerow.estimators.gradient_watch import RoundWatch, Watched
from hedgerow.estimators.stream_target import TargetReader, read_weight
from hedgerow.gradient.bins import Bins, choose_bins, encode_block, group
from hedgerow.gradient.counts import TableCounts, no_counts
from hedgerow.stream import ArrayStore, TableStream, to_stream
from hedgerow.table import Table, to_table
from hedgerow.table.copies import find_copies
from hedgerow.types import Byte, Float, Mask

if TYPE_CHECKING:
    import polars as pl

    from hedgerow.estimators.gradient_base import HistGradientBoosting

COUNT_AT_ONCE = 1 << 18  # rows: fewer would be gathered before they are counted


def fit_stream(
    model: "HistGradientBoosting", X: Any, y: Any, sample_weight: Any, given: tuple[Any, Any, Any]
) -> None:
    """`given`: X, y and weights of rows to judge the rounds by, or None."""
    stream = to_stream(X)
    _refuse(model, stream, y)
    target_name = stream.check_column(y, "y")
    if isinstance(sample_weight, str):
        stream.check_column(sample_weight, "sample_weight")
    features = [name for name in stream.names if name not in (y, sample_weight)]
    reader = FeatureReader(model, stream, features)
    with ArrayStore(stream.memory, stream.folder) as store:
        weight = read_weight(stream, sample_weight)
        target, weight = model._read_target(TargetReader(stream, target_name), weight)
        model._loss = model._new_loss()
        model._loss.check_target(target if weight is None else target[weight > 0])
        model._begin()
        train, aside = model._divide(
            len(target), target, weight, given[0] is not None, lambda: find_copies(reader.read_all())
        )
        use = _mask(len(target), train) if len(train) < len(target) else None
        threads = threads_for(model.n_jobs, len(train) * len(features))
        bins = choose_bins(reader.count(use, threads), check_max_bins(model))
        codes = store.empty((len(features), len(train)), np.uint8)
        rows = store.empty((len(aside), len(features)), np.float64)
        reader.encode(bins, _mask(len(target), train), _mask(len(target), aside), codes, rows, threads)
        binned = group(bins, codes, store.empty, threads)
        watched = None
        if given[0] is not None:
            watched = model._given_rows(*given)
        elif len(aside):
            watched = Watched(rows, target[aside], None if weight is None else weight[aside], None, None)
        if use is not None:
            target, weight = target[train], None if weight is None else weight[train]
        del train, aside, use
        watch = RoundWatch(model, model._loss, None, target, weight, watched, threads)
        model._boost(binned, target, weight, watch, threads, allocate=store.empty)


def _mask(n_rows: int, rows: Any) -> Mask:
    mask = np.zeros(n_rows, bool)
    mask[rows] = True
    return mask


def _refuse(model: "HistGradientBoosting", stream: TableStream, y: Any) -> None:
    if not isinstance(y, str):
        raise TypeError(
            f"A stream was given with y of type {type(y).__name__}. Give the name of the target column: one of "
            f"{', '.join(map(repr, stream.names[:8]))}."
        )
    if model.warm_start and hasattr(model, "trees_"):
        raise ValueError("warm_start=True goes on from rows in memory. For a stream, give warm_start=False.")


class FeatureReader:
    """The columns that a model learns from, block by block."""

    def __init__(self, model: Any, stream: TableStream, names: list[str]) -> None:
        self.model, self.stream, self.names = model, stream, names
        self.by_number: frozenset[int] = frozenset()

    def tables(self) -> Iterator[Table]:
        for block in self.stream.blocks(self.names):
            yield self._table(block)

    def _table(self, block: Any) -> Table:
        plain = to_table(block)
        table = read_table(self.model, plain, None)
        pairs = enumerate(zip(plain.columns, table.columns, strict=True))
        self.by_number |= {j for j, (old, new) in pairs if old.kind != new.kind and old.kind == "number"}
        return table

    def read_all(self) -> Table:
        import polars as pl

        return self._table(pl.concat(self.stream.blocks(self.names)))

    def count(self, use: Mask | None, threads: int) -> TableCounts:
        """Of the rows in `use`; the columns are remembered."""
        counts, at = None, 0
        for block in _gather(self.stream.blocks(self.names)):
            table = self._table(block)
            if counts is None:
                remember_columns(self.model, table, table)
                counts = no_counts(table.names, table.named)
            part = None if use is None else use[at : at + table.n_rows]
            counts.add(table, part, self.by_number, threads)
            at += table.n_rows
        assert counts is not None
        return counts

    def encode(self, bins: Bins, use: Mask, aside: Mask, codes: Byte, rows: Float, threads: int) -> None:
        """Codes of the rows in `use`; the rows in `aside` as trees read them."""
        at = done = kept = 0
        for table in self.tables():
            here = slice(at, at + table.n_rows)
            own = table.take(np.flatnonzero(use[here]))
            codes[:, done : done + own.n_rows] = encode_block(bins, own, threads)
            part = table.take(np.flatnonzero(aside[here]))
            rows[kept : kept + part.n_rows] = matrix(bins.schema, part)
            at, done, kept = at + table.n_rows, done + own.n_rows, kept + part.n_rows


def _gather(blocks: "Iterator[pl.DataFrame]") -> "Iterator[pl.DataFrame]":
    """Small blocks put together: to count few rows takes as long as to count many."""
    import polars as pl

    kept: list[pl.DataFrame] = []
    for block in blocks:
        if kept and kept[0].schema != block.schema:
            yield pl.concat(kept)
            kept = []
        kept.append(block)
        if sum(part.height for part in kept) >= COUNT_AT_ONCE:
            yield pl.concat(kept)
            kept = []
    if kept:
        yield pl.concat(kept)
