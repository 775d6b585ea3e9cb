"""Numbers as text.   In: a column of text.   Out: TextNumbers: its numbers, null where a cell is none; how they are
written.

    1234.5   1,234.50   1 234.5   1'234     a point before the fraction
    1234,5   1.234,50   1 234,5             a comma, where some cell can be nothing else
    240.885 €   9.500 €   950 €             thousands: amounts of money have no three places
    $12   12 €   45 %   EUR 12   12 kg      one sign, currency or unit in all cells that have one
    (12)   −12   12-                        below zero
    -   n.a.   unknown                      missing, where the others are numbers

1,234 in every cell is more than a thousand, until the caller calls the column `number_comma`. Several units in a column
are not read as one: 5 kg and 5 lb differ.
"""

import re
from typing import TYPE_CHECKING, NamedTuple

from hedgerow.table.csv_file import BRACKETS, SIGNS
from hedgerow.table.layout import MISSING_WORDS
from hedgerow.words import listing

if TYPE_CHECKING:
    import polars as pl

CODES = "EUR|USD|GBP|CHF|JPY|CNY|INR|SEK|NOK|DKK|PLN|CZK|HUF|AUD|CAD|NZD|BRL|MXN|ZAR"
CURRENCY = rf"[{SIGNS}]|US\$|R\$|{CODES}|kr\.?|zł|Rs\.?"
UNIT = (
    "%|‰|kg|g|mg|lbs?|oz|km|m|cm|mm|mi|ft|in|m²|m2|km²|l|ml|s|ms|min|h|km/h|mph|W|kW|kWh|V|A|Hz|°C|°F|°|ppm"
)
CELL = (  # sign, currency, sign and number, unit
    rf"^([-+]?)\s?({CURRENCY})?\s?([-+]?[\d.,'\s]*\d(?:[eE][-+]?\d+)?)"
    rf"(\s?(?:{CURRENCY}|{UNIT})|\s[\p{{L}}/]{{1,12}})?\.?$"
)
POINT = r"^[-+]{0,2}(\d{1,3}([,\s']\d{3})+|\d+)?(\.\d+)?([eE][-+]?\d+)?$"
COMMA = r"^[-+]{0,2}(\d{1,3}([.\s']\d{3})+|\d+)?(,\d+)?$"
MARKS = rf"[,%‰(−){SIGNS}]|\d[\s']\d"  # what a name does not have
BEHIND = r"^(.*\d)\s?-$"  # the sign, as some accounting systems write it; 2- may be a grade
MONEY_IN_THOUSANDS = r"^[-+]?[1-9]\d{0,2}\.\d{3}$"
GROUPS = r"^\d+\s\d+\s\d"  # three or more: 612 345 678 may be a telephone
MIN_NUMBERS = 0.95  # share of the cells that are numbers, for the others to be taken as missing
MIN_DISTINCT = 20  # different ones among them


class TextNumbers(NamedTuple):
    text: "pl.Series"
    numbers: "pl.Series"
    unit: str  # "" for none
    is_comma: bool  # 12,5 is twelve and a half

    def look_like_numbers(self) -> bool:
        """By their cells alone."""
        text, known = self.text, len(self.text) - self.text.null_count()
        n_words = int(text.str.to_lowercase().is_in(MISSING_WORDS).sum())
        n_read = len(text) - self.numbers.null_count()
        if n_read == 0 or text.str.contains(r"^0\d").any():
            return False
        if n_read == known and not self.is_comma and text.str.contains(MARKS).any():
            return not (text.str.contains(GROUPS).all() and text.str.len_chars().n_unique() == 1)
        if n_read == known and not self.is_comma and not self.unit and not text.str.contains(BEHIND).any():
            return False  # bare digits are meant as names
        return n_read >= MIN_NUMBERS * (known - n_words) and self.numbers.n_unique() > MIN_DISTINCT

    def are_mostly_numbers(self) -> bool:
        """Of a column that is known to hold numbers; missing words are no other cells."""
        n_words = int(self.text.str.to_lowercase().is_in(MISSING_WORDS).sum())
        n_known = len(self.text) - self.text.null_count() - n_words
        return 2 * (len(self.text) - self.numbers.null_count()) >= n_known

    def describe(self) -> str:
        written = f" in {self.unit}" if self.unit else ""
        if self.is_comma:
            has_commas = self.text.str.contains(",", literal=True).any()
            written += " with a decimal comma" if has_commas else ", with points between thousands"
        lost = self.text.filter(self.text.is_not_null() & self.numbers.is_null())
        if not len(lost):
            return f"numbers{written}" if written else "numbers as text, read as numbers"
        return f"numbers{written}; {describe_lost(lost)}"


def describe_lost(cells: "pl.Series") -> str:
    many = "cell" if len(cells) == 1 else "cells"
    return f"{len(cells):,} {many} such as {listing(cells.unique().sort().to_list()[:1])} taken as missing"


def parse_numbers(text: "pl.Series", kind: str = "number") -> TextNumbers:
    """`kind`: "number_comma" where the caller says that a comma goes before the fraction."""
    import polars as pl

    cell = text.str.strip_chars().str.replace("−", "-", literal=True).str.replace(BEHIND, "-$1")
    parts = cell.str.replace(BRACKETS, "$1").str.extract_groups(CELL).struct.unnest()
    parts.columns = ["sign", "currency", "digits", "unit"]
    body = parts.select(pl.concat_str("sign", "digits")).to_series()
    units = parts.select(
        pl.concat_str(pl.col("currency", "unit").str.strip_chars(" .s"), ignore_nulls=True)
    ).to_series()
    known_units = units.filter(units != "").unique()
    point, comma = _cast(body, POINT, r"[,\s']"), _cast(body, COMMA, r"[.\s']")
    unit = known_units[0] if len(known_units) == 1 else ""
    if re.fullmatch(CURRENCY, unit) and _are_in_thousands(body):
        kind = "number_comma"
    numbers, is_comma = _choose(point, comma, kind)
    below = cell.str.contains(BRACKETS).fill_null(False)
    numbers = pl.select(pl.when(below).then(-numbers).otherwise(numbers).alias(text.name)).to_series()
    if len(known_units) > 1:
        numbers = numbers.clear(len(numbers))
    return TextNumbers(text, numbers, unit, is_comma)


def _are_in_thousands(body: "pl.Series") -> bool:
    """Three digits follow every point, and two or three go before some: petrol at 1.459 a litre is none."""
    pointed = body.filter(body.str.contains(".", literal=True).fill_null(False))
    return (
        len(pointed) > 0
        and pointed.str.contains(MONEY_IN_THOUSANDS).all()
        and bool(pointed.str.contains(r"^[-+]?\d{2}").any())
    )


def _cast(body: "pl.Series", form: str, groups: str) -> "pl.Series":
    import polars as pl

    digits = body.set(~body.str.contains(form).fill_null(False), None).str.replace_all(groups, "")
    return digits.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)


def _choose(point: "pl.Series", comma: "pl.Series", kind: str) -> tuple["pl.Series", bool]:
    """The numbers of a column that was read in both ways; True: by its commas."""
    only_point = point.is_not_null() & comma.is_null()
    only_comma = comma.is_not_null() & point.is_null()
    if kind == "number_comma" or (only_comma.any() and not only_point.any()):
        return comma.zip_with(comma.is_not_null(), point), True
    if not only_comma.any():
        return point, False
    sure = point.zip_with(point.is_not_null(), comma)
    return sure.set((point != comma).fill_null(False), None), True  # 1,234 among 1.5 and 2,5 could be either
