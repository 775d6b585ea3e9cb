"""Axes of charts."""

from hypothesis import given
from hypothesis import strategies as st

from hedgerow.core.dates import write_date
from hedgerow.report.charts.frame import date_ticks


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
