"""Cells as a model can take them.   In: a frame as it was read.   Out: the same, cleaned; a remark for each column that
was changed.

a date, a moment    days since 1970-01-01, shown as dates; also text, if every cell is one (dates.py)
a time of day       hours
a duration          days
"$1,234.50", "45 %", "(1 234)"    the number in it; in brackets, below zero
12, 7, unknown, 31  (nearly all are numbers) what is no number is missing
007, 0815           codes: they stay text
infinity            missing
9007199254740993    whole numbers that a 64-bit float would round: text, so that none is taken for another
lists, records      not values: the column is left out

`hedgerow predict` reads new rows by the same path, so that they are read as the training rows were.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from hedgerow.intake.dates import DIGITS, parse_dates
from hedgerow.table import Kind, Table
from hedgerow.table.csv_file import BRACKETS, SIGNS
from hedgerow.words import listing

if TYPE_CHECKING:
    import polars as pl

DAY = 86_400_000_000  # microseconds
HOUR = 3_600_000_000_000  # nanoseconds
DATE_FORMAT = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?UTC|[+-]00:?00)?)?$"
EXACT = 2**53  # whole numbers beyond are not all floats
EXACT_REMARK = "whole numbers beyond 2**53, kept as text, each exact (divide them to have numbers)"
DATE_REMARK = "dates, read by day, year, month and weekday"
DATETIME_REMARK = "dates with a time, read by moment, year, month, weekday and hour"
NUMBER_FORMAT = rf"^[-+]?[{SIGNS}]?\s?(\d{{1,3}}([,\s']\d{{3}})+|\d+)?(\.\d+)?\s?[%{SIGNS}]?$"
NUMBER_SIGNS = rf"[,%(){SIGNS}]|\d[\s']\d"  # what a name does not have
GROUPS = r"^\d+\s\d+\s\d"  # three or more: 612 345 678 may be a telephone
MIN_NUMBERS = 0.95  # share of the cells that are numbers, for the others to be taken as missing
MIN_DISTINCT = 20  # different ones among them

Cleaned = tuple["pl.DataFrame", dict[str, str]]


def coerce_types(
    frame: "pl.DataFrame", categories: tuple[str, ...] = (), orders: Mapping[str, str] | None = None
) -> Cleaned:
    """By what the cells look like. `categories`: columns that stay as they are. `orders`: of columns that are dates,
    which of day and month comes first."""
    frame, dates = convert_dates(frame, categories, orders=orders)
    frame, exact = keep_exact(frame)
    frame, numbers = convert_text_numbers(frame, (*categories, *exact))
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
    frame, _ = convert_text_numbers(frame, texts=numbers)
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
    orders = orders or {}
    columns = []
    for name, dtype in frame.schema.items():
        column = pl.col(name)
        if name in categories:
            columns += [column.cast(pl.String)] if dtype.is_temporal() else []
        elif dtype == pl.Time:
            columns.append(column.cast(pl.Int64).cast(pl.Float64) / HOUR)
            remarks[name] = "times of day, taken as hours"
        elif dtype == pl.Duration:
            columns.append(column.dt.total_microseconds().cast(pl.Float64) / DAY)
            remarks[name] = "durations, taken as days"
        elif dtype.is_temporal():
            days = frame.get_column(name).cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / DAY
            columns.append(pl.lit(days).alias(name))
            remarks[name] = _date_remark(days)
        elif (dtype == pl.String and (texts is None or name in texts)) or _are_digits(frame.get_column(name)):
            parsed = parse_text_dates(frame.get_column(name).cast(pl.String), orders.get(name, "date"))
            if parsed is not None:
                columns.append(pl.lit(parsed).alias(name))
                remarks[name] = _date_remark(parsed)
    return frame.with_columns(columns), remarks


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
    columns = [
        replace(column, kind=kinds[remarks[column.name]])
        if column.kind == "number" and remarks.get(column.name) in kinds
        else column
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
    frame: "pl.DataFrame", kept: tuple[str, ...] = (), texts: frozenset[str] | None = None
) -> Cleaned:
    """`kept`: columns to leave as they are. `texts`: those known to be numbers; if not given, those that look so."""
    import polars as pl

    found, remarks = [], {}
    for name, dtype in frame.schema.items():
        if dtype != pl.String or name in kept or (texts is not None and name not in texts):
            continue
        text = frame.get_column(name)
        numbers = _parse_numbers(text)
        if _are_mostly_numbers(text, numbers) if texts is not None else _look_like_numbers(text, numbers):
            found.append(numbers)
            remarks[name] = _number_remark(text, numbers)
    return frame.with_columns(found), remarks


def _parse_numbers(text: "pl.Series") -> "pl.Series":
    import polars as pl

    bare = text.str.replace(BRACKETS, "$1")
    plain = bare.str.replace_all(rf"[,%'\s{SIGNS}]", "").cast(pl.Float64, strict=False)
    signed = pl.select(pl.when(text.str.starts_with("(")).then(-plain).otherwise(plain)).to_series()
    is_number = bare.str.contains(NUMBER_FORMAT) & bare.str.contains(r"\d")
    return signed.alias(text.name).set(~is_number.fill_null(False), None)


def _are_mostly_numbers(text: "pl.Series", numbers: "pl.Series") -> bool:
    return 2 * (len(numbers) - numbers.null_count()) >= len(text) - text.null_count()


def _look_like_numbers(text: "pl.Series", numbers: "pl.Series") -> bool:
    known, read = len(text) - text.null_count(), len(numbers) - numbers.null_count()
    if read == 0 or text.str.contains(r"^0\d").any():
        return False
    if read == known:
        is_code = text.str.contains(GROUPS).all() and text.str.len_chars().n_unique() == 1
        return not is_code and bool(text.str.contains(NUMBER_SIGNS).any())  # bare digits are meant as names
    return read >= MIN_NUMBERS * known and numbers.n_unique() > MIN_DISTINCT


def _number_remark(text: "pl.Series", numbers: "pl.Series") -> str:
    lost = text.filter(text.is_not_null() & numbers.is_null())
    if not len(lost):
        return "numbers as text, read as numbers"
    cells = "cell" if len(lost) == 1 else "cells"
    return f"numbers; {len(lost):,} {cells} such as {listing(lost.unique().sort().to_list()[:1])} taken as missing"


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
