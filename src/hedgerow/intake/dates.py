"""Dates as text.   In: a column of text.   Out: days since 1970-01-01, or None where its cells are no dates, or where
day and month could be either way round.

    2024-12-31   2024/12/31   20241231        year first
    31.12.2024   31/12/2024   31-12-24        day first: with dots, or where a day above 12 says so
    12/31/2024                                month first, where a day above 12 says so
    31 Dec 2024   December 31, 2024           months in words
    ... 23:59   23:59:59   11:59 PM   T23:59:59Z

One form for the whole column, or several where each cell has one of those that are unambiguous without other cells.
03/04/2024 in every cell is no date until the caller says which comes first.
"""

from itertools import product
from typing import TYPE_CHECKING

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
DIGITS = r"^(19|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$"


def parse_dates(text: "pl.Series", order: str = "date") -> "pl.Series | None":
    """`order`: "date", "date_dmy" or "date_mdy"."""
    known = text.drop_nulls()
    if not len(known) or not known.str.contains(LOOKS).all():
        return None
    plain = _plain(text)
    sample = plain.drop_nulls().unique(maintain_order=True)
    found = _days_by(plain, sample, ORDERS[order])
    if found is not None or order != "date":
        return found
    ways = [_days_by(plain, sample, ORDERS[one]) for one in ("date_dmy", "date_mdy")]
    possible = [days for days in ways if days is not None]
    return possible[0] if len(possible) == 1 or (len(possible) == 2 and _equal(*possible)) else None


def find_order(text: "pl.Series") -> str:
    """Of a column of dates: "date_dmy" or "date_mdy" where slashes or dashes left it open, else "date"."""
    plain = _plain(text)
    sample = plain.drop_nulls().unique(maintain_order=True)
    if _days_by(plain, sample, ORDERS["date"]) is not None:
        return "date"
    orders = ("date_dmy", "date_mdy")
    return next((one for one in orders if _days_by(plain, sample, ORDERS[one]) is not None), "date")


def _plain(text: "pl.Series") -> "pl.Series":
    """One space between date and time, no zone: those that differ from UTC are no date here."""
    spaced = text.str.strip_chars().str.replace(r"(\d)T(\d)", "$1 $2").str.replace_all(r"\s+", " ")
    return spaced.str.replace(r" ?(Z|UTC|GMT|[+-]00:?00)$", "").str.replace(r"(?i)\bsept\b", "Sep")


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
