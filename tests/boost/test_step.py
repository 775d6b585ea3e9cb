"""The two native passes of a round against NumPy."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.twins.boost_stump import step

from hedgerow.core import native


def sample(seed, n, kind):
    rng = np.random.default_rng(seed)
    signs = rng.choice([-1.0, 1.0], n)
    outputs = rng.choice([-1.0, 0.0, 1.0], n) if kind == "abstaining" else rng.normal(size=n)
    base = rng.random(n) + 0.01
    return signs, outputs, base / base.sum(), rng.normal(size=n)


cases = st.tuples(st.integers(0, 2**31), st.integers(1, 40), st.sampled_from(["abstaining", "confident"]))


@settings(max_examples=40, deadline=None)
@given(case=cases)
def test_masses(case):
    signs, outputs, weight, _ = sample(*case)
    found = native.answer_masses(signs, outputs, weight, 1)
    yes, no, up = outputs > 0, outputs < 0, signs > 0
    wanted = [weight[where].sum() for where in (yes & up, yes & ~up, no & ~up, no & up, outputs == 0)]
    assert found[:5] == pytest.approx(wanted)
    assert found[5] == np.count_nonzero(outputs)


@settings(max_examples=40, deadline=None)
@given(
    case=cases, loss=st.sampled_from(["exponential", "logistic"]), yes=st.floats(-2, 2), no=st.floats(-2, 2)
)
def test_step(case, loss, yes, no):
    signs, outputs, base, margins = sample(*case)
    _, weight, before, _ = step(signs, np.zeros(len(signs)), 0, 0, base, loss, margins)
    wanted_margins, wanted, wanted_loss, wanted_error = step(signs, outputs, yes, no, base, loss, margins)
    expected = float(weight @ np.exp(wanted_margins * -1 + margins))
    normaliser, found_loss, error = native.boost_step(
        signs, outputs, yes, no, base, loss, margins, margins, weight, 1
    )
    assert margins == pytest.approx(wanted_margins)
    assert weight == pytest.approx(wanted)
    assert normaliser == pytest.approx(expected)
    assert error == pytest.approx(wanted_error)
    assert (found_loss if loss == "logistic" else before * normaliser) == pytest.approx(wanted_loss)


def test_margins_beyond_a_float():
    signs, outputs, base = np.ones(3), np.array([1.0, -1.0, 1.0]), np.full(3, 1 / 3)
    margins, weight = np.array([900.0, -900.0, 0.0]), np.array([1e-300, 1.0, 1e-300])
    native.boost_step(signs, outputs, 5.0, 5.0, base, "logistic", margins, margins, weight, 1)
    assert np.isfinite(weight).all()
    assert weight.sum() == pytest.approx(1)
    assert weight[1] == weight.max()


@pytest.mark.parametrize("loss", ["exponential", "logistic"])
def test_threads_do_not_change_a_bit(loss):
    signs, outputs, base, margins = sample(3, 100_003, "confident")
    found = []
    for threads in (1, 2, 3, 8):
        at, weight = margins.copy(), base.copy()
        sums = native.boost_step(signs, outputs, 0.3, 0.2, base, loss, at, at, weight, threads)
        masses = native.answer_masses(signs, outputs, base, threads)
        found.append((sums, masses, at.tobytes(), weight.tobytes()))
    assert all(one == found[0] for one in found)


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="answers has 2 entries, but there are 3 rows"):
        native.answer_masses(np.ones(3), np.ones(2), np.ones(3), 1)
