"""Parts of dates.   In: a column of days since 1970-01-01.   Out: columns of year, month, weekday and hour; of two
columns, the days between them (an age, where one of them is a birth).

Months and weekdays are categories, since December is near January; years and hours are numbers. A part is made where
the training rows have at least two different ones.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from hedgerow.intake.clean import parse_text_dates
from hedgerow.table import Column, Kind
from hedgerow.types import Float

MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
PARTS = ("year", "month", "weekday", "hour")
LEVELS: dict[str, tuple[str, ...]] = {"month": MONTHS, "weekday": WEEKDAYS}
DATES = ("date", "datetime")
FARTHEST = 3_000_000  # days from 1970: some 8,000 years; beyond, no part is known
THURSDAY = 3  # the weekday of 1970-01-01
MOST_SPANS = 10  # pairs of dates


class DatePart(NamedTuple):
    column: int  # of the table
    part: str  # one of PARTS

    def kind(self) -> Kind:
        return "category" if self.part in LEVELS else "number"


class Span(NamedTuple):
    """Days from the first column to the second."""

    first: int
    second: int


def read_dates(column: Column) -> Column:
    """A column of text as dates, where every cell is one (as commands read them); any other as it is."""
    if not column.is_coded or not column.levels:
        return column
    import polars as pl

    days = parse_text_dates(pl.Series(list(column.levels), dtype=pl.String), "date")
    if days is None:
        return column
    return Column(column.name, "date", np.append(days.to_numpy(), np.nan)[column.values])


def find_parts(columns: Sequence[Column]) -> Iterator[DatePart]:
    for j, column in enumerate(columns):
        if column.kind not in DATES:
            continue
        for part in PARTS:
            known = take_part(np.asarray(column.values, np.float64), part)
            known = known[~np.isnan(known)]
            if len(known) and (known != known[0]).any():
                yield DatePart(j, part)


def find_spans(columns: Sequence[Column]) -> tuple[Span, ...]:
    dates = [j for j, column in enumerate(columns) if column.kind in DATES]
    return tuple(Span(*pair) for pair in combinations(dates, 2))[:MOST_SPANS]


def take_part(days: Float, part: str) -> Float:
    """Missing (NaN) where the day is, or where it is no day of the calendar."""
    known = np.abs(days) < FARTHEST
    whole = np.floor(np.where(known, days, 0.0))
    if part == "hour":
        found = np.floor((np.where(known, days, 0.0) - whole) * 24 + 1e-6)
    elif part == "weekday":
        found = (whole + THURSDAY) % 7
    else:
        dates = whole.astype(np.int64).astype("datetime64[D]")
        months = dates.astype("datetime64[M]").astype(np.int64)
        found = np.floor(months / 12) + 1970 if part == "year" else (months % 12).astype(np.float64)
    return np.where(known, found, np.nan)


def make_part(column: Column, part: str) -> Column:
    found = take_part(np.asarray(column.values, np.float64), part)
    name = f"{column.name}: {part}"
    if part not in LEVELS:
        return Column(name, "number", found)
    codes = np.where(np.isnan(found), -1, found).astype(np.int32)
    return Column(name, "category", codes, LEVELS[part])


def name_span(first: str, second: str) -> str:
    return f"days from {first} to {second}"


def make_span(first: Column, second: Column) -> Column:
    with np.errstate(over="ignore", invalid="ignore"):
        days = np.asarray(second.values, np.float64) - np.asarray(first.values, np.float64)
    return Column(name_span(first.name, second.name), "number", np.where(np.isfinite(days), days, np.nan))
