"""Dates as numbers.   In: a frame.   Out: the same, each date or time a number; and a remark for each such column.

a date, a moment    days since 1970-01-01
a time of day       hours
a duration          days
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

DAY = 86_400_000_000  # microseconds
HOUR = 3_600_000_000_000  # nanoseconds


def without_dates(frame: "pl.DataFrame", dropped: tuple[str, ...]) -> tuple["pl.DataFrame", dict[str, str]]:
    import polars as pl

    remarks: dict[str, str] = {}
    columns = []
    for name, dtype in frame.schema.items():
        if not dtype.is_temporal() or name in dropped:
            continue
        column = pl.col(name)
        if dtype == pl.Time:
            columns.append(column.cast(pl.Int64).cast(pl.Float64) / HOUR)
            remarks[name] = "times of day, taken as hours"
        elif dtype == pl.Duration:
            columns.append(column.dt.total_microseconds().cast(pl.Float64) / DAY)
            remarks[name] = "durations, taken as days"
        else:
            columns.append(column.cast(pl.Datetime("us")).dt.epoch("us").cast(pl.Float64) / DAY)
            remarks[name] = "dates, taken as days since 1970"
    return frame.with_columns(columns), remarks
