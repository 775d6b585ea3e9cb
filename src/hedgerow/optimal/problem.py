"""The problem in whole numbers.   In: answers, a target, costs, a size.   Out: Problem, as native/optimal reads it.

Rows that answer every question alike become one point: no tree of these questions tells them apart. What they cost in
any case is the offset. Costs are whole numbers of some unit: exact where the weights are whole multiples of one number;
else each is rounded to 2^-50 of their sum.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from hedgerow.grow import Classes, Target
from hedgerow.types import Count, Float, Index, Mask, UShort, Word

BITS = 51  # of the sum of all costs; two bits below what a double holds exactly
FEW_VALUES = 64


@dataclass(frozen=True)
class Size:
    """How large the tree may be."""

    max_depth: int
    max_leaves: int
    min_rows_leaf: int = 1
    min_weight_leaf: float = 0.0
    leaf_price: float = 0.0  # in units of the cost of one unit of weight


@dataclass(frozen=True, eq=False)
class Costs:
    """cost[true, decided] of a unit of weight; None: 1 for a wrong class."""

    matrix: Float | None = None

    def by_class(self, n_classes: int) -> Float:
        return 1.0 - np.eye(n_classes) if self.matrix is None else self.matrix


@dataclass(frozen=True, eq=False)
class Problem:
    bits: Word
    channels: Count
    base: Count
    farthest: Count
    group: Index
    cells: UShort
    of_classes: bool
    factor: float
    least: Count  # of the channels that are limits
    price: float
    max_depth: int
    max_splits: int
    unit: float  # a native cost times this is a cost
    offset: float  # cost that no tree avoids

    def cost(self, native: float, n_leaves: int) -> float:
        """Without the price of leaves."""
        return self.offset + (native - self.price * n_leaves) * self.unit


def make_problem(answers: Mask, column: Index, target: Target, costs: Costs, size: Size) -> Problem:
    used = np.arange(answers.shape[1]) if target.weight is None else np.flatnonzero(target.weight)
    point, first = _find_points(answers[:, used])
    weight = np.ones(len(used)) if target.weight is None else target.weight[used]
    made = (
        _of_classes(point, target.codes[used], weight, costs.by_class(target.n_classes))
        if isinstance(target, Classes)
        else _of_numbers(point, target.values[used], weight)
    )
    limits, least = _limits(point, weight, size)
    channels = np.concatenate([made.channels, limits])
    kept = np.arange(len(first))
    if not len(least):  # a point that costs the same everywhere decides nothing
        kept = np.flatnonzero(made.base + np.abs(channels).sum(axis=0))
    kept = kept[np.argsort(-np.abs(made.channels[:, kept]).max(axis=0), kind="stable")]  # large values first
    fine = _finer(made) if size.leaf_price else 1
    tell = answers[:, used[first[kept]]]
    group, cells = _find_cells(tell, column)
    return Problem(
        bits=_pack(tell),
        channels=np.ascontiguousarray(channels[:, kept], np.int64),
        base=made.base[kept] * fine,
        farthest=made.farthest[kept] * fine,
        group=group,
        cells=cells,
        of_classes=isinstance(target, Classes),
        factor=made.factor * fine,
        least=least,
        price=float(np.round(size.leaf_price / made.unit * fine)),
        max_depth=min(size.max_depth, 62),
        max_splits=size.max_leaves - 1,
        unit=made.unit / fine,
        offset=made.offset,
    )


@dataclass(frozen=True, eq=False)
class _Made:
    """Points without the limits of the tree."""

    channels: Count
    base: Count
    farthest: Count
    factor: float
    unit: float
    offset: float


def _limits(point: Count, weight: Float, size: Size) -> tuple[Count, Count]:
    """Rows and weight of each point, where a leaf needs some; and how much it needs."""
    n = int(point.max()) + 1
    limits, least = [], []
    if size.min_rows_leaf > 1:
        limits.append(np.bincount(point, minlength=n))
        least.append(size.min_rows_leaf)
    if size.min_weight_leaf > 0:
        whole, unit = _whole(weight)
        mass = np.zeros(n, np.int64)
        np.add.at(mass, point, whole)
        limits.append(mass)
        least.append(int(np.ceil(size.min_weight_leaf / unit * (1 - 1e-12))))
    return np.array(limits, np.int64).reshape(len(least), n), np.array(least, np.int64)


def _finer(made: _Made) -> int:
    """How much finer the unit of costs can be, for a price that is no whole number of them."""
    return int(2 ** max(0, BITS - int(np.ceil(np.log2(max(1, int(made.farthest.sum())))))))


def _of_classes(point: Count, codes: Index, weight: Float, matrix: Float) -> _Made:
    by_row, unit = _whole(weight[:, None] * matrix[codes])
    cost = np.zeros((int(point.max()) + 1, len(matrix)), np.int64)
    np.add.at(cost, point, by_row)
    least = cost.min(axis=1)
    cost -= least[:, None]
    savings = cost[:, :1] - cost[:, 1:] if len(matrix) > 1 else cost
    return _Made(savings.T, cost[:, 0], cost.max(axis=1), 1.0, unit, float(least.sum()) * unit)


def _of_numbers(point: Count, values: Float, weight: Float) -> _Made:
    """Weights, and weighted distances from the mean; costs in 2^-50 of the sum of squares."""
    away = values - np.average(values, weights=weight)
    squares = float(np.sum(weight * away**2)) or 1.0
    weights, unit_weight = _whole(weight)
    distances, unit_distance = _whole(weight * away)
    unit = squares / 2.0 ** (BITS - 1)
    factor = unit_distance**2 / unit_weight / unit
    n = int(point.max()) + 1
    by_weight, sums = np.zeros(n, np.int64), np.zeros(n, np.int64)
    np.add.at(by_weight, point, weights)
    np.add.at(sums, point, distances)
    middle = sums / by_weight
    by_point = factor * (sums.astype(np.float64) * middle)
    per = unit_weight / unit_distance  # from distances to the units of `middle`
    reach = np.maximum(middle - away.min() * per, away.max() * per - middle)
    farthest = np.ceil(factor * by_weight * reach**2).astype(np.int64) + 2
    offset = max(0.0, float(np.sum(weight * away**2)) - float(by_point.sum()) * unit)
    return _Made(
        np.stack([by_weight, sums]), np.ceil(by_point).astype(np.int64), farthest, factor, unit, offset
    )


def _whole(values: Float) -> tuple[Count, float]:
    """Whole numbers and their unit: exact where few values occur and all are whole multiples of one number."""
    known = np.unique(np.abs(values[values != 0]))
    total = float(np.abs(values).sum())
    if not len(known):
        return np.zeros(values.shape, np.int64), 1.0
    if len(known) <= FEW_VALUES:
        ratios = [Fraction(float(value / known[0])).limit_denominator(1 << 20) for value in known]
        common = lcm(*(ratio.denominator for ratio in ratios))
        near = all(abs(float(r) * known[0] - v) <= 1e-15 * v for r, v in zip(ratios, known, strict=True))
        unit = float(known[0]) / common
        if near and common < 1 << 24 and total / unit < 2.0**BITS:
            return np.round(values / unit).astype(np.int64), unit
    unit = total / 2.0 ** (BITS - 1)
    return np.round(values / unit).astype(np.int64), unit


def _find_points(answers: Mask) -> tuple[Count, Count]:
    """The point of each row, and a row of each point."""
    n_rows = answers.shape[1]
    if not len(answers):
        return np.zeros(n_rows, np.int64), np.zeros(min(n_rows, 1), np.int64)
    packed = np.ascontiguousarray(np.packbits(answers, axis=0).T)
    names = packed.view(np.dtype((np.void, packed.shape[1]))).reshape(-1)
    _, first, point = np.unique(names, return_index=True, return_inverse=True)
    return point.reshape(-1).astype(np.int64), first.astype(np.int64)


def _pack(answers: Mask) -> Word:
    """Bit p of a question's words is the answer of point p."""
    n_questions, n = answers.shape
    out = np.zeros((n_questions, (n + 63) // 64 * 8), np.uint8)
    packed = np.packbits(answers, axis=1, bitorder="little")
    out[:, : packed.shape[1]] = packed
    return out.view("<u8").astype(np.uint64).reshape(n_questions, (n + 63) // 64)


def _find_cells(answers: Mask, column: Index) -> tuple[Index, UShort]:
    """Questions by column, and for each column the points that answer all its questions alike."""
    columns, group = np.unique(column, return_inverse=True)
    cells = np.zeros((len(columns), answers.shape[1]), np.uint16)
    for g in range(len(columns)):
        point, first = _find_points(answers[group == g])
        if len(first) > np.iinfo(np.uint16).max:
            raise ValueError(
                f"A column cuts the rows into {len(first):,} cells; at most {np.iinfo(np.uint16).max:,} are "
                "supported. Take a smaller max_thresholds."
            )
        cells[g] = point
    return group.reshape(-1).astype(np.int32), cells
