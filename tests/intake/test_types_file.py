"""What columns are, said by the caller; dates in every unambiguous form; what was understood, written and read back."""

from datetime import date

import numpy as np
import polars as pl
import pytest

from hedgerow.errors import ParameterError, render, spell_as_option
from hedgerow.intake import ColumnOptions, prepare_data, read_source
from hedgerow.intake.dates import find_order, parse_dates
from hedgerow.intake.types_file import read_types, write_types

DAYS = [date(2024, 12, 31), date(2023, 2, 1), date(1999, 7, 14)]
FORMS = [
    *(
        "%Y-%m-%d",
        "%Y/%m/%d",
        "%Y%m%d",
        "%d.%m.%Y",
        "%d/%m/%Y",
        "%m/%d/%Y",
        "%d-%m-%y",
        "%d %b %Y",
        "%B %d, %Y",
    ),
    *("%d-%b-%Y", "%Y-%m-%dT12:00:00Z", "%m/%d/%Y 12:00 PM", "%d.%m.%Y 12:00"),
]


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_dates(form):
    found = parse_dates(pl.Series([day.strftime(form) for day in DAYS]))
    assert found is not None
    assert np.floor(found.to_numpy()).tolist() == [(day - date(1970, 1, 1)).days for day in DAYS]


@pytest.mark.parametrize(
    "cells", [["03/04/2024"], ["2024-02-30"], ["1.5"], ["2024-01-01", "03/04/2024"], ["x"]]
)
def test_no_dates(cells):
    assert parse_dates(pl.Series(cells)) is None


def test_a_form_for_each_cell():
    forms = ["%Y-%m-%d", "%d %b %Y", "%B %d, %Y", "%m/%d/%y"]
    mixed = pl.Series([*(day.strftime(form) for day in DAYS for form in forms), None])
    found = parse_dates(mixed)
    wanted = [float((day - date(1970, 1, 1)).days) for day in DAYS for _ in forms]
    assert found is not None
    assert found.to_list() == [*wanted, None]
    assert find_order(mixed) == "date_mdy"
    assert parse_dates(mixed.head(3)).to_list() == wanted[:3]


def test_which_comes_first_can_be_said():
    cells = pl.Series(["03/04/2024"])
    assert parse_dates(cells, "date_dmy")[0] - parse_dates(cells, "date_mdy")[0] == 30
    assert find_order(pl.Series(["03/04/2024", "31/12/2024"])) == "date_dmy"
    assert find_order(pl.Series(["31.12.2024"])) == "date"


def frame(n=40):
    random = np.random.default_rng(0)
    return pl.DataFrame(
        {
            "zip": random.integers(0, 9, n),
            "opened": [f"{1 + k % 12:02d}/{1 + k % 11:02d}/2024" for k in range(n)],
            "paid": ["yes" if k % 3 else f"{k}" for k in range(n)],
            "note": [f"word {k} and more of it" for k in range(n)],
            "y": random.choice(["a", "b"], n),
        }
    )


def prepared(types):
    options = ColumnOptions("y", types=read_types(types))
    return prepare_data(read_source(frame()), options)


def test_how_numbers_were_read_is_kept():
    frame = pl.DataFrame({"x": [f"{k},25" for k in range(40)], "y": ["a", "b"] * 20})
    data = prepare_data(read_source(frame), ColumnOptions("y"))
    assert '"x" = "number_comma"' in write_types(data)


def test_numbers_that_are_no_dates_are_refused():
    frame = pl.DataFrame({"x": [k / 8 for k in range(40)], "y": ["a", "b"] * 20})
    with pytest.raises(ParameterError, match=r"'x' a date, but its cells are such as '0.0'"):
        prepare_data(read_source(frame), ColumnOptions("y", types=read_types("x=date")))


def test_columns_are_what_is_said(tmp_path):
    plain = prepared(None)
    assert "opened" not in plain.features.names
    assert "--types opened=date_dmy" in render(dict(plain.left_out)["opened"], spell_as_option)
    assert '("date_dmy" reads them)' in write_types(plain)  # in the words of the file
    found = prepared("zip=category,opened=date_mdy,note=drop")
    kinds = {column.name: column.kind for column in found.features.columns}
    assert kinds == {"zip": "category", "opened": "date", "paid": "category"}
    file = tmp_path / "types.toml"
    file.write_text(write_types(found))
    again = prepared(file)
    assert write_types(again) == write_types(found)
    for one, other in zip(again.features.columns, found.features.columns, strict=True):
        assert (one.name, one.kind, one.levels) == (other.name, other.kind, other.levels)
        assert np.array_equal(one.values, other.values)


@pytest.mark.parametrize(
    ("types", "words"),
    [
        ("zap=category", "'zap', which is no column.*Did you mean 'zip'"),
        ("zip=numbr", "'numbr' of 'zip'. Known: number"),
        ("note=number", "calls 'note' a number, but its cells are such as"),
        ("opened=date_ymd", "Known: number"),
        ("nowhere.toml", "cannot be read"),
    ],
)
def test_what_cannot_be(types, words):
    with pytest.raises(ParameterError, match=words):
        prepared(types)
