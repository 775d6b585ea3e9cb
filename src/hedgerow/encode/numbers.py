"""Numbers for models that know nothing else.   In: a Table.   Out: a Preparation; with it, any such Table -> a matrix.

    number, boolean   itself, less its mean, in standard deviations; a missing cell is the mean, that is 0
    category          a column of 0 and 1 for each level (the most frequent, where there are very many)
    gaps in training  one more column of 0 and 1: "age is missing"

A level without a column, or never seen in training, is 0 in all of them.
"""

from dataclasses import dataclass

import numpy as np

from hedgerow.encode.schema import Schema, matrix, schema_of
from hedgerow.table import Table
from hedgerow.types import Count, Float, Mask

FARTHEST = 1e100  # standard deviations from the mean; products of two such numbers are still numbers


@dataclass(frozen=True, eq=False)
class Preparation:
    schema: Schema  # of the table
    centre: Float  # one entry a column of the table; 0 for a category
    scale: Float  # 1 for a category
    levels: tuple[Count, ...]  # of each category, the levels that have a column
    gaps: Mask  # which columns have one for missing cells

    @property
    def names(self) -> tuple[str, ...]:
        """Of the columns that come out."""
        names: list[str] = []
        for j, name in enumerate(self.schema.names):
            category = self.schema.kinds[j] == "category"
            names += [f"{name}={self.schema.levels[j][k]}" for k in self.levels[j]] if category else [name]
            names += [f"{name} is missing"] * bool(self.gaps[j])
        return tuple(names)

    @property
    def widths(self) -> list[int]:
        """How many columns come out of each column of the table."""
        return [
            (len(self.levels[j]) if kind == "category" else 1) + bool(self.gaps[j])
            for j, kind in enumerate(self.schema.kinds)
        ]


def prepare(table: Table, weight: Float | None, *, standardize: bool, max_levels: int) -> Preparation:
    """`weight`: of the rows, or None; a row that weighs nothing is not there."""
    weight = np.ones(table.n_rows) if weight is None else weight
    schema = schema_of(table)
    cells = matrix(schema, table)
    centre, scale = np.zeros(len(schema.names)), np.ones(len(schema.names))
    levels: list[Count] = []
    gaps = np.zeros(len(schema.names), bool)
    for j, kind in enumerate(schema.kinds):
        column = np.asarray(cells[:, j], np.float64)
        here = ~np.isnan(column) & (weight > 0)
        gaps[j] = bool(np.any(np.isnan(column) & (weight > 0)))
        if kind == "category":
            numbered = column[here].astype(np.int64)
            counts = np.bincount(numbered, weight[here], len(schema.levels[j]))
            levels.append(_frequent(counts.astype(np.float64), max_levels))
            continue
        levels.append(np.empty(0, np.int64))
        if here.any():
            centre[j], spread = _moments(column[here], weight[here])
            scale[j] = spread if standardize else 1.0
    return Preparation(schema, centre, scale, tuple(levels), gaps)


def numbers(preparation: Preparation, table: Table) -> Float:
    """The prepared matrix of a table with the columns of training."""
    schema = preparation.schema
    cells = matrix(schema, table)
    out = np.zeros((table.n_rows, len(preparation.names)))
    place = 0
    for j, kind in enumerate(schema.kinds):
        column = np.asarray(cells[:, j], np.float64)
        missing = np.isnan(column)
        if kind == "category":
            kept = preparation.levels[j]
            out[:, place : place + len(kept)] = column[:, None] == kept
            place += len(kept)
        else:
            out[:, place] = np.where(
                missing, 0.0, _scaled(column, preparation.centre[j], preparation.scale[j])
            )
            place += 1
        if preparation.gaps[j]:
            out[:, place] = missing
            place += 1
    return out


def _scaled(column: Float, centre: float, scale: float) -> Float:
    with np.errstate(over="ignore", invalid="ignore"):
        # Halves: the difference of two huge numbers is no infinity
        away: Float = (column / 2 - centre / 2) / scale * 2
    return np.clip(away, -FARTHEST, FARTHEST)


def _frequent(counts: Float, most: int) -> Count:
    """Levels that occur, at most so many: the most frequent, the first of equals; in the order of the levels."""
    order = np.argsort(-counts, kind="stable")[:most]
    return np.sort(order[counts[order] > 0])


def _moments(values: Float, weight: Float) -> tuple[float, float]:
    """Mean and standard deviation of numbers of any size; 1 for the deviation of a constant."""
    largest = float(np.abs(values).max())
    if largest == 0.0:
        return 0.0, 1.0
    part = values / largest
    share = weight / weight.max()
    mean = float(np.average(part, weights=share))
    spread = float(np.sqrt(np.average((part - mean) ** 2, weights=share)))
    constant = spread <= 1e-12 * abs(mean)
    spread *= largest
    return mean * largest, 1.0 if constant or spread < np.finfo(float).tiny else spread
