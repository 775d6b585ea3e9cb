"""What every loss promises; one file each in boost/losses."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hedgerow.boost.boost import weights_of
from hedgerow.boost.losses import losses

margins = st.lists(st.floats(-30, 30), min_size=1, max_size=20).map(np.array)
each_loss = pytest.mark.parametrize("name", sorted(losses()))


def test_the_list():
    assert sorted(losses()) == ["exponential", "logistic"]


@each_loss
@given(z=margins)
def test_weight_is_minus_the_derivative_and_curvature_the_second(name, z):
    loss, h = losses()[name], 1e-6
    slope = (loss.loss(z + h) - loss.loss(z - h)) / (2 * h)
    assert -loss.weight(z) == pytest.approx(slope, rel=1e-4, abs=1e-9)
    bend = (loss.weight(z - h) - loss.weight(z + h)) / (2 * h)
    assert loss.curvature(z) == pytest.approx(bend, rel=1e-4, abs=1e-9)


@each_loss
@given(z=margins)
def test_never_below_the_error_and_falling(name, z):
    loss = losses()[name]
    assert (loss.loss(z) >= np.log(2) * (z <= 0)).all()
    assert (loss.loss(z + 1) < loss.loss(z)).all()
    assert loss.log_weight(z) == pytest.approx(np.log(loss.weight(z)), abs=1e-9)


@each_loss
@settings(max_examples=50)
@given(z=margins, step=st.floats(-3, 3))
def test_both_formulas_of_the_weight(name, z, step):
    """From the margin, and from the weight before it (lecture 001)."""
    z = np.clip(z, -15, 15)  # 1 - q loses its digits beyond
    loss = losses()[name]
    assert loss.update(loss.weight(z), np.full(len(z), step)) == pytest.approx(
        loss.weight(z + step), rel=1e-6
    )


@each_loss
def test_no_margin_is_too_large(name):
    base = np.full(3, 1 / 3)
    weight = weights_of(name, np.array([[5000.0], [-5000.0], [0.0]]), base)
    assert weight.sum() == pytest.approx(1)
    assert np.isfinite(weight).all()
    assert weight.argmax() == 1
    assert np.isfinite(losses()["logistic"].loss(np.array([-5000.0]))).all()
