"""Trees and forests on a stream.   In: an estimator, a stream, names of its target and weights.   Out: a tree, or the
estimator with its forest, grown from codes of at most 255 bins a column.

    target, weights   one entry a row, in memory
    first pass        what each column is, its levels, the counts that its bins follow from (gradient/counts.py)
    second pass       codes, a byte a cell; beyond the stream's `memory` in a file that is removed afterwards
    growing           as always

The model is the one of `max_bins` (255 where it is None) on all rows at once, to the bit, however the rows are cut.
"""

from typing import Any

import numpy as np
from sklearn.base import is_classifier

from hedgerow.core import native, threads_for
from hedgerow.encode.blocks import BlockEncoded, BlockEncoder, conform
from hedgerow.encode.encoded import MOST_BINS
from hedgerow.ensemble.draws import row_hashes
from hedgerow.estimators.stream_features import FeatureReader, name_columns
from hedgerow.estimators.stream_target import TargetReader, read_weight
from hedgerow.estimators.targets import Labels
from hedgerow.fitting.exact import with_exact_sums
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.tree import FittedTree, fit_encoded
from hedgerow.gradient.counts import ColumnCounts
from hedgerow.stream import ArrayStore, TableStream
from hedgerow.table import to_table
from hedgerow.types import Float, Word


def fit_tree_of_stream(
    model: Any, stream: TableStream, y: Any, sample_weight: Any, params: TreeParams, prune_with: Any
) -> FittedTree:
    if prune_with is not None or (params.prune is not None and params.prune.needs != "nothing"):
        raise ValueError(
            "A tree on a stream is grown from codes, and a pruning that judges branches by rows has none to look "
            "at. Use ccp_alpha, a pruning that needs no rows such as prune.Pessimistic(raising=False), or rows in "
            "memory."
        )
    with ArrayStore(stream.memory, stream.folder) as store:
        source = TreeStream(model, stream, y, sample_weight)
        target, classes = model._target(source.y, source.n_rows, source.weight, params)
        threads = threads_for(params.n_jobs, source.n_rows * len(source.features))
        rows = source.encode(store, params.max_bins, target.weight, threads)
        return fit_encoded(rows, target, params, threads, classes=classes)


def grow_forest_of_stream(
    model: Any, stream: TableStream, y: Any, sample_weight: Any, params: TreeParams, n_trees: int
) -> None:
    for name in ("warm_start", "oob_score", "stop"):
        if getattr(model, name):
            raise ValueError(
                f"{name}={getattr(model, name)!r} needs the rows in memory, and a stream is read block by block. "
                "Leave it out, or fit a frame or an array and its target."
            )
    with ArrayStore(stream.memory, stream.folder) as store:
        source = TreeStream(model, stream, y, sample_weight)
        target = with_exact_sums(model._target(source.y, source.n_rows, source.weight, params))
        by_class, balanced = model._class_weight(target)
        threads = threads_for(model.n_jobs, source.n_rows * len(source.features) * n_trees)
        hashes = None if model._how() == "all" else np.empty(source.n_rows, np.uint64)
        rows = source.encode(store, params.max_bins, target.weight, threads, hashes)
        draws = model._draws(hashes, target, by_class)
        del source, hashes
        grow_more = model._grow_trees(rows, target, params, draws, by_class, balanced, threads)
        model.forest_ = grow_more(0, n_trees)
    model._forget_rows()


class TreeStream:
    def __init__(self, model: Any, stream: TableStream, y: Any, sample_weight: Any) -> None:
        target, self.features = name_columns(stream, y, sample_weight)
        self._reader = FeatureReader(
            model, stream, self.features, lambda block: to_table(block, categories=model.categorical_features)
        )
        self.weight = read_weight(stream, sample_weight)
        name, cells = type(model).__name__, TargetReader(stream, target)
        self.y: Labels | Float = (
            cells.read_classes(name) if is_classifier(model) else cells.read_numbers(name)
        )
        self.n_rows = len(self.y.codes if isinstance(self.y, Labels) else self.y)

    def encode(
        self,
        store: ArrayStore,
        max_bins: int | None,
        weight: Float | None,
        threads: int,
        hashes: Word | None = None,
    ) -> BlockEncoded:
        """`hashes`: where a hash of each row is to be written, by which forests draw."""
        counts = self._reader.count(None if weight is None else weight > 0, threads)
        schema = counts.schema()
        edges = [edges_of(column, max_bins or MOST_BINS) for column in counts.columns]
        encoder = BlockEncoder(schema, edges, self.n_rows, store.empty)
        for block in self._reader.tables():
            table = conform(schema, block)
            if hashes is not None:
                hashes[encoder.at : encoder.at + table.n_rows] = row_hashes(table.columns, table.n_rows)
            encoder.add(table, threads)
        return encoder.finish()


def edges_of(column: ColumnCounts, max_bins: int) -> Float | None:
    if column.kind in (None, "category"):
        return None
    return native.gradient_cell_edges(column.cells, max_bins)
