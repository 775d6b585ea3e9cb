"""What the target is, on average, where a level stands: for categories with many levels.

    level        rows   paid    rate = (paid + M x overall rate) / (rows + M)
    zip 10115    40     30      near 0.75
    zip 99999    1      0       near the overall rate: one row says little
    never seen                  the overall rate

A row must not find its own target in its cell. So for the rows that rates are learned from, each of N_FOLDS parts gets
the rates of the others; all other rows get those of all. A model that reads the cells is then fitted to cells as it
will meet them.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.table import Column
from hedgerow.table.split import stratified_folds
from hedgerow.types import Count, Float

M = 10.0  # rows that the overall rate counts for
N_FOLDS = 5
MOST_OUTPUTS = 10  # classes; of more, no rates are made
MANY_LEVELS = 50  # from here on a category has rates


@dataclass(frozen=True, eq=False)
class Outcome:
    """The target as features look at it: a column for each class but the first of two, or the numbers."""

    values: Float  # rows x outputs
    titles: tuple[str, ...]  # of the outputs: "rate of yes", "mean"
    strata: Count  # the class of each row; 0 for numbers


def class_outcome(codes: NDArray[Any], classes: NDArray[Any]) -> Outcome:
    """`codes`: of each row, the place of its class among `classes`."""
    first = 1 if len(classes) == 2 else 0
    values = np.asarray(codes[:, None] == np.arange(first, len(classes)), np.float64)
    titles = tuple(f"rate of {label}" for label in classes.tolist()[first:])
    return Outcome(values, titles, codes.astype(np.int64))


def number_outcome(numbers: Float) -> Outcome:
    return Outcome(np.asarray(numbers, np.float64)[:, None], ("mean",), np.zeros(len(numbers), np.int64))


@dataclass(frozen=True, eq=False)
class Rates:
    column: int  # of the table
    titles: tuple[str, ...]
    values: Float  # levels x outputs
    overall: Float  # outputs: of a level that is missing or was never seen


def learn_rates(j: int, column: Column, outcome: Outcome, weight: Float) -> Rates:
    values, overall = _shrink(column, outcome.values, weight)
    return Rates(j, outcome.titles, values, overall)


def out_of_fold(column: Column, outcome: Outcome, weight: Float, random_state: int) -> Float:
    """Rows x outputs: for each row the rates of the other parts."""
    folds = min(N_FOLDS, len(outcome.strata))
    out = np.tile(np.average(outcome.values, axis=0, weights=weight), (len(outcome.strata), 1))
    if folds < 2:
        return out
    fold = stratified_folds(outcome.strata, folds, random_state)
    for k in range(folds):
        inside = weight * (fold != k)
        if inside.any():
            values, overall = _shrink(column, outcome.values, inside)
            out[fold == k] = np.vstack([values, overall])[column.values[fold == k]]
    return out


def read_rates(rates: Rates, codes: NDArray[Any]) -> Float:
    """Rows x outputs. `codes`: levels of training; -1 where missing or never seen."""
    return np.asarray(np.vstack([rates.values, rates.overall])[codes])


def _shrink(column: Column, values: Float, weight: Float) -> tuple[Float, Float]:
    overall = np.average(values, axis=0, weights=weight)
    place = np.where(column.missing, len(column.levels), column.values)
    many = len(column.levels) + 1
    count = np.bincount(place, weight, many)[:-1]
    sums = np.column_stack([np.bincount(place, weight * one, many)[:-1] for one in values.T])
    return (sums + M * overall) / (count + M)[:, None], overall
