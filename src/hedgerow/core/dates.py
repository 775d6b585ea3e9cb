"""Dates.   In: days since 1970-01-01, which is what learns.   Out: the date, for whoever reads."""

from datetime import datetime, timedelta


def write_date(days: float, *, with_time: bool = False) -> str:
    """Days since 1970-01-01 as a date: 2024-12-31; with the time of day, 2024-12-31 18:00."""
    try:
        moment = datetime(1970, 1, 1) + timedelta(days=days)
    except (OverflowError, ValueError):  # not a day of our calendar
        return f"day {days:g} since 1970"
    return moment.strftime("%Y-%m-%d %H:%M" if with_time else "%Y-%m-%d")
