"""Numbers to read, and numbers for JSON."""

import json
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.display.numbers import (
    decimals,
    figure,
    finite_or_none,
    interval,
    json_ready,
    p_value,
    percent,
    seconds,
)
from hedgerow.display.sentences import join_words, many, plural_of


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.81234, "0.812"),
        (0, "0.000"),
        (-0.004321, "-0.0043"),
        (69.3449, "69.34"),
        (-512.0, "-512.0"),
        (512.345, "512.3"),
        (2001.4, "2001"),
        (9999.7, "10,000"),
        (-0.0000851, "-0.000085"),
        (2e-9, "2e-09"),
        (123456.7, "123,457"),
        (2.5e13, "2.5e+13"),
        (float("nan"), "-"),
        (None, "-"),
    ],
)
def test_figure(value: float | None, text: str) -> None:
    assert figure(value) == text


def test_others() -> None:
    assert percent(0.95) == "95 %"
    assert interval(0.1, 0.25) == "0.100 to 0.250"
    assert interval(float("nan"), 1) == interval(None, 1) == "not known"
    assert (p_value(0.0002), p_value(0.04), p_value(float("nan"))) == ("< 0.001", "0.040", "-")
    assert (seconds(0.0123), seconds(12.34)) == ("12.3 ms", "12.3 s")
    assert (decimals(-0.00001), decimals(2 / 3, 2)) == ("0.000", "0.67")


def test_sentences() -> None:
    assert (many(1, "row"), many(1309, "row"), many(3, "leaf")) == ("1 row", "1,309 rows", "3 leaves")
    assert many(2, "held-out row") == "2 held-out rows"
    assert many(2, "axis", "axes") == "2 axes"
    assert plural_of(0, "class") == "classes"
    assert [join_words(list("abc")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]


@dataclass
class Inner:
    value: float


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda one: st.lists(one) | st.dictionaries(st.text(), one),
)


@given(PLAIN)
def test_json_can_hold_it(value: object) -> None:
    json.dumps(json_ready(value), allow_nan=False)


def test_arrays_and_results_become_plain() -> None:
    given = {"a": np.array([1.0, np.nan]), "b": Inner(np.inf), 3: (np.float32(0.5), np.bool_(True))}
    assert json_ready(given) == {"a": [1.0, None], "b": {"value": None}, "3": [0.5, True]}
    assert finite_or_none(np.float64("nan")) is None
