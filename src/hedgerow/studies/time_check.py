"""Would a random split flatter?   In: the training rows, a model, a column of time.   Out: a Finding, if rows that come
after the others in time are predicted clearly worse than as many rows drawn at random.

    forward   learn from the first four fifths, test on the last fifth
    random    learn from four fifths, test on the others: the same numbers of rows

Two fits. Where no column of time is named, the date with the most different days is tried, or a column called year.
"""

from typing import Any

import numpy as np

from hedgerow.errors import Message, Setting, Spelling
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.features.dates import DATES
from hedgerow.studies.row_losses import compare_losses, fit_and_score
from hedgerow.table import Column, Table
from hedgerow.table.split import hold_out, hold_out_last
from hedgerow.types import Float
from hedgerow.words import show

SHARE = 0.2  # that is tested
FEWEST_DAYS = 20  # different ones, for a date to be a time
FEWEST_YEARS = 5
MOST_MISSING = 0.05  # share of the rows without a date, which are not looked at


def find_time_column(table: Table) -> str | None:
    """The date with the most different days; where no column is a date, the year."""
    days = {
        column.name: len(np.unique(column.values[~column.missing]))
        for column in table.columns
        if column.kind in DATES and column.missing.mean() <= MOST_MISSING
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
    known = np.flatnonzero(~np.isnan(time))
    strata = np.zeros(len(known), np.int64) if data.classes is None else data.y[known].astype(np.int64)
    last = hold_out_last(time[known], SHARE)
    copies = None if data.copies is None else data.copies[known]
    drawn = hold_out(strata, len(last[1]) / len(known), random_state, copies)
    forward, random = (fit_and_score(model, data, known[train], known[test]) for train, test in (last, drawn))
    worse = next((one for one in compare_losses(forward, random) if one.is_clearly_worse(one.error)), None)
    if worse is None:
        return ()
    flattered = (
        f"a random split would flatter: {worse.new_words} on rows that come later in {show(name)}, {worse.known_words} "
        "on as many drawn at random, by models of as many rows"
    )
    if is_named:
        return (Finding("time", f"{flattered[0].upper()}{flattered[1:]}.", False, (name,)),)
    words = Message(
        "{}. If the model is for rows that are yet to come, the scores here are too good: {} tests on later rows.",
        f"{flattered[0].upper()}{flattered[1:]}",
        Setting("time", name),
    )
    return (Finding("time", words.render(spell), True, (name,)),)
