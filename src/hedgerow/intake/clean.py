"""Cells as a model can take them.   In: a frame as it was read.   Out: the same, cleaned; a remark for each column that
was changed.

a date, a moment    days since 1970-01-01, shown as dates; also text, if its cells are dates (dates.py)
a time of day       hours
a duration          days
"$1,234.50", "45 %", "12,5"    the number in it (numbers.py)
12, 7, unknown, 31  (nearly all are numbers) what is no number is missing; likewise among dates
007, 0815           codes: they stay text
infinity            missing
9007199254740993    whole numbers that a 64-bit float would round: text, so that none is taken for another
lists, records      not values: the column is left out

`hedgerow predict` reads new rows by the same path, so that they are read as the training rows were.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hedgerow.intake.dates import DIGITS, OFFSET, decode_dates, parse_dates, parse_hours, without_lost
from hedgerow.intake.numbers import describe_lost, parse_numbers
from hedgerow.table import Kind, Table

if TYPE_CHECKING:
    import polars as pl

DAY = 86_400_000_000  # microseconds
HOUR = 3_600_000_000_000  # nanoseconds
DATE_FORMAT = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?UTC|[+-]00:?00)?)?$"
EXACT = 2**53  # whole numbers beyond are not all floats
EXACT_REMARK = "whole numbers beyond 2**53, kept as text, each exact (divide them to have numbers)"
DATE_REMARK = "dates, read by day, year, month and weekday"
DATETIME_REMARK = "dates with a time, read by moment, year, month, weekday and hour"
UTC_REMARK = " (moments in UTC)"
HOURS_REMARK = "times of day, taken as hours"

Cleaned = tuple["pl.DataFrame", dict[str, str]]


def coerce_types(
    frame: "pl.DataFrame", categories: tuple[str, ...] = (), orders: Mapping[str, str] | None = None
) -> Cleaned:
    """By what the cells look like. `categories`: columns that stay as they are. `orders`: of columns that the caller
    calls dates, which of day and month comes first; "number_comma" of numbers with a decimal comma."""
    frame, dates = convert_dates(frame, categories, orders=orders)
    frame, exact = keep_exact(frame)
    frame, numbers = convert_text_numbers(frame, (*categories, *exact), orders=orders)
    frame, infinite = drop_infinities(frame)
    return frame, infinite | numbers | exact | dates


def find_numbers(kinds: Mapping[str, str]) -> frozenset[str]:
    """The columns that are read as numbers, by their kinds."""
    return frozenset(name for name, kind in kinds.items() if kind in ("number", "date", "datetime"))


def coerce_to_numbers(
    frame: "pl.DataFrame", numbers: frozenset[str], orders: Mapping[str, str] | None = None
) -> "pl.DataFrame":
    """By what a model knows: `numbers` are its columns of numbers."""
    frame, _ = convert_dates(frame, texts=numbers, orders=orders)
    frame, _ = keep_exact(frame, texts=frozenset(frame.columns) - numbers)
    frame, _ = convert_text_numbers(frame, texts=numbers, orders=orders)
    return drop_infinities(frame)[0]


def keep_exact(frame: "pl.DataFrame", texts: frozenset[str] | None = None) -> Cleaned:
    """Whole numbers that a float would round become text. `texts`: where they may; anywhere, if not given."""
    import polars as pl

    columns = [
        name
        for name, dtype in frame.schema.items()
        if dtype.is_integer() and (texts is None or name in texts) and _is_rounded(frame.get_column(name))
    ]
    remarks = dict.fromkeys(columns, EXACT_REMARK)
    return frame.with_columns(pl.col(name).cast(pl.String) for name in columns), remarks


def _is_rounded(column: "pl.Series") -> bool:
    least, most = column.min(), column.max()
    if most is None or (least >= -EXACT and most <= EXACT):  # type: ignore[operator]
        return False
    return any(int(float(whole)) != whole for whole in column.drop_nulls().unique().to_list())


def flatten_nested(frame: "pl.DataFrame") -> Cleaned:
    """Columns whose cells hold more than one value, as text; and why each is left out."""
    import polars as pl

    plural = {
        pl.List: "lists",
        pl.Array: "lists",
        pl.Struct: "records",
        pl.Binary: "bytes",
        pl.Object: "objects",
    }
    found = {
        name: plural[kind] for name, dtype in frame.schema.items() if (kind := dtype.base_type()) in plural
    }
    texts = [
        pl.when(pl.col(name).is_null()).then(None).otherwise(pl.lit(f"({what})")).alias(name)
        for name, what in found.items()
    ]
    reasons = {name: f"its cells are {what}, not values" for name, what in found.items()}
    return frame.with_columns(texts), reasons


def convert_dates(
    frame: "pl.DataFrame",
    categories: tuple[str, ...] = (),
    texts: frozenset[str] | None = None,
    orders: Mapping[str, str] | None = None,
) -> Cleaned:
    """`texts`: the text columns that may hold dates; all, if not given. A date that is a category becomes text."""
    import polars as pl

    remarks: dict[str, str] = {}
    orders = {name: kind for name, kind in (orders or {}).items() if not kind.startswith("number")}
    columns = []
    for name, dtype in frame.schema.items():
        column = pl.col(name)
        if name in categories:
            columns += [column.cast(pl.String)] if dtype.is_temporal() else []
        elif dtype == pl.Time:
            columns.append(column.cast(pl.Int64).cast(pl.Float64) / HOUR)
            remarks[name] = HOURS_REMARK
        elif dtype == pl.Duration:
            columns.append(column.dt.total_microseconds().cast(pl.Float64) / DAY)
            remarks[name] = "durations, taken as days"
        elif dtype.is_temporal():
            days = frame.get_column(name).cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / DAY
            columns.append(pl.lit(days).alias(name))
            remarks[name] = _date_remark(days)
        elif (dtype == pl.String and (texts is None or name in texts)) or _are_digits(frame.get_column(name)):
            text = frame.get_column(name).cast(pl.String)
            found, remark = _read_text(text, orders.get(name, "date"), is_known=texts is not None)
            if found is not None:
                columns.append(pl.lit(found).alias(name))
                remarks[name] = remark
        elif name in orders and dtype.is_numeric():
            found = decode_dates(frame.get_column(name))
            if found is not None:
                columns.append(pl.lit(found).alias(name))
                remarks[name] = _date_remark(found)
    return frame.with_columns(columns), remarks


def _read_text(text: "pl.Series", order: str, *, is_known: bool) -> "tuple[pl.Series | None, str]":
    """Dates or times of day, and the remark. `is_known`: the column is no other text."""
    hours = parse_hours(text)
    if hours is not None:
        return hours, HOURS_REMARK
    dates = without_lost(text, is_known=is_known)
    days = parse_text_dates(dates, order)
    if days is None:
        return None, ""
    lost = text.filter(text.is_not_null() & dates.is_null())
    zone = UTC_REMARK if text.str.contains(OFFSET).any() else ""
    return days, _date_remark(days) + zone + (f"; {describe_lost(lost)}" if len(lost) else "")


def parse_text_dates(text: "pl.Series", order: str) -> "pl.Series | None":
    """Days since 1970-01-01, or None where a cell is no date."""
    found = _parse_days(text)
    return parse_dates(text, order) if found is None else found


def _are_digits(column: "pl.Series") -> bool:
    """20241231 in a column that is called a date."""
    if not column.dtype.is_integer() or "date" not in column.name.casefold() or column.is_null().all():
        return False
    return bool(column.drop_nulls().cast(str).str.contains(DIGITS).all())


def mark_dates(table: Table, remarks: Mapping[str, str]) -> Table:
    """Columns that were dates are shown as dates; they stay numbers to all that learns."""
    kinds: dict[str, Kind] = {DATE_REMARK: "date", DATETIME_REMARK: "datetime"}
    found = {
        name: kind
        for name, words in remarks.items()
        for remark, kind in kinds.items()
        if words.startswith(remark)
    }
    columns = [
        replace(column, kind=found.get(column.name, column.kind)) if column.kind == "number" else column
        for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def _date_remark(days: "pl.Series") -> str:
    known = days.drop_nulls()
    return DATE_REMARK if (known == known.round()).all() else DATETIME_REMARK


def _parse_days(text: "pl.Series") -> "pl.Series | None":
    """Of 2024-12-31, with or without a time from cell to cell; None if a cell is none."""
    import polars as pl

    known = text.drop_nulls()
    if not len(known) or not known.str.contains(DATE_FORMAT).all():
        return None
    day = text.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    if day.null_count() > text.null_count():  # 2024-02-30
        return None
    hours, minutes, seconds = (
        text.str.slice(*place).str.strip_chars("Z+:").cast(pl.Float64, strict=False).fill_null(0.0)
        for place in ((11, 2), (14, 2), (17, 2))
    )
    return day.dt.epoch("d").cast(pl.Float64) + (hours + minutes / 60 + seconds / 3600) / 24


def convert_text_numbers(
    frame: "pl.DataFrame",
    kept: tuple[str, ...] = (),
    texts: frozenset[str] | None = None,
    orders: Mapping[str, str] | None = None,
) -> Cleaned:
    """`kept`: columns to leave as they are. `texts`: those known to be numbers; if not given, those that look so.
    `orders`: "number_comma" for columns with a decimal comma."""
    import polars as pl

    numbers, remarks = [], {}
    for name, dtype in frame.schema.items():
        if dtype != pl.String or name in kept or (texts is not None and name not in texts):
            continue
        column, kind = frame.get_column(name), (orders or {}).get(name, "number")
        if texts is None and parse_numbers(column.unique(), kind).numbers.is_null().all():
            continue  # words: each is read once, not in every row
        found = parse_numbers(column, kind)
        if found.look_like_numbers() if texts is None else found.are_mostly_numbers():
            numbers.append(found.numbers)
            remarks[name] = found.describe()
    return frame.with_columns(numbers), remarks


def drop_infinities(frame: "pl.DataFrame") -> Cleaned:
    """Infinite cells are missing ones."""
    import polars as pl

    names = [name for name, dtype in frame.schema.items() if dtype.is_float()]
    counts = {name: int(frame.get_column(name).is_infinite().sum() or 0) for name in names}
    found = {name: count for name, count in counts.items() if count}
    columns = [
        pl.when(pl.col(name).is_infinite()).then(None).otherwise(pl.col(name)).alias(name) for name in found
    ]
    remarks = {
        name: f"{count:,} infinite {'cell' if count == 1 else 'cells'} taken as missing"
        for name, count in found.items()
    }
    return frame.with_columns(columns), remarks
