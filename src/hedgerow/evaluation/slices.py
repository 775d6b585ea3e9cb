"""Where the model is weak.   In: a Table, the loss of each row by a model that had not seen it.   Out: the slices of
rows whose mean loss is surely above that of the others, the worst first.

    sex = male                   a level of a category, a truth
    age <= 22, age > 41          below the first and above the last quarter of a number
    fare is missing
    sex = male and age <= 22     two of these

A slice has FEWEST rows at least, and its lower bound holds for all slices that were looked at together (Bonferroni,
normal, of two means with their own variances). A loss may be high because the rows are hard for anybody: beside it
stands `guess`, the loss of one constant that is best for the rows of the slice.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import NormalDist

import numpy as np

from hedgerow.core.dates import write_date
from hedgerow.table import Column, Table
from hedgerow.tree.formatting import number
from hedgerow.types import Float, Mask

FEWEST = 30
MOST_LEVELS = 10  # of a category
MOST_SHOWN = 5
LEVEL = 0.95
MOST_SINGLE = 24  # conditions, by how high their loss is, that pairs are made of


@dataclass(frozen=True)
class Slice:
    words: str
    n_rows: int
    loss: float  # mean in the slice
    others: float  # mean of all other rows
    low: float  # of the difference, for all slices that were looked at together
    high: float
    n_looked_at: int
    guess: float  # the loss of the constant that is best in the slice

    @property
    def difference(self) -> float:
        return self.loss - self.others


def find_slices(table: Table, loss: Float, guess: Callable[[Mask], float]) -> list[Slice]:
    """Those that are surely worse than the other rows; of pairs only what is worse than both its parts. `guess`: the
    loss of the best constant of some rows."""
    conditions = {
        rows.tobytes(): (words, rows)
        for column in reversed(table.columns)
        for words, rows in _conditions(column)
    }  # the first of those with the same rows: an income, not its square
    single = [one for one in reversed(conditions.values()) if _is_fit(one[1])]
    single.sort(key=lambda one: -float(loss[one[1]].mean()))
    pairs = [
        (f"{a} and {b}", rows_a & rows_b)
        for (a, rows_a), (b, rows_b) in combinations(single[:MOST_SINGLE], 2)
        if _is_fit(rows_a & rows_b)
        and (rows_a & rows_b).sum() < min(rows_a.sum(), rows_b.sum())
        and loss[rows_a & rows_b].mean() > max(loss[rows_a].mean(), loss[rows_b].mean())
    ]
    every = single + pairs
    z = NormalDist().inv_cdf(1 - (1 - LEVEL) / 2 / max(1, len(every)))
    found = [(_measure(words, rows, loss, z, len(every)), rows) for words, rows in every]
    sure = sorted((pair for pair in found if pair[0].low > 0), key=lambda pair: -pair[0].low)
    return [replace(one, guess=guess(rows)) for one, rows in sure[:MOST_SHOWN]]


def _is_fit(rows: Mask) -> bool:
    return FEWEST <= int(rows.sum()) <= len(rows) - FEWEST


def _measure(words: str, rows: Mask, loss: Float, z: float, n_looked_at: int) -> Slice:
    inside, outside = loss[rows], loss[~rows]
    error = np.sqrt(inside.var(ddof=1) / len(inside) + outside.var(ddof=1) / len(outside))
    gap = float(inside.mean() - outside.mean())
    return Slice(
        words,
        len(inside),
        float(inside.mean()),
        float(outside.mean()),
        float(gap - z * error),
        float(gap + z * error),
        n_looked_at,
        float("nan"),
    )


def _conditions(column: Column) -> Iterator[tuple[str, Mask]]:
    values = column.values
    missing = column.missing
    if missing.any():
        yield f"{column.name} is missing", missing
    if column.kind == "text":
        return
    if column.kind == "category":
        counts = np.bincount(values[~missing], minlength=len(column.levels))
        for code in np.argsort(-counts, kind="stable")[:MOST_LEVELS]:
            yield f"{column.name} = {column.levels[code]}", np.asarray(values == code)
    elif column.kind == "boolean":
        yield f"{column.name} is true", np.asarray(values == 1)
        yield f"{column.name} is false", np.asarray(values == 0)
    elif not missing.all():
        low, high = np.quantile(values[~missing], (0.25, 0.75))
        yield f"{column.name} <= {_number(column, low)}", np.asarray(values <= low)
        yield f"{column.name} > {_number(column, high)}", np.asarray(values > high)


def _number(column: Column, value: float) -> str:
    if column.kind in ("date", "datetime"):
        return write_date(float(value), with_time=column.kind == "datetime")
    return number(float(value))
