"""Gradient boosting on a stream.   In: an estimator, a stream and the name of its target.   Out: the estimator, fitted;
the model is the one that all rows at once would give, to the bit.

    target, weights   one entry a row, in memory
    first pass        what each column is, its levels, the counts that its bins follow from (gradient/counts.py)
    second pass       codes, a byte a cell, twice; beyond the stream's `memory` in a file that is removed afterwards
    rounds            as always
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.encode import matrix
from hedgerow.estimators.gradient_columns import read_table
from hedgerow.estimators.gradient_params import check_max_bins
from hedgerow.estimators.gradient_watch import RoundWatch, Watched
from hedgerow.estimators.stream_features import FeatureReader, name_columns
from hedgerow.estimators.stream_target import TargetReader, read_weight
from hedgerow.gradient.bins import Bins, choose_bins, encode_block, group
from hedgerow.stream import ArrayStore, to_stream
from hedgerow.table.copies import find_copies
from hedgerow.types import Byte, Float, Mask

if TYPE_CHECKING:
    from hedgerow.estimators.gradient_base import HistGradientBoosting


def fit_stream(
    model: "HistGradientBoosting", X: Any, y: Any, sample_weight: Any, given: tuple[Any, Any, Any]
) -> None:
    """`given`: X, y and weights of rows to judge the rounds by, or None."""
    stream = to_stream(X)
    if model.warm_start and hasattr(model, "trees_"):
        raise ValueError("warm_start=True goes on from rows in memory. For a stream, give warm_start=False.")
    target_name, features = name_columns(stream, y, sample_weight)
    reader = FeatureReader(model, stream, features, lambda block: read_table(model, block, None))
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
        n = len(target)
        _encode(reader, bins, _mask(n, train), _mask(n, aside), codes, rows, threads)
        binned = group(bins, codes, store.empty, threads)
        watched = None
        if given[0] is not None:
            watched = model._given_rows(*given)
        elif len(aside):
            watched = Watched(rows, target[aside], None if weight is None else weight[aside], None, None)
        if use is not None:
            target, weight = target[train], None if weight is None else weight[train]
        del train, aside, use
        target, weight = store.hold(target), None if weight is None else store.hold(weight)
        watch = RoundWatch(model, model._loss, None, target, weight, watched, threads)
        model._boost(binned, target, weight, watch, threads, allocate=store.empty)


def _mask(n_rows: int, rows: Any) -> Mask:
    mask = np.zeros(n_rows, bool)
    mask[rows] = True
    return mask


def _encode(
    reader: FeatureReader, bins: Bins, use: Mask, aside: Mask, codes: Byte, rows: Float, threads: int
) -> None:
    """Codes of the rows in `use`; the rows in `aside` as trees read them."""
    at = done = kept = 0
    for table in reader.tables():
        here = slice(at, at + table.n_rows)
        own = table.take(np.flatnonzero(use[here]))
        codes[:, done : done + own.n_rows] = encode_block(bins, own, threads)
        part = table.take(np.flatnonzero(aside[here]))
        rows[kept : kept + part.n_rows] = matrix(bins.schema, part)
        at, done, kept = at + table.n_rows, done + own.n_rows, kept + part.n_rows
