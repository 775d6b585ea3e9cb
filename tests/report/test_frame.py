"""Axes of charts."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.core.dates import write_date
from hedgerow.report.charts.frame import LETTER, Frame, date_ticks, number_ticks, tick_text


@given(st.floats(-200_000, 400_000), st.floats(2.0, 100_000))
def test_ticks_of_dates_lie_within_and_are_dates(low: float, span: float) -> None:
    found = date_ticks(low, low + span)
    assert len(found) <= 7
    assert [day for day, _ in found] == sorted({day for day, _ in found})
    for day, text in found:
        assert low <= day <= low + span
        assert write_date(day).startswith(text)


def test_years_months_and_days() -> None:
    assert [text for _, text in date_ticks(17_900, 19_400)] == ["2020", "2021", "2022", "2023"]
    assert [text for _, text in date_ticks(18_250, 18_400)] == [
        "2020-01",
        "2020-02",
        "2020-03",
        "2020-04",
        "2020-05",
    ]
    assert [text for _, text in date_ticks(18_262, 18_270)] == ["2020-01-04", "2020-01-09"]


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.floats(200, 320))
def test_ticks_of_numbers_have_room(low: float, span: float, wide: float) -> None:
    found = number_ticks(low, low + span, wide)
    places = [wide * (tick - low) / span for tick, _ in found]
    if len(found) > 2:
        assert min(np.diff(places)) >= LETTER * max(len(text) for _, text in found)


def test_prices_have_more_than_one_tick() -> None:
    assert [text for _, text in number_ticks(60_000, 980_000, 280)] == [
        "200,000",
        "400,000",
        "600,000",
        "800,000",
    ]
    assert [text for _, text in number_ticks(0, 1_550_000, 280)] == ["0", "500,000", "1M", "1.5M"]


def test_no_tick_is_cut_off_or_has_an_exponent() -> None:
    texts = re.findall(
        r'x="([\d.]+)" y="233" text-anchor="middle">([^<]+)<', Frame([0, 14_050], [0, 1]).axes("a", "b")
    )
    assert len(texts) >= 3
    assert all(float(x) + LETTER * len(text) / 2 <= 360.1 for x, text in texts)
    assert [tick_text(x) for x in (9500, 20_000, -1_500_000, 5e9, 1e10)] == [
        "9500",
        "20,000",
        "-1.5M",
        "5B",
        "10B",
    ]
