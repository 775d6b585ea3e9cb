"""Alpha, and the loss it leaves: the identities of lecture 001, on random predictors."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from hedgerow.boost.calibrate import Masses, alphas, half_log_ratio, search

mass = st.floats(0.001, 1)


def masses_of(right_yes, wrong_yes, right_no, wrong_no, silent):
    total = right_yes + wrong_yes + right_no + wrong_no + silent
    return Masses(*(x / total for x in (right_yes, wrong_yes, right_no, wrong_no, silent)))


@given(mass, mass, mass, mass, mass)
def test_loss_after_calibration(a, b, c, d, silent):
    m = masses_of(a, b, c, d, silent)
    alpha, same = alphas("one", m, 0.0)
    assert alpha == same == pytest.approx(0.5 * np.log(m.right / m.wrong))

    def loss(alpha):
        return m.right * np.exp(-alpha) + m.wrong * np.exp(alpha) + m.silent

    assert loss(alpha) == pytest.approx(2 * np.sqrt(m.right * m.wrong) + m.silent)
    assert loss(0) - loss(alpha) == pytest.approx((np.sqrt(m.right) - np.sqrt(m.wrong)) ** 2)
    assert loss(alpha) <= min(loss(alpha + 0.01), loss(alpha - 0.01)) + 1e-12
    assert (alpha < 0) == (m.wrong > m.right)


@given(mass, mass, mass, mass, mass)
def test_two_alphas_are_never_worse_than_one(a, b, c, d, silent):
    m = masses_of(a, b, c, d, silent)

    def loss(yes, no):
        return (
            m.yes_right * np.exp(-yes)
            + m.yes_wrong * np.exp(yes)
            + m.no_right * np.exp(-no)
            + m.no_wrong * np.exp(no)
            + m.silent
        )

    assert loss(*alphas("two", m, 0.0)) <= loss(*alphas("one", m, 0.0)) + 1e-12


@given(mass, mass, st.floats(1e-6, 0.1))
def test_smoothing_draws_to_zero(right, wrong, smoothing):
    assert abs(half_log_ratio(right, wrong, smoothing)) <= abs(half_log_ratio(right, wrong, 0.0)) + 1e-12


def test_certainty():
    assert half_log_ratio(1.0, 0.0, 0.01) == pytest.approx(0.5 * np.log(101))
    assert half_log_ratio(0.0, 0.0, 0.0) == 0
    assert alphas("own", Masses(1, 0, 0, 0, 0), 0.0) == (1.0, 1.0)
    assert alphas("one", Masses(0.5, 0.25, 0.25, 0, 0), 0.0, handicap=2.0)[0] == pytest.approx(
        0.5 * np.log(3) + 2
    )


@given(st.integers(0, 2**31), st.integers(3, 50), st.floats(0.01, 100))
def test_search_finds_the_least_loss(seed, n, size):
    rng = np.random.default_rng(seed)
    agreement, weight = rng.normal(size=n) * size, rng.random(n) + 0.01
    weight /= weight.sum()
    assume((agreement > 0).any() and (agreement < 0).any())
    alpha = search(agreement, weight, 0.01)

    def loss(alpha):
        return weight @ np.exp(-alpha * agreement)

    assert loss(alpha) <= 1 + 1e-12
    for near in (0.99, 1.01):
        assert loss(alpha) <= loss(alpha * near) * (1 + 1e-9)


def test_search_of_signs_is_the_closed_form():
    agreement, weight = np.array([1.0, 1, -1, 0, 1]), np.array([0.1, 0.3, 0.2, 0.25, 0.15])
    assert search(agreement, weight, 0.0) == pytest.approx(0.5 * np.log(0.55 / 0.2))
    assert search(np.zeros(5), weight, 0.0) == 0
    assert search(np.ones(5), weight, 0.01) == pytest.approx(half_log_ratio(1.0, 0.0, 0.01))
