"""Dates as numbers.   In: a frame.   Out: the same, each date or time a number; and a remark for each such column.

a date, a moment    days since 1970-01-01; also text, if every cell is written 2024-12-31 or 2024-12-31 23:59:59
a time of day       hours
a duration          days
what is asked for as a category is text
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

DAY = 86_400_000_000  # microseconds
HOUR = 3_600_000_000_000  # nanoseconds
WRITTEN = r"^\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?UTC|[+-]00:?00)?)?$"
REMARK = "dates, taken as days since 1970"


def without_dates(
    frame: "pl.DataFrame", categories: tuple[str, ...] = (), texts: frozenset[str] | None = None
) -> tuple["pl.DataFrame", dict[str, str]]:
    """`texts`: the text columns that may hold dates; all, if not given."""
    import polars as pl

    remarks: dict[str, str] = {}
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
            columns.append(column.cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / DAY)
            remarks[name] = REMARK
        elif dtype == pl.String and (texts is None or name in texts):
            days = _days(frame.get_column(name))
            if days is not None:
                columns.append(pl.lit(days).alias(name))
                remarks[name] = REMARK
    return frame.with_columns(columns), remarks


def _days(text: "pl.Series") -> "pl.Series | None":
    """Of dates as text; None if a cell is none."""
    import polars as pl

    known = text.drop_nulls()
    if not len(known) or not known.str.contains(WRITTEN).all():
        return None
    day = text.str.slice(0, 10).str.to_date("%Y-%m-%d", strict=False)
    if day.null_count() > text.null_count():  # 2024-02-30
        return None
    hours, minutes, seconds = (
        text.str.slice(*place).str.strip_chars("Z+:").cast(pl.Float64, strict=False).fill_null(0.0)
        for place in ((11, 2), (14, 2), (17, 2))
    )
    return day.dt.epoch("d").cast(pl.Float64) + (hours + minutes / 60 + seconds / 3600) / 24
