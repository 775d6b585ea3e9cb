"""Would a random split flatter?   In: the training rows, a model, a column of time.   Out: a Finding, if rows that come
after the others in time are predicted clearly worse than as many rows drawn at random.

    forward   learn from the first four fifths, test on the last fifth
    random    learn from four fifths, test on the others: the same numbers of rows

Two fits. Where no column of time is named, the date with the most different days is tried, or a column called year.
"""

from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.errors import Message, Setting, Spelling
from hedgerow.estimators.bag_members import take_rows
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import weight_params
from hedgerow.features.dates import DATES
from hedgerow.table import Column, Table
from hedgerow.table.split import hold_out, hold_out_last
from hedgerow.tree.formatting import number
from hedgerow.types import Count, Float
from hedgerow.words import show

SHARE = 0.2  # that is tested
FEWEST_DAYS = 20  # different ones, for a date to be a time
FEWEST_YEARS = 5
CLEARLY = 3.0  # standard errors of the difference
WORSE = 1.05  # times the loss
COUNTS = 0.01  # of what a guess loses


def find_time_column(table: Table) -> str | None:
    """The date with the most different days; where no column is a date, the year."""
    days = {
        column.name: len(np.unique(column.values[~column.missing]))
        for column in table.columns
        if column.kind in DATES and not column.missing.any()
    }
    best = max(days, key=days.__getitem__, default=None)
    if best is not None and days[best] >= FEWEST_DAYS:
        return best
    return next((column.name for column in table.columns if _is_year(column)), None)


def _is_year(column: Column) -> bool:
    """Called so, with whole numbers that may be years."""
    if column.kind != "number" or column.name.strip().casefold() != "year" or column.missing.any():
        return False
    years = np.unique(column.values)
    return (
        len(years) >= FEWEST_YEARS and years[0] >= 1500 and years[-1] < 2200 and bool((years % 1 == 0).all())
    )


def check_time(
    model: Any, data: Data, time: Float, name: str, spell: Spelling, *, is_named: bool, random_state: int
) -> tuple[Finding, ...]:
    """`is_named`: the caller says that `name` is the time, so that the study goes by it."""
    strata = np.zeros(data.n_rows, np.int64) if data.classes is None else data.y.astype(np.int64)
    last = hold_out_last(time, SHARE)
    drawn = hold_out(strata, len(last[1]) / data.n_rows, random_state, data.copies)
    forward, random = (measure_losses(model, data, *one) for one in (last, drawn))
    error = np.sqrt(forward.var() / len(forward) + random.var() / len(random))
    if not is_clearly_worse(forward, random, error, data):
        return ()
    later, mixed = (describe_loss(one, data) for one in (forward, random))
    flattered = (
        f"a random split would flatter: {later} on rows that come later in {show(name)}, {mixed} on as many drawn at "
        "random, by models of as many rows"
    )
    if is_named:
        return (Finding("time", f"{flattered[0].upper()}{flattered[1:]}.", False, (name,)),)
    words = Message(
        "{}. If the model is for rows that are yet to come, the scores here are too good: {} tests on later rows.",
        f"{flattered[0].upper()}{flattered[1:]}",
        Setting("time", name),
    )
    return (Finding("time", words.render(spell), True, (name,)),)


def is_clearly_worse(later: Float, mixed: Float, error: float, data: Data) -> bool:
    """`error`: of the difference. Of a target that can be computed, five millionths instead of two are no matter."""
    gap, least = float(later.mean() - mixed.mean()), COUNTS * _guess_loss(data)
    return gap > max(CLEARLY * error, (WORSE - 1) * float(mixed.mean()), least)


def _guess_loss(data: Data) -> float:
    """Of always predicting the most frequent class, or the median."""
    if data.classes is not None:
        return 1 - float(np.bincount(data.y).max()) / data.n_rows
    return float(np.abs(data.y - np.median(data.y)).mean())


def measure_losses(model: Any, data: Data, train: Count, test: Count) -> Float:
    """Of each test row: 1 where the class is wrong; the absolute error, which a few rows do not rule."""
    known, truth = data.labels[train], data.labels[test]
    if len(np.unique(known)) == 1:  # models refuse a single class
        predicted = np.full(len(test), known[0])
    else:
        weight = None if data.weight is None else data.weight[train]
        fitted = clone(model).fit(take_rows(data.X, train), known, **weight_params(model, weight))
        predicted = np.asarray(fitted.predict(take_rows(data.X, test)))
    if data.classes is not None:
        return np.asarray(predicted != truth, np.float64)
    return np.asarray(np.abs(predicted - truth), np.float64)


def describe_loss(losses: Float, data: Data) -> str:
    mean = float(losses.mean())
    return f"{mean:.1%} wrong" if data.classes is not None else f"a mean absolute error of {number(mean)}"
