"""Dates as text.   In: a column of text.   Out: days since 1970-01-01, or None where its cells are no dates, or where
day and month could be either way round.

    2024-12-31   2024/12/31   20241231        year first
    31.12.2024   31/12/2024   31-12-24        day first: with dots, or where a day above 12 says so
    12/31/2024                                month first, where a day above 12 says so
    31 Dec 2024   December 31, 2024           months in words
    2024-12   Dec 2024   2024Q4               the first day of the month or quarter
    ... 23:59   23:59:59   11:59 PM   T23:59:59Z   T23:59:59+02:00 (as a moment in UTC)

One form for the whole column, or several where each cell has one of those that are unambiguous without other cells.
03/04/2024 in every cell is no date until the caller says which comes first. A few cells that are no dates (0000-00-00,
unknown) are missing. Numbers are dates where the caller says so: days of a spreadsheet, seconds since 1970.
"""

from itertools import product
from typing import TYPE_CHECKING

from hedgerow.table.layout import MISSING_WORDS

if TYPE_CHECKING:
    import polars as pl

DAY = 86_400_000_000  # microseconds
TRIED = 200  # cells, before all are
YEAR_FIRST = ("%Y-%m-%d", "%Y/%m/%d", "%Y.%m.%d", "%Y%m%d")
DAY_FIRST = ("%d/%m/%Y", "%d-%m-%Y", "%d/%m/%y", "%d-%m-%y")
DOTTED = ("%d.%m.%Y", "%d.%m.%y")
MONTH_FIRST = ("%m/%d/%Y", "%m-%d-%Y", "%m/%d/%y", "%m-%d-%y")
WORDS = (
    *("%d %b %Y", "%d %B %Y", "%b %d, %Y", "%B %d, %Y", "%d-%b-%Y", "%d-%b-%y", "%d. %B %Y", "%b %d %Y"),
    *("%B %d %Y", "%a, %d %b %Y", "%A, %d %B %Y", "%A, %B %d, %Y"),
)
TIMES = ("", " %H:%M:%S%.f", " %H:%M", " %I:%M %p", " %I:%M:%S %p")
ORDERS = {
    "date": (*YEAR_FIRST, *DOTTED, *WORDS),
    "date_dmy": (*YEAR_FIRST, *DOTTED, *WORDS, *DAY_FIRST),
    "date_mdy": (*YEAR_FIRST, *WORDS, *MONTH_FIRST),
}
LOOKS = r"^[A-Za-z]{0,9},? ?[A-Za-z]{0,9}\.? ?\d{1,4}[-/., ]{0,2}([A-Za-z]{3,9}|\d{1,2}),?[-/. ]{0,2}\d{2,4}"
OFFSET = r":\d\d(?:\.\d+)? ?([+-]\d\d):?(\d\d)$"  # from UTC
ZERO = r"^0{1,4}[-/.]0{1,2}[-/.]0{1,4}([ T]00:00(:00)?)?$"  # how databases write that there is no date
HOURS = r"^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d(?:\.\d+)?))?( ?[AaPp]\.?[Mm]\.?)?$"
PARTS_OF_YEARS = {  # written -> the day it begins
    r"^(\d{4})[-/](\d{1,2})$": "$1-$2-01",
    r"^([A-Za-z]{3,9})\.?[ -](\d{4})$": "01 $1 $2",
    **{rf"^(\d{{4}})[- ]?Q{k + 1}$": f"$1-{3 * k + 1:02}-01" for k in range(4)},
    **{rf"^Q{k + 1}[- /]?(\d{{4}})$": f"$1-{3 * k + 1:02}-01" for k in range(4)},
}
MAX_LOST = 0.05  # share of the cells that may be no dates, and are missing
MIN_DISTINCT = 20  # different dates beside them
CALENDARS = (  # numbers that the caller calls dates: from, below, days of one, the day 0 stands for
    (10_000, 100_000, 1.0, -25_569.0),  # of a spreadsheet
    (1e8, 1e11, 1 / 86_400, 0.0),  # seconds, milliseconds, microseconds, nanoseconds since 1970
    (1e11, 1e14, 1 / 86_400e3, 0.0),
    (1e14, 1e17, 1 / 86_400e6, 0.0),
    (1e17, 1e20, 1 / 86_400e9, 0.0),
)
DIGITS = r"^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"


def parse_dates(text: "pl.Series", order: str = "date") -> "pl.Series | None":
    """`order`: "date", "date_dmy" or "date_mdy"."""
    if not _plain(text.drop_nulls().head(TRIED)).str.contains(LOOKS).all():
        return None
    plain = _plain(text)
    known = plain.drop_nulls()
    if not len(known) or not known.str.contains(LOOKS).all() or _are_seasons(text):
        return None
    sample = known.unique(maintain_order=True)
    days = _days_by(plain, sample, ORDERS[order])
    if days is None and order == "date":
        ways = [_days_by(plain, sample, ORDERS[one]) for one in ("date_dmy", "date_mdy")]
        possible = [found for found in ways if found is not None]
        is_sure = len(possible) == 1 or (len(possible) == 2 and _equal(*possible))
        days = possible[0] if is_sure else None
    return days if days is None else days - _read_offsets(text)


def without_lost(text: "pl.Series", *, is_known: bool = False) -> "pl.Series":
    """Without the cells that are no dates, where these are few; at most half, in a column known for its dates."""
    if not is_known and not _look_like_dates(text):
        return text
    words = (text.str.to_lowercase().is_in(MISSING_WORDS) | text.str.contains(ZERO)).fill_null(False)
    dates = text.set(words, None)
    other = (~_plain(dates).str.contains(LOOKS)).fill_null(False)
    n_known, n_other = len(dates) - dates.null_count(), int(other.sum())
    if n_other > (0.5 if is_known else MAX_LOST) * n_known:
        return text
    dates = dates.set(other, None)
    is_enough = is_known or dates.null_count() == text.null_count() or dates.n_unique() > MIN_DISTINCT
    return dates if is_enough else text


def _look_like_dates(text: "pl.Series") -> bool:
    """A few of the cells: most columns of text end here."""
    some = text.drop_nulls().head(TRIED)
    some = some.filter(~some.str.to_lowercase().is_in(MISSING_WORDS))
    return not len(some) or 2 * int(_plain(some).str.contains(LOOKS).sum()) >= len(some)


def parse_hours(text: "pl.Series") -> "pl.Series | None":
    """Of times of day, 13:45 or 1:45 PM; None where a cell is none."""
    import polars as pl

    known = text.drop_nulls()
    if not len(known) or not known.str.contains(HOURS).all():
        return None
    parts = text.str.extract_groups(HOURS).struct.unnest()
    hour, minute, second = (
        parts.to_series(k).cast(pl.Float64, strict=False).fill_null(0.0) for k in range(3)
    )
    half = parts.to_series(3).str.strip_chars(" ").str.to_lowercase().str.slice(0, 1)
    hour = hour.zip_with(half.is_null(), hour % 12).zip_with((half != "p").fill_null(True), hour % 12 + 12)
    return (hour + minute / 60 + second / 3600).set(text.is_null(), None).alias(text.name)


def decode_dates(numbers: "pl.Series") -> "pl.Series | None":
    """Days since 1970-01-01 of 20241231, of days of a spreadsheet, or of seconds since 1970; None for other numbers."""
    import polars as pl

    known = numbers.drop_nulls()
    if not len(known):
        return None
    if known.dtype.is_integer() and known.cast(pl.String).str.contains(DIGITS).all():
        return parse_dates(numbers.cast(pl.String))
    least, most = float(known.min()), float(known.max())  # type: ignore[arg-type]
    for begin, end, unit, zero in CALENDARS:
        if begin <= least and most < end:
            return numbers.cast(pl.Float64) * unit + zero
    return None


def find_order(text: "pl.Series") -> str:
    """Of a column of dates: "date_dmy" or "date_mdy" where slashes or dashes left it open, else "date"."""
    plain = _plain(text)
    sample = plain.drop_nulls().unique(maintain_order=True)
    if _days_by(plain, sample, ORDERS["date"]) is not None:
        return "date"
    orders = ("date_dmy", "date_mdy")
    return next((one for one in orders if _days_by(plain, sample, ORDERS[one]) is not None), "date")


def _plain(text: "pl.Series") -> "pl.Series":
    """One space between date and time, no zone, a day in every date."""
    import polars as pl

    plain = pl.col("cell").str.strip_chars().str.replace(r"(\d)T(\d)", "$1 $2").str.replace_all(r"\s+", " ")
    plain = plain.str.replace(r"(:\d\d(?:\.\d+)?) ?(?:Z|UTC|GMT|[+-]\d\d:?\d\d)$", "$1")
    for form, day in PARTS_OF_YEARS.items():
        plain = plain.str.replace(form, day)
    plain = plain.str.replace(r"(?i)\bsept\b", "Sep")
    return text.alias("cell").to_frame().select(plain).to_series().alias(text.name)


def _read_offsets(text: "pl.Series") -> "pl.Series":
    """Days that each cell is ahead of UTC."""
    import polars as pl

    parts = text.str.extract_groups(OFFSET).struct.unnest()
    hours, minutes = (parts.to_series(k).cast(pl.Float64).fill_null(0.0) for k in range(2))
    sign = parts.to_series(0).str.starts_with("-").fill_null(False).cast(pl.Float64) * -2.0 + 1.0
    return (hours + sign * minutes / 60) / 24


def _are_seasons(text: "pl.Series") -> bool:
    """2023-24 and 2011-12: the second year of each is the next."""
    import polars as pl

    years = text.drop_nulls().str.extract_groups(r"^(\d{4})[-/](\d{2})$").struct.unnest().cast(pl.Int64)
    follows = (years.to_series(0) + 1) % 100 == years.to_series(1)
    return bool(follows.fill_null(False).all())


def _days_by(text: "pl.Series", sample: "pl.Series", forms: tuple[str, ...]) -> "pl.Series | None":
    for form, time in product(forms, TIMES):
        if form == "%Y%m%d" and not sample.str.contains(DIGITS).all():
            continue
        if _parse(sample.head(TRIED), form + time) is None:
            continue
        days = _parse(text, form + time)
        if days is not None:
            return days
    return _join_forms(text, sample, forms)


def _join_forms(text: "pl.Series", sample: "pl.Series", forms: tuple[str, ...]) -> "pl.Series | None":
    """Each cell by the first form that it has."""
    import polars as pl

    found = pl.Series(text.name, [None] * len(sample), pl.Float64)
    for form, time in product(forms, TIMES):
        open_cells = sample.set(found.is_not_null(), None)
        if form == "%Y%m%d":
            open_cells = open_cells.set(~sample.str.contains(DIGITS), None)
        found = found.zip_with(found.is_not_null(), _read_form(open_cells, form + time))
        if not found.null_count():
            return text.replace_strict(sample, found, return_dtype=pl.Float64)
    return None


def _parse(text: "pl.Series", form: str) -> "pl.Series | None":
    """None if a cell has another form, or is a day that never was."""
    days = _read_form(text, form)
    return days if days.null_count() == text.null_count() else None


def _read_form(text: "pl.Series", form: str) -> "pl.Series":
    """Null where a cell has another form; 31/12/24 is not the year 24."""
    import polars as pl

    if "%H" in form or "%I" in form:
        moments = text.str.to_datetime(form, strict=False, time_unit="us")
        days = moments.dt.epoch("us").cast(pl.Float64) / DAY
    else:
        moments = text.str.to_date(form, strict=False)
        days = moments.dt.epoch("d").cast(pl.Float64)
    return days if "%y" in form else days.set((moments.dt.year() < 1000).fill_null(False), None)


def _equal(first: "pl.Series", second: "pl.Series") -> bool:
    return bool((first == second).all())
