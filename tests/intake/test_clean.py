"""What cells mean: dates, numbers as text, infinite cells; and the same again for new rows."""

import math

import polars as pl
import pytest

from hedgerow.intake.clean import coerce_to_numbers, coerce_types

N = 60


def one(cells: list, **options: object) -> tuple[pl.Series, str]:
    frame, remarks = coerce_types(pl.DataFrame({"c": cells}), **options)
    return frame["c"], remarks.get("c", "")


@pytest.mark.parametrize(
    ("cell", "days"),
    [
        ("1970-01-02", 1.0),
        ("1970-01-02T12:00:00Z", 1.5),
        ("1970-01-02 06:00", 1.25),
        ("1970-01-02T06:00:00.000000+0000", 1.25),
        ("1970-01-02 06:00:00 UTC", 1.25),
        ("1970-01-01 00:00:01.500000+00:00", 1 / 86400),
    ],
)
def test_dates_as_text_are_days(cell, days):
    found, remark = one([cell, None, "1970-01-01"])
    assert found.to_list() == [pytest.approx(days), None, 0.0]
    assert remark.startswith("dates")


@pytest.mark.parametrize("cell", ["2024-02-30", "1/2/2024", "2024-13-01", "2024-01-01 x", "soon", ""])
def test_what_is_no_date_stays_text(cell):
    found, remark = one([cell, "2024-01-01"])
    assert found.dtype == pl.String
    assert remark == ""


def test_money_and_shares_are_numbers():
    assert one(["$1,234.50", "-$7", "$ 3"])[0].to_list() == [1234.5, -7.0, 3.0]
    assert one(["45%", "5 %", ".5%"])[0].to_list() == [45.0, 5.0, 0.5]
    assert one(["12 345", "1 200", "(950)", "1'000'000.5"])[0].to_list() == [
        12345.0,
        1200.0,
        -950.0,
        1000000.5,
    ]


@pytest.mark.parametrize(
    ("form", "remark"),
    [
        ("{}.5 kg", "numbers in kg"),
        ("EUR {},120.25", "numbers in EUR"),
        ("{},25", "numbers with a decimal comma"),
        ("1.{:03},5 €", "numbers in € with a decimal comma"),
        ("\u2212{},75 kr", "numbers in kr with a decimal comma"),
        ("({}.5)", "numbers as text, read as numbers"),
    ],
)
def test_units_and_decimal_commas(form, remark):
    found, said = one([form.format(k) for k in range(1, N)])
    assert said == remark
    steps = (found - found.shift(1)).drop_nulls().abs().round(6).unique().to_list()
    assert steps in ([1.0], [1000.0])
    assert (found < 0).all() == (form[0] in "(\u2212")


def test_signs_that_are_no_hyphen_and_signs_behind():
    """Of an encyclopedia, and of an accounting system; a grade 2- is not -2."""
    assert one(["\u2212117", "5", "\u22128"])[0].to_list() == [-117.0, 5.0, -8.0]
    behind = [f"{k}.25{'-' if k % 3 else ''}" for k in range(N)]
    assert one(behind)[0].to_list() == [(k + 0.25) * (-1 if k % 3 else 1) for k in range(N)]
    assert one(["1", "2-", "2", "3-", "3"] * 9)[0].dtype == pl.String


def test_points_between_the_thousands_of_money():
    """Prices of a country that writes 240.885 €: no price has three places, unless it is below ten."""
    prices = [f"{k}.{37 * k % 1000:03} €" for k in range(90, 90 + N)]
    found, remark = one([*prices, "950 €"])
    assert found[0] == 90330.0
    assert found[-1] == 950.0
    assert remark == "numbers in €, with points between thousands"
    petrol = [f"1.{400 + k} €" for k in range(N)]
    assert one(petrol)[0][0] == 1.4
    assert one([cell.replace("€", "kg") for cell in prices])[0][0] == 90.33


def test_points_and_commas_in_one_column():
    mixed = [f"{k}.5" if k % 2 else f"{k},25" for k in range(N)]
    assert one(mixed)[0].to_list() == [k + (0.5 if k % 2 else 0.25) for k in range(N)]
    found, remark = one([*mixed, "1,234"])  # could be either
    assert found[-1] is None
    assert remark.endswith("1 cell such as '1,234' taken as missing")


def test_a_caller_says_what_a_comma_is():
    cells = [f"{k},125" for k in range(1, N)]
    assert one(cells)[0][0] == 1125.0
    assert one(cells, orders={"c": "number_comma"})[0][0] == 1.125
    new = pl.DataFrame({"c": ["7,125"]})
    assert coerce_to_numbers(new, frozenset("c"), {"c": "number_comma"})["c"].to_list() == [7.125]


def test_units_that_differ_are_not_read_as_one():
    assert one([f"{k} {'kg' if k % 2 else 'lb'}" for k in range(N)])[0].dtype == pl.String
    assert one(["$5", "€6", "$7"])[0].dtype == pl.String


@pytest.mark.parametrize("word", ["-", "n.a.", "Unknown", "."])
def test_missing_words_among_numbers_however_many(word):
    found, remark = one([str(k) for k in range(N)] + [word] * N)
    assert found.null_count() == N
    assert remark == f"numbers; {N} cells such as '{word}' taken as missing"
    assert coerce_to_numbers(pl.DataFrame({"c": [word]}), frozenset("c"))["c"].to_list() == [None]


def test_a_few_cells_among_dates_are_missing():
    days = [f"2024-{k % 12 + 1:02}-{k % 28 + 1:02}" for k in range(N)]
    found, remark = one([*days, "0000-00-00", "unknown", "soon"])
    assert found.null_count() == 3
    assert remark.startswith("dates, read by day")
    assert "3 cells such as '0000-00-00'" in remark
    assert one([*days, *["soon"] * 9])[0].dtype == pl.String


@pytest.mark.parametrize(
    ("cell", "days"),
    [
        ("2024-05-01T01:30:00+02:00", 19843 + 23.5 / 24),
        ("2024-05-01 01:30 -0330", 19844 + 5 / 24),
        ("2024-05", 19844),
        ("May 2024", 19844),
        ("2024Q2", 19814),
        ("Q2 2024", 19814),
    ],
)
def test_moments_of_other_zones_months_and_quarters(cell, days):
    found, remark = one([cell])
    assert found.to_list() == [pytest.approx(days)]
    assert ("in UTC" in remark) == (":" in cell)


def test_seasons_are_no_months():
    assert one(["2001-02", "2010-11", "2011-12"])[0].dtype == pl.String


def test_times_of_day_are_hours():
    found, remark = one(["13:45", "1:45 PM", "12:15 am", "00:30:36", None])
    assert found.to_list() == [13.75, 13.75, 0.25, 0.51, None]
    assert remark == "times of day, taken as hours"


@pytest.mark.parametrize("cell", [45413, 45413.0, 1714521600, 1714521600_000, 20240501])
def test_numbers_are_dates_where_the_caller_says_so(cell):
    assert one([cell])[0].to_list() == [cell]
    found, remark = one([cell], orders={"c": "date"})
    assert found.to_list() == [19844.0]
    assert remark.startswith("dates, read by day")


def test_a_few_words_among_numbers_are_missing_cells():
    found, remark = one([str(k) for k in range(N)] + ["unknown"])
    assert found.to_list() == [*map(float, range(N)), None]
    assert remark == "numbers; 1 cell such as 'unknown' taken as missing"


@pytest.mark.parametrize(
    "cells",
    [
        ["007", "815", "042"],  # codes
        ["1", "2", "3"],  # meant as names
        ["1.2.3", "4.5.6"],
        ["a", "b", "5%"],
        ["1,50", "2,25"],  # a decimal comma, or not
        ["612 345 678", "699 123 456"],  # telephones
        ["-", "$", "%"],
        [str(k) for k in range(N)] + ["x"] * 9,
    ],
)
def test_other_text_stays(cells):
    assert one(cells)[0].dtype == pl.String


def test_infinite_cells_are_missing():
    found, remark = one([1.0, math.inf, -math.inf, None])
    assert found.to_list() == [1.0, None, None, None]
    assert remark == "2 infinite cells taken as missing"


def test_what_is_to_be_kept_is_kept():
    assert one(["$5", "$6"], categories=("c",))[0].dtype == pl.String


def test_new_rows_are_read_as_the_model_knows_them():
    frame = pl.DataFrame({"day": ["1970-01-11"], "price": ["$2,000"], "code": ["5%"]})
    assert coerce_to_numbers(frame, frozenset({"day", "price"})).to_dicts() == [
        {"day": 10.0, "price": 2000.0, "code": "5%"}
    ]
    words = pl.DataFrame({"price": ["cheap", "dear"]})
    assert coerce_to_numbers(words, frozenset({"price"})).equals(words)  # refused later, by name


def test_whole_numbers_that_a_float_would_change_stay_exact():
    big = [2**53 + 1, 2**53 + 2, None]
    frame = pl.DataFrame({"id": big, "even": [2**60, 2**61, None], "small": [1, 2, 3]})
    found, remarks = coerce_types(frame)
    assert found["id"].to_list() == ["9007199254740993", "9007199254740994", None]
    assert found["even"].to_list() == [2**60, 2**61, None]  # floats already
    assert list(remarks) == ["id"]
    again = coerce_to_numbers(frame, frozenset({"even", "small"}))
    assert again.schema == found.schema
