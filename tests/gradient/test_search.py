"""Searches: the number does not depend on how rows are cut; slow twins agree."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from hedgerow.gradient.search import HuberSearch, QuantileSearch

ROWS = st.lists(
    st.tuples(
        st.one_of(st.integers(-3, 3).map(float), st.floats(-1e9, 1e9), st.just(-0.0)),
        st.one_of(st.integers(1, 3).map(float), st.floats(1e-12, 1e6)),
    ),
    min_size=1,
    max_size=40,
)


def solve_in_pieces(search, values, weight, cut):
    pieces = [slice(0, cut), slice(cut, None), slice(0, 0)]
    while not isinstance(search, float):
        answers = [search.look(values[at], None if weight is None else weight[at]) for at in pieces]
        found = answers[0]
        for more in answers[1:]:
            found = search.add(found, more)
        search = search.follow(found)
    return search


@given(ROWS, st.booleans(), st.floats(0.01, 0.99), st.integers(0, 40), st.randoms())
def test_pieces_and_order_do_not_change_a_bit(rows, weighted, share, cut, random):
    values, weight = np.array(rows).T
    weight = weight if weighted else None
    order = np.array(random.sample(range(len(values)), len(values)))
    shuffled = values[order], None if weight is None else weight[order]
    for search in (QuantileSearch(share), HuberSearch(1.5)):
        expected = np.float64(search.solve(values, weight))
        assert np.float64(solve_in_pieces(search, *shuffled, cut)).tobytes() == expected.tobytes()


@given(ROWS, st.sampled_from([0.1, 0.25, 0.5, 0.9]))
def test_an_unweighted_quantile_is_numpys(rows, share):
    values = np.array(rows)[:, 0]
    expected = np.quantile(values, share, method="averaged_inverted_cdf")
    assert QuantileSearch(share).solve(values, None) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("bend", [0.1, 1.0, 50.0])
def test_huber_is_the_zero_that_scipy_finds(bend):
    rng = np.random.default_rng(0)
    lack, weight = rng.standard_t(2, size=400) + 3, rng.uniform(0.5, 2, 400)

    def left(middle):
        return np.sum(weight * np.clip(lack - middle, -bend, bend))

    expected = brentq(left, lack.min(), lack.max(), xtol=1e-13)
    assert HuberSearch(bend).solve(lack, weight) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("search", [QuantileSearch(0.5), HuberSearch(1.5)])
def test_zeros_have_one_sign(search):
    for values in (np.array([-0.0, 0.0]), np.array([0.0, -0.0])):
        for cut in (0, 1):
            assert not np.signbit(search.solve(values, None))
            assert not np.signbit(solve_in_pieces(search, values, None, cut))
