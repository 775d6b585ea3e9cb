"""Activations: the lecture's formulas, and slopes that are derivatives."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hedgerow.boost.unit import ACTIVATIONS, dead_zone, soft_threshold, tanh

numbers = st.floats(-50, 50)
deltas = st.floats(0, 5)


@given(numbers, deltas)
def test_soft_threshold_as_the_lecture_writes_it(z, delta):
    wanted = z - delta if z > delta else z + delta if z < -delta else 0.0
    assert soft_threshold(np.array([z]), delta)[0] == pytest.approx(wanted, abs=1e-14)


@given(numbers, deltas)
def test_dead_zone_as_the_lecture_writes_it(z, delta):
    wanted = 1 if z > delta else -1 if z < -delta else 0
    assert dead_zone(np.array([z]), delta)[0] == wanted


@given(numbers)
def test_tanh_as_the_lecture_writes_it(z):
    wanted = (np.exp(z) - np.exp(-z)) / (np.exp(z) + np.exp(-z))
    assert tanh(np.array([z]))[0] == pytest.approx(wanted, abs=1e-14)


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
@given(z=numbers, delta=deltas)
def test_every_activation_is_odd_and_never_falls(name, z, delta):
    value = ACTIVATIONS[name].value
    here, mirrored, further = value(np.array([z, -z, z + 0.1]), delta)
    assert here == pytest.approx(-mirrored, abs=1e-15)
    assert further >= here


@pytest.mark.parametrize("name", sorted(ACTIVATIONS))
@given(z=numbers, delta=deltas)
def test_slopes_are_derivatives(name, z, delta):
    kind = ACTIVATIONS[name]
    if name != "tanh" and abs(abs(z) - delta) < 1e-3:
        return  # a corner or a jump
    step = 1e-6
    low, high = kind.value(np.array([z - step, z + step]), delta)
    assert kind.slope(np.array([z]), delta)[0] == pytest.approx((high - low) / (2 * step), abs=1e-6)
