"""Growing.   In: Encoded rows, a target, a criterion, limits.   Out: a Tree (and, if asked, its Trace).

The work is native (native/grow.hpp says how); here its answer, in codes and row numbers, becomes a Tree in the
numbers of the table.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Encoded
from hedgerow.grow.limits import Limits
from hedgerow.grow.target import Classes, Target
from hedgerow.grow.trace import Trace
from hedgerow.tree.tree import LEAF, NONE, THRESHOLD, Tree
from hedgerow.types import Byte, Float, Index, SmallInt, UIndex

PATCH_ROWS = 65536  # subtrees up to this many rows are renumbered and grown by one thread


def grow(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    *,
    monotone: SmallInt | None = None,
    seed: int = 0,
    threads: int = 1,
    patch_rows: int = PATCH_ROWS,
) -> Tree:
    return _grow(rows, target, criterion, limits, monotone, seed, threads, patch_rows, False)[0]


def grow_traced(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    *,
    monotone: SmallInt | None = None,
    seed: int = 0,
    threads: int = 1,
) -> tuple[Tree, Trace]:
    """Also what each column offered at each node."""
    return _grow(rows, target, criterion, limits, monotone, seed, threads, PATCH_ROWS, True)


def _grow(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    monotone: SmallInt | None,
    seed: int,
    threads: int,
    patch_rows: int,
    trace: bool,
) -> tuple[Tree, Trace]:
    n_columns = len(rows.codes)
    is_classes = isinstance(target, Classes)
    weight, used = _used_rows(target.weight)
    grown = native.grow(
        codes=rows.codes,
        n_codes=rows.n_codes,
        n_levels=rows.schema.n_levels,
        monotone=np.zeros(n_columns, np.int8) if monotone is None else monotone,
        values=[rows.values(j) for j in range(n_columns)] if limits.random_splits else [],
        criterion=criterion,
        n_classes=target.n_classes if is_classes else 0,
        classes=target.codes if is_classes else None,
        target=None if is_classes else target.values,
        weight=weight,
        rows=used,
        max_depth=limits.max_depth,
        min_rows_split=limits.min_rows_split,
        min_rows_leaf=limits.min_rows_leaf,
        min_weight_leaf=limits.min_weight_leaf,
        max_leaves=limits.max_leaves,
        min_decrease=limits.min_decrease,
        max_features=limits.max_features,
        random_splits=limits.random_splits,
        seed=seed,
        trace=trace,
        patch_rows=patch_rows,
        threads=threads,
    )
    feature, kind, threshold, low, high, subset_start, bits, first_child, missing_left, value, *rest = grown
    node_weight, n_rows, impurity, gains, trace_low, trace_high = rest
    tree = Tree(
        feature=feature,
        kind=kind,
        threshold=_thresholds(rows, feature, kind, threshold, low, high),
        subset_start=subset_start,
        first_child=first_child,
        n_children=np.where(kind == LEAF, 0, 2),
        missing_child=np.where(kind == LEAF, NONE, first_child + 1 - missing_left),
        value=value / node_weight[:, None] if is_classes else value,
        weight=node_weight,
        n_rows=n_rows,
        impurity=impurity,
        subset_bits=bits,
        n_levels=rows.schema.n_levels,
    )
    return tree, Trace(gains, _trace_thresholds(rows, gains, trace_low, trace_high))


def _used_rows(weight: Float | None) -> tuple[Float | None, UIndex | None]:
    """A row of weight zero is a row that is not there; weights that are all one are no weights."""
    if weight is None:
        return None, None
    used = None if weight.all() else np.flatnonzero(weight).astype(np.uint32)
    return (None if np.all((weight == 1) | (weight == 0)) else weight), used


def _thresholds(rows: Encoded, feature: Index, kind: Byte, drawn: Float, low: UIndex, high: UIndex) -> Float:
    """Thresholds in the numbers of the table. Random and missing-against-rest splits come with theirs."""
    out = drawn.copy()
    to_do = np.flatnonzero((kind == THRESHOLD) & np.isnan(drawn))
    for j in np.unique(feature[to_do]):
        here = to_do[feature[to_do] == j]
        out[here] = rows.thresholds(int(j), low[here], high[here])
    return out


def _trace_thresholds(rows: Encoded, gains: Float, low: UIndex, high: UIndex) -> Float:
    out = np.full(gains.shape, np.nan)
    for j, kind in enumerate(rows.schema.kinds):
        here = np.flatnonzero(~np.isnan(gains[:, j])) if kind != "category" else []
        if len(here):
            out[here, j] = rows.thresholds(j, low[here, j], high[here, j])
            out[here[low[here, j] == high[here, j]], j] = np.inf  # missing cells against all others
    return out
