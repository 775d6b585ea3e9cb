"""Growing.   In: Encoded rows, a target, a criterion, limits.   Out: a Tree (and, with grow_traced, its Trace).

The work is native (native/grow/grow.hpp says how); here its result, in codes and row numbers, becomes a Tree in the
numbers of the table.
"""

from dataclasses import asdict, replace
from typing import Any, NamedTuple

import numpy as np

from hedgerow.core import native
from hedgerow.core.criteria import CRITERIA
from hedgerow.encode import Encoded
from hedgerow.encode.sparse import SparseEncoded
from hedgerow.grow.limits import Limits
from hedgerow.grow.scale import scale_of
from hedgerow.grow.target import Classes, ManyClasses, Outputs, Target
from hedgerow.grow.trace import Trace
from hedgerow.tree.tree import MULTIWAY, NONE, THRESHOLD, Tree
from hedgerow.types import Byte, Count, Float, Index, SmallInt, UIndex, Word

SUBTREE_ROWS = 65536  # subtrees up to this many rows are renumbered and grown by one thread


class Grown(NamedTuple):
    """A tree as the native core returns it, by name."""

    feature: Index
    kind: Byte
    threshold: Float  # NaN: to be made of the two rows
    low_row: UIndex
    high_row: UIndex
    subset_start: Count
    subset_bits: Word
    first_child: Index
    n_children: Index
    missing_branch: Index  # child for missing cells, counted from the first; -1: all
    value: Float  # classes: their weights
    weight: Float
    n_rows: Count
    impurity: Float
    trace_gain: Float  # nodes x columns, or no rows
    trace_ratio: Float
    trace_low: UIndex
    trace_high: UIndex
    surrogate_node: Index  # surrogates
    surrogate_feature: Index
    surrogate_first_below: Byte
    surrogate_low: UIndex
    surrogate_high: UIndex
    surrogate_start: Count
    surrogate_bits: Word
    surrogate_agreement: Float
    surrogate_adjusted: Float


def grow(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    *,
    monotone: SmallInt | None = None,
    seed: int = 0,
    threads: int = 1,
    subtree_rows: int = SUBTREE_ROWS,
) -> Tree:
    scale = scale_of(target, criterion)
    grown = _grow_native(
        rows,
        scale.target,
        criterion,
        scale.rescale_limits(limits),
        monotone,
        seed,
        threads,
        subtree_rows,
        trace=False,
    )
    return scale.unscale(tree_of(rows, target, grown, seen=CRITERIA[criterion].ratio))


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
    scale = scale_of(target, criterion)
    grown = _grow_native(
        rows,
        scale.target,
        criterion,
        scale.rescale_limits(limits),
        monotone,
        seed,
        threads,
        SUBTREE_ROWS,
        trace=True,
    )
    tree = tree_of(rows, target, grown, seen=CRITERIA[criterion].ratio)
    return scale.unscale(tree), scale.unscale_trace(_trace(rows, grown))


def grow_outputs(
    rows: Encoded, target: Outputs, criterion: str, limits: Limits, *, seed: int = 0, threads: int = 1
) -> Tree:
    """A tree for several targets at once; values are those of one output after the other."""
    grown = _grow_native(rows, target, criterion, limits, None, seed, threads, SUBTREE_ROWS, trace=False)
    tree = tree_of(rows, target, grown, seen=False)
    if not isinstance(target, ManyClasses):
        return tree
    parts = np.split(tree.value, np.cumsum(target.n_classes)[:-1], axis=1)
    shares = [part / part.sum(axis=1, keepdims=True) for part in parts]
    return replace(tree, value=np.concatenate(shares, axis=1))


def _grow_native(
    rows: Encoded,
    target: Target | Outputs,
    criterion: str,
    limits: Limits,
    monotone: SmallInt | None,
    seed: int,
    threads: int,
    subtree_rows: int,
    *,
    trace: bool,
) -> Grown:
    n_columns = len(rows.codes)
    weight, used = _used_rows(target.weight)
    sparse = rows.entries if isinstance(rows, SparseEncoded) else None
    with_values = limits.random_splits and not sparse
    return Grown(
        **native.grow(
            codes=() if sparse else rows.codes,
            sparse=None if sparse is None else sparse.arrays,
            n_codes=rows.n_codes,
            n_levels=rows.schema.n_levels,
            monotone=np.zeros(n_columns, np.int8) if monotone is None else monotone,
            values=[rows.values(j) for j in range(n_columns)] if with_values else [],
            criterion=criterion,
            **_given_target(target),
            weight=weight,
            rows=used,
            limits=asdict(limits),
            seed=seed,
            trace=trace,
            exact=bool(getattr(target, "exact", False)),
            subtree_rows=subtree_rows,
            threads=threads,
        )
    )


def _given_target(target: Target | Outputs) -> dict[str, Any]:
    nothing = dict.fromkeys(("classes", "target", "output_classes", "output_target"))
    given: dict[str, Any] = {**nothing, "n_classes": 0, "output_n_classes": []}
    if isinstance(target, Classes):
        return {**given, "n_classes": target.n_classes, "classes": target.codes}
    if isinstance(target, ManyClasses):
        return {**given, "output_n_classes": list(target.n_classes), "output_classes": target.codes}
    return {**given, "target" if target.values.ndim == 1 else "output_target": target.values}


def _used_rows(weight: Float | None) -> tuple[Float | None, UIndex | None]:
    """A row of weight zero is a row that is not there; weights that are all one are no weights."""
    if weight is None:
        return None, None
    used = None if weight.all() else np.flatnonzero(weight).astype(np.uint32)
    return (None if np.all((weight == 1) | (weight == 0)) else weight), used


def tree_of(rows: Encoded, target: Target | Outputs, grown: Grown, *, seen: bool) -> Tree:
    """With `seen`, thresholds are values that occur in the table, as C4.5 has them."""
    all_ways = grown.missing_branch == NONE
    return Tree(
        feature=grown.feature,
        kind=grown.kind,
        threshold=_thresholds(rows, grown, seen),
        subset_start=grown.subset_start,
        first_child=grown.first_child,
        n_children=grown.n_children,
        missing_child=np.where(all_ways, np.int32(NONE), grown.first_child + grown.missing_branch),
        value=_shares(grown, target.codes) if isinstance(target, Classes) else grown.value,
        weight=grown.weight,
        n_rows=grown.n_rows,
        impurity=grown.impurity,
        subset_bits=grown.subset_bits,
        n_levels=rows.schema.n_levels,
        **_surrogates(rows, grown),
    )


def _surrogates(rows: Encoded, grown: Grown) -> dict[str, Any]:
    """In the order of the nodes; a node's own stay best first."""
    if not len(grown.surrogate_node):
        return {}
    order = np.argsort(grown.surrogate_node, kind="stable")
    feature, threshold = grown.surrogate_feature[order], np.full(len(order), np.nan)
    for j in np.unique(feature):
        here = np.flatnonzero(feature == j)
        if rows.schema.kinds[j] != "category":
            at = order[here]
            threshold[here] = rows.thresholds(int(j), grown.surrogate_low[at], grown.surrogate_high[at])
    return {
        "surrogate_node": grown.surrogate_node[order],
        "surrogate_feature": feature,
        "surrogate_threshold": threshold,
        "surrogate_first_below": grown.surrogate_first_below[order],
        "surrogate_start": grown.surrogate_start[order],
        "surrogate_bits": grown.surrogate_bits,
        "surrogate_agreement": grown.surrogate_agreement[order],
        "surrogate_adjusted": grown.surrogate_adjusted[order],
    }


def _shares(grown: Grown, codes: Index) -> Float:
    """Class weights to shares. A branch without rows says what its parent says; if that is a tie, then the class
    that comes first in the data, by one unit in the last place."""
    shares: Float = grown.value / grown.value.sum(axis=1, keepdims=True)
    if grown.n_rows.all():
        return shares
    # As their parent, to the bit
    stops = grown.first_child[(grown.kind != MULTIWAY) & (grown.n_children == 3)] + 2
    empty = np.setdiff1d(np.flatnonzero(grown.n_rows == 0), stops)
    if not len(empty):
        return shares
    classes, first_row = np.unique(codes, return_index=True)
    comes = np.full(shares.shape[1], len(codes))
    comes[classes] = first_row
    tied = shares[empty] == shares[empty].max(axis=1, keepdims=True)
    first = np.where(tied, comes, len(codes)).argmin(axis=1)
    here = np.flatnonzero(tied.sum(axis=1) > 1)
    node, label = empty[here], first[here]
    shares[node, label] = np.nextafter(shares[node, label], 1.0)
    return shares


def _thresholds(rows: Encoded, grown: Grown, seen: bool) -> Float:
    """Thresholds in the numbers of the table. Random and missing-against-rest splits come with theirs."""
    out = grown.threshold.copy()
    to_do = np.flatnonzero((grown.kind == THRESHOLD) & np.isnan(out))
    for j in np.unique(grown.feature[to_do]):
        here = to_do[grown.feature[to_do] == j]
        out[here] = rows.thresholds(int(j), grown.low_row[here], grown.high_row[here])
        if seen:
            values = rows.values(int(j))
            out[here] = values[np.searchsorted(values, out[here], side="right") - 1]
    _between_bins(rows, grown, out)
    return out


def _between_bins(rows: Encoded, grown: Grown, out: Float) -> None:
    """A random threshold divides no bin: it is the edge after the last bin on its left."""
    if all(edges is None for edges in rows.edges):
        return
    random = np.flatnonzero((grown.kind == THRESHOLD) & np.isfinite(grown.threshold))
    for j in np.unique(grown.feature[random]):
        edges = rows.edges[j]
        if edges is not None:
            here = random[grown.feature[random] == j]
            out[here] = edges[np.searchsorted(rows.values(int(j)), out[here], side="right") - 1]


def _trace(rows: Encoded, grown: Grown) -> Trace:
    threshold = np.full(grown.trace_gain.shape, np.nan)
    for j, kind in enumerate(rows.schema.kinds):
        if kind == "category":
            continue
        offered, low, high = ~np.isnan(grown.trace_gain[:, j]), grown.trace_low[:, j], grown.trace_high[:, j]
        threshold[offered, j] = np.inf  # the same row twice: missing cells against all others
        here = np.flatnonzero(offered & (low != high))
        threshold[here, j] = rows.thresholds(j, low[here], high[here])
    return Trace(grown.trace_gain, threshold, grown.trace_ratio if len(grown.trace_ratio) else None)
