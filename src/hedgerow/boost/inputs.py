"""Inputs: a table as the numbers a neuron reads.   In: a matrix as trees read it (levels as numbers, missing as NaN).
Out: numbers of mean 0 and deviation 1, a column for each number and for each level of a category.

Neurons add columns up, so that a column in metres and one in millimetres must be brought to one scale. A missing cell
is the mean: it adds nothing. A level never seen is no level: all its columns are at the value of "not this one".
"""

from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.boost.rows import Rows
from hedgerow.encode import Schema
from hedgerow.types import Count, Float, FloatAny

FURTHEST = 1e100  # deviations from the mean; beyond, products of inputs and weights would leave the floats


@dataclass(frozen=True, eq=False)
class Inputs:
    names: tuple[str, ...]
    column: Count  # of each input: its column of the matrix
    level: Count  # of each input: its level's number; -1 for the number itself
    centre: Float
    scale: Float

    def __len__(self) -> int:
        return len(self.names)

    def standard(self, matrix: FloatAny) -> Float:
        """Rows x inputs."""
        raw = unfolded(matrix, self.column, self.level)
        with np.errstate(over="ignore"):
            out = raw / self.scale - self.centre / self.scale
        out[np.isnan(out)] = 0.0
        return np.clip(out, -FURTHEST, FURTHEST, out=out)

    def of(self, rows: Rows) -> Float:
        """The same for Rows, made once: every round shares it."""
        kept = _MADE.get(rows)
        if kept is None or kept[0] is not self:
            kept = _MADE[rows] = (self, self.standard(rows.matrix))
        return kept[1]

    def to_dict(self) -> dict[str, Any]:
        return {
            "names": list(self.names),
            "column": self.column.tolist(),
            "level": self.level.tolist(),
            "centre": self.centre.tolist(),
            "scale": self.scale.tolist(),
        }


_MADE: "WeakKeyDictionary[Rows, tuple[Inputs, Float]]" = WeakKeyDictionary()
_FOUND: "WeakKeyDictionary[Rows, Inputs]" = WeakKeyDictionary()


def inputs_of(rows: Rows) -> Inputs:
    """The inputs of training rows, all alike in weight; found once, so that every round reads the same."""
    found = _FOUND.get(rows)
    if found is None:
        matrix = rows.matrix
        found = _FOUND[rows] = measure(matrix, rows.schema, np.ones(len(matrix)))
    return found


def measure(matrix: FloatAny, schema: Schema | None, weight: Float) -> Inputs:
    """Names, means and deviations. A column that never changes has deviation 1: it is 0 throughout."""
    names, column, level = _places(matrix.shape[1], schema)
    raw = unfolded(matrix, column, level)
    size = np.nanmax(np.abs(raw), axis=0, initial=0.0)
    unit = raw / np.where(size > 0, size, 1.0)  # squares of 1e300 are beyond a float
    share = np.where(np.isnan(unit), 0.0, weight[:, None])
    total = share.sum(axis=0)
    total[total == 0] = 1.0
    unit[np.isnan(unit)] = 0.0
    mean = (share * unit).sum(axis=0) / total
    spread = np.sqrt((share * (unit - mean) ** 2).sum(axis=0) / total)
    flat = spread <= 1e-14
    scale = np.where(flat, 1.0, spread) * np.where(flat | (size == 0), 1.0, size)
    return Inputs(names, column, level, mean * size, np.maximum(scale, np.finfo(float).tiny))


def _places(n_columns: int, schema: Schema | None) -> tuple[tuple[str, ...], Count, Count]:
    names, column, level = [], [], []
    for j in range(n_columns):
        name = schema.names[j] if schema else f"x{j}"
        levels = schema.levels[j] if schema and schema.kinds[j] == "category" else ()
        if not levels:
            names.append(name)
            column.append(j)
            level.append(-1)
        for k, word in enumerate(levels):
            names.append(f"{name} = {word}")
            column.append(j)
            level.append(k)
    return tuple(names), np.array(column, np.int64), np.array(level, np.int64)


def unfolded(matrix: FloatAny, column: Count, level: Count) -> Float:
    """A column for each input: the number, or 1 where the cell has the level and 0 where not."""
    out = np.asarray(matrix, np.float64)[:, column]
    picked = np.flatnonzero(level >= 0)
    if len(picked):
        cells = out[:, picked]
        out[:, picked] = np.where(np.isnan(cells), np.nan, (cells == level[picked]).astype(np.float64))
    return out
