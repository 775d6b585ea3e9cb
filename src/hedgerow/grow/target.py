"""What a tree learns from: the target and the weight of each row. Frozen and checked once."""

from dataclasses import dataclass

import numpy as np

from hedgerow.types import Count, Float, Index


@dataclass(frozen=True, eq=False)
class Classes:
    codes: Index  # 0 .. n_classes - 1
    n_classes: int
    weight: Float | None = None  # None: all one; rows of weight zero do not exist
    exact: bool = False  # sums have no order (fitting/exact.py)


@dataclass(frozen=True, eq=False)
class Numbers:
    values: Float
    weight: Float | None = None
    exact: bool = False


Target = Classes | Numbers


@dataclass(frozen=True, eq=False)
class ManyClasses:
    """Several targets a row, each of classes."""

    codes: Index  # rows x outputs
    n_classes: tuple[int, ...]  # of each output
    weight: Float | None = None


@dataclass(frozen=True, eq=False)
class ManyNumbers:
    """Several numbers a row."""

    values: Float  # rows x outputs
    weight: Float | None = None


Outputs = ManyClasses | ManyNumbers


def strata_of(target: Target) -> Count:
    """What a split of the rows keeps in proportion: the classes; numbers are one stratum."""
    if isinstance(target, Classes):
        return target.codes.astype(np.int64)
    return np.zeros(len(target.values), np.int64)


def extent(target: Target | Outputs) -> tuple[int, float]:
    """Rows that count, and their weight: the sum, or the largest float if it is beyond."""
    if target.weight is None:
        of_classes = isinstance(target, (Classes, ManyClasses))
        n_rows = len(target.codes if of_classes else target.values)  # type: ignore[union-attr]
        return n_rows, float(n_rows)
    with np.errstate(over="ignore"):
        total = float(min(target.weight.sum(), np.finfo(np.float64).max))
    return int(np.count_nonzero(target.weight)), total
