"""The best split of a node, by trying all of them.

Order of trial, which is the order in which ties are broken: columns from the first; in a column thresholds from the
lowest with missing cells on the right; then missing cells against all others; then thresholds from the lowest with
missing cells on the left.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from hedgerow.types import Float, Mask

from .cases import Case
from .loss import loss, median

TIE = 1e-11  # share of the node's total impurity within which gains are equal


@dataclass(frozen=True, eq=False)
class Split:
    column: int
    threshold: float  # NaN: a subset
    left: Mask  # by row of the node
    missing_left: bool
    gain: float = 0.0


def all_splits(case: Case, rows: Float) -> Iterator[Split]:
    for column in range(case.X.shape[1]):
        cells = case.X[rows, column]
        yield from subsets(case, rows, column) if case.n_levels[column] else thresholds(column, cells)


def thresholds(column: int, cells: Float) -> Iterator[Split]:
    missing = np.isnan(cells)
    distinct = np.unique(cells[~missing]).astype(np.float64)
    middles = [float(a / 2 + b / 2) if a / 2 + b / 2 < b else float(a) for a, b in pairwise(distinct)]
    for t in middles:
        yield Split(column, t, cells <= t, False)
    if missing.any() and len(distinct):
        yield Split(column, np.inf, ~missing, False)
        for t in middles:
            yield Split(column, t, (cells <= t) | missing, True)


def subsets(case: Case, rows: Float, column: int) -> Iterator[Split]:
    """Every subset of the levels present, or, where that is known to be enough, every prefix of their order."""
    cells = case.X[rows, column]
    present = np.unique(cells[~np.isnan(cells)])
    exhaustive = case.n_classes > 2
    if exhaustive and len(present) > 10:
        raise NotImplementedError("above ten levels there is a heuristic, not a definition")
    chosen = every_subset(present) if exhaustive else prefixes(case, rows, column, present)
    yield from with_missing(column, cells, chosen)


def with_missing(column: int, cells: Float, chosen: Iterator[Float]) -> Iterator[Split]:
    missing = np.isnan(cells)
    for levels in chosen:
        yield Split(column, np.nan, np.isin(cells, levels), False)
        if missing.any():
            yield Split(column, np.nan, np.isin(cells, levels) | missing, True)


def every_subset(present: Float) -> Iterator[Float]:
    for size in range(1, len(present) + 1):
        for levels in combinations(present, size):
            yield np.array(levels)


def prefixes(case: Case, rows: Float, column: int, present: Float) -> Iterator[Float]:
    key = []
    for level in present:
        here = rows[case.X[rows, column] == level]
        y, w = case.y[here], case.w[here]
        key.append(_lower_median(y, w) if case.criterion == "absolute_error" else (w * y).sum() / w.sum())
    order = present[np.argsort(key, kind="stable")]
    for size in range(1, len(order) + 1):
        yield order[:size]


def _lower_median(y: Float, w: Float) -> float:
    order = np.argsort(y, kind="stable")
    return float(y[order][np.argmax(np.cumsum(w[order]) >= w.sum() / 2)])


def legal(case: Case, rows: Float, split: Split) -> bool:
    limits = case.limits
    for side in (split.left, ~split.left):
        here = rows[side]
        if len(here) < max(1, limits.min_rows_leaf) or case.w[here].sum() < limits.min_weight_leaf:
            return False
        if case.criterion == "poisson" and not case.y[here].any():
            return False
    return allowed(case, rows, split)


def allowed(case: Case, rows: Float, split: Split) -> bool:
    """Monotone columns; bounds from splits above are not part of this twin."""
    direction = case.monotone[split.column]
    return not direction or direction * (mean(case, rows[split.left]) - mean(case, rows[~split.left])) <= 0


def mean(case: Case, rows: Float) -> float:
    y, w = case.y[rows], case.w[rows]
    return median(y, w) if case.criterion == "absolute_error" else float((w * y).sum() / w.sum())


def gain(case: Case, rows: Float, left: Mask) -> float:
    y, w = case.y[rows], case.w[rows]
    whole, parts = loss(case.criterion, y, w), (left, ~left)
    return whole - sum(loss(case.criterion, y[part], w[part]) for part in parts)


def scored(case: Case, rows: Float) -> list[Split]:
    return [
        Split(s.column, s.threshold, s.left, s.missing_left, gain(case, rows, s.left))
        for s in all_splits(case, rows)
        if legal(case, rows, s)
    ]


def best_split(case: Case, rows: Float) -> tuple[Split | None, bool]:
    """The winner, and whether it is beyond doubt: no gain lies so near the edge of a tie that rounding decides."""
    found = scored(case, rows)
    if not found:
        return None, True
    tie = TIE * loss(case.criterion, case.y[rows], case.w[rows])
    top = max(s.gain for s in found)
    sure = not any(0.2 * tie < top - s.gain < 5 * tie for s in found)
    return next(s for s in found if s.gain >= top - tie), sure
