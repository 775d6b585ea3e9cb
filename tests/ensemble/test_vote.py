"""Learned coefficients: on the simplex, with a certificate that holds, and never worse than scipy's."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog, minimize

from hedgerow.ensemble.vote import by_absolute_error, by_log_loss, by_squared_error, simplex_minimum

seeds = st.integers(0, 10_000)


def is_on_simplex(a):
    return a.min() >= 0 and abs(a.sum() - 1) < 1e-12


@given(seeds, st.integers(1, 7))
def test_log_loss_has_its_certificate(seed, m):
    rng = np.random.default_rng(seed)
    chance = rng.random((60, m)) ** rng.integers(1, 6)
    chance[rng.random((60, m)) < 0.1] = 0.0
    found = by_log_loss(chance)
    assert is_on_simplex(found.weight)
    assert found.gap <= 1e-9
    p = np.maximum(chance, 1e-15)
    for _ in range(20):  # no other point is better by more than the gap
        other = rng.dirichlet(np.full(m, 0.5))
        assert -np.log(p @ other).mean() >= found.loss - found.gap - 1e-12
    assert found.loss <= found.equal_loss + 1e-12


@given(seeds, st.integers(1, 7))
def test_squared_error_is_scipys_or_better(seed, m):
    rng = np.random.default_rng(seed)
    truth = rng.normal(size=50) * 10.0 ** rng.integers(-3, 4)
    said = truth[:, None] * rng.random(m) + rng.normal(size=(50, m)) * truth.std()
    weight = rng.random(50) + 0.1
    found = by_squared_error(said, truth, weight)
    assert is_on_simplex(found.weight)
    scale = np.average(truth**2, weights=weight)
    assert found.gap <= 1e-9 * scale
    theirs = minimize(
        lambda a: np.average((said @ a - truth) ** 2, weights=weight) / scale,
        np.full(m, 1 / m),
        bounds=[(0, 1)] * m,
        constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
        method="SLSQP",
    )
    assert found.loss / scale <= theirs.fun + 1e-7


@given(seeds, st.integers(1, 6))
def test_absolute_error_is_that_of_the_linear_program_within_its_gap(seed, m):
    """sum of u over a, u:   u >= said a - truth,   u >= truth - said a,   a on the simplex."""
    rng = np.random.default_rng(seed)
    n = 61
    truth = rng.standard_cauchy(n) * 10.0 ** rng.integers(-3, 4)
    said = truth[:, None] * rng.random(m) + rng.normal(size=(n, m)) * np.abs(truth).mean()
    weight = rng.random(n) + 0.1
    found = by_absolute_error(said, truth, weight)
    assert is_on_simplex(found.weight)
    scale = np.abs(truth).max()
    one = np.eye(n)
    program = linprog(
        np.append(np.zeros(m), weight / weight.sum()),
        A_ub=np.block([[said / scale, -one], [-said / scale, -one]]),
        b_ub=np.append(truth, -truth) / scale,
        A_eq=np.append(np.ones(m), np.zeros(n))[None],
        b_eq=[1.0],
    )
    best = program.fun * scale
    assert found.loss == pytest.approx(np.average(np.abs(said @ found.weight - truth), weights=weight))
    assert best - 1e-9 * scale <= found.loss <= best + found.gap + 1e-9 * scale
    assert found.gap <= 0.03 * found.equal_loss


def test_the_perfect_member_takes_all_and_twins_do_no_harm():
    truth = np.arange(9.0)
    noise = np.random.default_rng(0).normal(size=9)
    found = by_squared_error(np.column_stack([truth + noise, truth, truth]), truth)
    assert found.weight[0] == pytest.approx(0, abs=1e-9)
    assert found.loss == pytest.approx(0, abs=1e-12)


def test_a_convex_mixture_is_found():
    rng = np.random.default_rng(1)
    said = rng.normal(size=(200, 4))
    true = np.array([0.5, 0.0, 0.3, 0.2])
    np.testing.assert_allclose(by_squared_error(said, said @ true).weight, true, atol=1e-9)


@given(seeds, st.integers(1, 9))
def test_the_quadratic_over_the_simplex(seed, m):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(rng.integers(1, m + 1), m))
    curve, linear = root.T @ root, rng.normal(size=m)
    a = simplex_minimum(curve, linear)
    gradient = curve @ a + linear
    assert is_on_simplex(a)
    assert gradient @ a - gradient.min() <= 1e-9 * (1 + np.abs(gradient).max())


def test_extreme_units():
    rng = np.random.default_rng(2)
    truth = rng.normal(size=40)
    said = truth[:, None] + rng.normal(size=(40, 3))
    plain = by_squared_error(said, truth).weight
    for unit in (1e150, 1e-150):
        np.testing.assert_allclose(by_squared_error(said * unit, truth * unit).weight, plain, atol=1e-9)
