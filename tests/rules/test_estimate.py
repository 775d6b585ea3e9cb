"""The pessimistic error is Quinlan's: his figures, and the binomial tail it solves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.twin import tail

from hedgerow.rules import pessimistic_error
from hedgerow.rules.estimate import held_out

QUINLAN = [(0, 6, 0.206), (0, 9, 0.143), (0, 1, 0.750)]


@pytest.mark.parametrize(("wrong", "total", "limit"), QUINLAN)
def test_the_book_s_figures(wrong, total, limit):
    """C4.5: Programs for Machine Learning, chapter 4."""
    assert pessimistic_error(wrong, total) == pytest.approx(limit, abs=0.0005)


def test_where_there_are_errors_the_tail_is_solved_and_not_approximated():
    """The book prints U(1, 16) = 0.157, by its program's normal approximation."""
    assert pessimistic_error(1, 16) == pytest.approx(0.1596, abs=0.00005)
    assert pessimistic_error(1, 16) == pytest.approx(0.157, abs=0.003)


@given(st.integers(1, 400), st.data(), st.floats(0.01, 0.99))
def test_it_solves_the_binomial_tail(total, data, confidence):
    wrong = data.draw(st.integers(0, total - 1))
    rate = float(pessimistic_error(wrong, total, confidence))
    assert tail(wrong, total, rate) == pytest.approx(confidence, rel=1e-6)


@given(st.floats(0, 50), st.floats(0, 50), st.floats(0.05, 0.9))
def test_it_is_above_the_share_seen_and_falls_with_confidence(wrong, right, confidence):
    total = wrong + right
    strict, mild = (float(pessimistic_error(wrong, total, c)) for c in (confidence / 2, confidence))
    assert 0 <= mild <= strict <= 1
    if confidence <= 0.25 and right > 0:
        assert mild >= wrong / total
    assert pessimistic_error(wrong + 1, total + 1, confidence) >= mild
    assert pessimistic_error(wrong, total + 1, confidence) <= mild


def test_nothing_covered_and_nothing_right_are_the_worst():
    assert pessimistic_error([0, 3], [0, 3]).tolist() == [1, 1]


def test_arrays_are_numbers_at_once():
    wrong, total = np.array([0, 1, 2.5]), np.array([6, 16, 7.25])
    assert pessimistic_error(wrong, total).tolist() == [
        float(pessimistic_error(w, t)) for w, t in zip(wrong, total, strict=True)
    ]


@pytest.mark.parametrize("confidence", [0, 1, -1, 2, "much", float("nan"), None])
def test_a_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(ValueError, match=f"confidence={confidence!r} is out of range"):
        pessimistic_error(0, 6, confidence)


def test_more_errors_than_rows_are_refused():
    with pytest.raises(ValueError, match="0 <= wrong <= total"):
        pessimistic_error(7, 6)


def test_held_out_rows_are_smoothed():
    assert held_out([0, 1, 0], [0, 7, 4]).tolist() == [0.5, 0.1875, 0.1]
