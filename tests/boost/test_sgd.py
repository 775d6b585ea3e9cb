"""Descent: the native kernel is its twin, both ways to let weights count reach one minimum, threads change nothing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from boost.samples import problem
from hedgerow.boost.sgd import SAMPLINGS, Descent
from hedgerow.core import native
from twins import descend as twin

ACTIVATIONS = ("linear", "soft_threshold", "tanh")


@given(
    st.integers(0, 10_000),
    st.integers(1, 23),
    st.integers(1, 19),
    st.integers(1, 9),
    st.integers(0, 25),
    st.sampled_from(ACTIVATIONS),
    st.sampled_from(SAMPLINGS),
)
def test_the_kernel_is_its_twin(seed, n, d, batch, steps, activation, sampling):
    x, signs, weight = problem(seed, n, d)
    starts = np.random.default_rng(seed + 1).normal(size=(3, d + 2))
    how = {"activation": activation, "delta": 0.3, "sampling": sampling, "l2": 0.01, "rate": 0.4}
    how |= {"steps": steps, "batch": batch, "seed": seed}
    neurons, loss = native.descend(rows=x, signs=signs, weight=weight, starts=starts, threads=2, **how)
    for k in range(3):
        wanted, wanted_loss = twin.descend(x, signs, weight, starts[k], **how, neuron=k)
        # AdaGrad divides a gradient by its own size, so that a sum that is zero but for rounding makes a tiny step.
        np.testing.assert_allclose(neurons[k], wanted, rtol=1e-7, atol=1e-7)
        assert loss[k] == pytest.approx(wanted_loss, rel=1e-7)


def zeros(many):
    """A start at zero, of height one."""
    return np.append(np.zeros(many), 1.0)[None, :]


def least(x, signs, weight, l2):
    """Where weighted, penalised logistic regression has its minimum, by somebody else's solver."""

    def loss(w):
        return twin.loss(np.append(w, 1.0), x, signs, weight, "linear", 0.0, l2)

    return minimize(loss, np.zeros(x.shape[1] + 1), method="L-BFGS-B", options={"ftol": 1e-15, "gtol": 1e-9})


@pytest.mark.parametrize("sampling", SAMPLINGS)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_weights_and_draws_reach_the_same_minimum(sampling, seed):
    x, signs, weight = problem(seed, 211, 4)
    best = least(x, signs, weight, l2=0.01)
    descent = Descent(sampling, steps=40_000, batch=16, l2=0.01)
    found = descent.best(x, signs, weight, zeros(5), "linear", 0.0, seed)
    at_end = twin.loss(found, x, signs, weight, "linear", 0.0, 0.01)
    assert best.fun - 1e-9 <= at_end <= best.fun + 1e-4
    np.testing.assert_allclose(found[:-1], best.x, atol=0.03)
    assert found[-1] == pytest.approx(1)


def test_longer_descents_come_nearer():
    x, signs, weight = problem(3, 300, 6)
    best = least(x, signs, weight, l2=1e-3).fun
    gaps = []
    for steps in (100, 1_000, 10_000, 100_000):
        found = Descent(steps=steps, l2=1e-3).best(x, signs, weight, zeros(7), "linear", 0.0, 0)
        gaps.append(twin.loss(found, x, signs, weight, "linear", 0.0, 1e-3) - best)
    assert gaps == sorted(gaps, reverse=True)
    assert gaps[-1] < 1e-5


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_threads_change_nothing(sampling):
    x, signs, weight = problem(5, 300, 7)
    starts = np.random.default_rng(0).normal(size=(5, 9))

    def run(threads):
        return native.descend(
            rows=x,
            signs=signs,
            weight=weight,
            starts=starts,
            activation="tanh",
            delta=0.0,
            sampling=sampling,
            l2=1e-4,
            rate=0.3,
            steps=300,
            batch=8,
            seed=1,
            threads=threads,
        )

    one = run(1)
    for threads in (2, 3, 8):
        np.testing.assert_array_equal(run(threads)[0], one[0])
        np.testing.assert_array_equal(run(threads)[1], one[1])


def test_rows_without_weight_are_not_there():
    x, signs, weight = problem(7, 60, 3)
    weight[::2] = 0
    weight /= weight.sum()
    upside_down = np.where(weight > 0, signs, -signs)
    for sampling in SAMPLINGS:
        descent = Descent(sampling, steps=50)
        a = descent.best(x, signs, weight, zeros(4), "linear", 0.0, 0)
        b = descent.best(x, upside_down, weight, zeros(4), "linear", 0.0, 0)
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"signs": np.ones(3)}, "signs has 3 entries"),
        ({"starts": np.zeros((1, 2))}, "the bias, the height"),
        ({"activation": "relu"}, "'relu' is unknown"),
        ({"sampling": "all"}, "'all' is unknown"),
        ({"batch": 0}, "a batch of at least 1"),
    ],
)
def test_the_bindings_refuse(change, words):
    x, signs, weight = problem(0, 10, 3)
    how = {"rows": x, "signs": signs, "weight": weight, "starts": np.zeros((1, 5)), "activation": "tanh"}
    how |= {"delta": 0.0, "sampling": "draws", "l2": 0.0, "rate": 0.1, "steps": 3, "batch": 2}
    with pytest.raises(ValueError, match=words):
        native.descend(**(how | change), seed=0, threads=1)
