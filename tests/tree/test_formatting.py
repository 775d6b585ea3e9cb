from decimal import Decimal
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.tree.formatting import (
    cells,
    digits_apart,
    elide,
    fixed,
    number,
    percent,
    places_for,
    safe,
    share,
    squeeze,
    threshold_in_words,
)

finite = st.floats(allow_nan=False, allow_infinity=False)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (9.5, "9.5"),
        (0.30000000000000004, "0.3"),
        (0.29999999999999993, "0.299999"),
        (1234567.5, "1234567.5"),
        (1999999.75, "1999999.7"),
        (-0.0, "0"),
        (100.0, "100"),
        (1e-7, "1e-7"),
        (-2.0000001, "-2.00001"),
        (1.5e300, "1.5e+300"),
        (np.inf, "inf"),
    ],
)
def test_thresholds(x: float, text: str) -> None:
    assert threshold_in_words(x) == text


@given(finite)
def test_a_threshold_is_never_rounded_up(x: float) -> None:
    output = Decimal(threshold_in_words(x))
    assert output <= Decimal(repr(x))
    assert abs(output - Decimal(repr(x))) <= abs(Decimal(repr(x))) * Decimal("1e-5")


@given(st.lists(st.one_of(finite, st.floats(0, 1), st.integers(0, 99).map(float)), max_size=20))
def test_thresholds_of_a_column_stay_apart(values: list[float]) -> None:
    digits = digits_apart(np.array(values), np.zeros(len(values), np.int32))
    output = {threshold_in_words(x, int(d)) for x, d in zip(values, digits, strict=True)}
    assert len(output) == len({x + 0.0 for x in values})


def test_numbers_that_add_up_have_the_same_places() -> None:
    for values, texts in (
        ((301712.4, -36741.2, 8.5), ["+301,712", "-36,741", "+8"]),
        ((0.1754, -0.0002055, -0.00001), ["+0.1754", "-0.0002", "+0.0000"]),
        ((0.0, np.inf), ["+0", "+inf"]),
    ):
        assert [fixed(x, places_for(values), "+") for x in values] == texts


def test_columns_do_not_crowd_each_other() -> None:
    digits = digits_apart(np.array([0.1, 0.1 + 1e-12, np.nan, np.inf]), np.array([0, 1, -1, 1], np.int32))
    assert digits.tolist() == [6, 6, 6, 6]


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (206855.8, "206,856"),
        (12.3456, "12.35"),
        (-0.000123456, "-0.0001235"),
        (3.0, "3"),
        (0.0, "0"),
        (1e12, "1,000,000,000,000"),
        (1e20, "1e+20"),
    ],
)
def test_numbers(x: float, text: str) -> None:
    assert number(x) == text


def test_shares_are_never_rounded_to_certainty() -> None:
    assert [share(p) for p in (0, 0.001, 0.38, 0.999, 1)] == ["0.00", "<.01", "0.38", ">.99", "1.00"]
    assert [percent(p) for p in (0, 0.001, 0.65, 0.999, 1)] == ["0%", "<1%", "65%", ">99%", "100%"]


@given(st.text(st.characters(codec=None), max_size=300))
def test_safe_names_fit_a_line_a_document_and_a_limit(name: str) -> None:
    text = safe(name, 30)
    assert text
    assert text.isprintable()
    assert cells(text) <= 30
    ElementTree.fromstring(f"<a>{text.replace('&', '').replace('<', '')}</a>")


def test_safe_names_by_hand() -> None:
    assert safe("a\nb\t\x1b[31mc\x00") == "a b [31mc"
    assert safe("\u202eabc\u200b") == "abc"
    assert safe(" \n ") == safe("") == "(blank)"
    assert safe("e" + "\u0301" * 40) == "e\u0301\u0301"


@given(st.text(max_size=60), st.integers(1, 40))
def test_elided_and_squeezed_text_fits(text: str, most: int) -> None:
    assert cells(elide(text, most)) <= max(most, 1)
    assert cells(squeeze(text, most)) <= max(most, 1)


def test_squeezed_text_keeps_both_ends() -> None:
    output = squeeze("a very long name of a column <= 9.5", 20)
    assert output.startswith("a very")
    assert output.endswith("<= 9.5")
    assert squeeze("short", 20) == "short"
