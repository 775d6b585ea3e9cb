"""The solver: the optimum of a slow twin, Karush-Kuhn-Tucker, limits, warm starts, the same bits for any threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.svm.samples import KERNELS, costs, seeds, shape_of, two_classes
from tests.twins import svm as twin

from hedgerow.svm import Kernel, SolverOptions, classes_problem, numbers_problem, rows_of, solve
from hedgerow.svm.kernel import kernel_matrix
from hedgerow.svm.kernel_input import gram_rows

PSD = [k for k in KERNELS if k.name != "sigmoid"]
each_kernel = pytest.mark.parametrize("kernel", PSD, ids=lambda k: f"{k.name}{k.degree}")


def check_kkt(problem, solution, field, tol):
    """Feasible, and no pair of variables could move against its slope by more than tol."""
    alpha, y = solution.alpha, problem.y
    assert (alpha >= 0).all()
    assert (alpha <= problem.upper).all()
    assert abs(y @ alpha) <= 1e-9 * (1 + alpha.sum())
    score = field if problem.row_of is None else field[problem.row_of]
    gradient = y * score + problem.p
    assert np.allclose(gradient, solution.gradient, atol=1e-6 * (1 + np.abs(gradient).max()))
    rising = np.where(y > 0, alpha < problem.upper, alpha > 0)
    falling = np.where(y > 0, alpha > 0, alpha < problem.upper)
    if rising.any() and falling.any():
        assert (-y * gradient)[rising].max() - (-y * gradient)[falling].min() <= tol + 1e-6


@pytest.mark.slow
@each_kernel
@settings(max_examples=12)
@given(seed=seeds, cost=costs, n=st.integers(4, 60), twins=st.integers(0, 2))
def test_same_optimum_as_the_twin(kernel, seed, cost, n, twins):
    X, y = two_classes(seed, n, twins=twins)
    weight = np.random.default_rng(seed).integers(0, 4, n).astype(float)
    problem = classes_problem(y, cost * weight)
    K = twin.kernel(kernel.name, X, X, **shape_of(kernel))
    for rows in (rows_of(X), rows_of(csr_matrix(X)), gram_rows(K)):
        solution = solve(problem, kernel, rows, SolverOptions(tol=1e-4))
        check_kkt(problem, solution, K @ solution.coef, 1e-4)
        best = twin.dual(K, problem.c, twin.smo(K, problem.c, problem.low, problem.high, tol=1e-4))
        assert twin.dual(K, problem.c, solution.coef) == pytest.approx(best, rel=1e-4, abs=1e-6)


@each_kernel
@settings(max_examples=8)
@given(seed=seeds, cost=costs, epsilon=st.sampled_from([0.0, 0.1, 1.0]))
def test_numbers(kernel, seed, cost, epsilon):
    X, _ = two_classes(seed, 41)
    target = X[:, 0] ** 2 - X[:, 1]
    problem = numbers_problem(target, epsilon, cost)
    K = twin.kernel(kernel.name, X, X, **shape_of(kernel))
    solution = solve(problem, kernel, rows_of(X), SolverOptions(tol=1e-4))
    check_kkt(problem, solution, K @ solution.coef, 1e-4)
    both = np.tile(K, (2, 2))
    best = twin.dual(both, problem.c, twin.smo(both, problem.c, problem.low, problem.high, tol=1e-4))
    ours = twin.dual(both, problem.c, problem.y * solution.alpha)
    assert ours == pytest.approx(best, rel=1e-4, abs=1e-6)


@settings(max_examples=15)
@given(seed=seeds, cost=costs, slots=st.sampled_from([64, 100, 150]))
def test_small_memory_many_rounds(seed, cost, slots):
    X, y = two_classes(seed, 301)
    problem, kernel = classes_problem(y, cost), Kernel("rbf", gamma=0.5)
    all_at_once = solve(problem, kernel, rows_of(X), SolverOptions(tol=1e-4))
    in_rounds = solve(problem, kernel, rows_of(X), SolverOptions(tol=1e-4, cache_bytes=slots * slots * 8))
    K = kernel_matrix(kernel, rows_of(X), rows_of(X))
    check_kkt(problem, in_rounds, K @ in_rounds.coef, 1e-4)
    assert in_rounds.rounds > 1
    assert twin.dual(K, problem.c, in_rounds.coef) == pytest.approx(
        twin.dual(K, problem.c, all_at_once.coef), rel=1e-4, abs=1e-6
    )


@pytest.mark.parametrize("sparse", [False, True])
def test_threads_do_not_change_a_bit(sparse):
    X, y = two_classes(3, 2500)  # float32 kernel values, several rounds
    rows = rows_of(csr_matrix(X) if sparse else X)
    found = [
        solve(
            classes_problem(y, 1.0),
            Kernel("rbf", gamma=0.5),
            rows,
            SolverOptions(threads=t, cache_bytes=2_000_000),
        )
        for t in (1, 2, 3, 8)
    ]
    assert found[0].rounds > 2
    for other in found[1:]:
        assert np.array_equal(found[0].alpha, other.alpha)
        assert np.array_equal(found[0].field, other.field)
        assert found[0].rho == other.rho


def test_float32_is_checked_and_left_where_it_is_too_coarse():
    X, y = two_classes(4, 2100)
    kernel = Kernel("rbf", gamma=0.5)
    fine = solve(classes_problem(y, 1.0), kernel, rows_of(X))
    assert 0 < fine.rounding < 1e-4
    linear = solve(classes_problem(y, 1.0), Kernel("linear"), rows_of(X + 3e3))  # large means spoil float32
    assert linear.rounding == 0.0
    K = (X + 3e3) @ (X + 3e3).T
    check_kkt(classes_problem(y, 1.0), linear, K @ linear.coef, 1e-3 + 1e-5)


def test_start_is_taken_up():
    X, y = two_classes(5, 500)
    problem, kernel = classes_problem(y, 10.0), Kernel("rbf", gamma=1.0)
    cold = solve(problem, kernel, rows_of(X))
    again = solve(problem, kernel, rows_of(X), start=cold.alpha)
    assert again.iterations == 0
    assert np.array_equal(again.alpha, cold.alpha)
    near = solve(classes_problem(y, 11.0), kernel, rows_of(X), start=cold.alpha)
    assert near.iterations < solve(classes_problem(y, 11.0), kernel, rows_of(X)).iterations


def test_steps_are_limited():
    X, y = two_classes(6, 400)
    problem = classes_problem(y, 100.0)
    full = solve(problem, Kernel("rbf"), rows_of(X))
    few = solve(problem, Kernel("rbf"), rows_of(X), SolverOptions(max_iter=50))
    assert (few.ending, few.iterations) == ("max_iter", 50)
    assert few.stopped_early
    assert not full.stopped_early
    K = kernel_matrix(Kernel("rbf"), rows_of(X), rows_of(X))
    assert 0 < twin.dual(K, problem.c, few.coef) < twin.dual(K, problem.c, full.coef)
    assert np.allclose(few.field, K @ few.coef)


def test_time_is_limited():
    X, y = two_classes(7, 1500)
    found = solve(
        classes_problem(y, 1e6),
        Kernel("poly", 1.0, 1.0, 6),
        rows_of(X),
        SolverOptions(time_limit=0.05, tol=1e-9),
    )
    assert found.ending in ("time_limit", "rounding")
    assert found.seconds < 5.0


def test_history_tells_the_gap():
    X, y = two_classes(8, 900)
    found = solve(classes_problem(y, 1.0), Kernel("rbf"), rows_of(X), SolverOptions(cache_bytes=8 * 200**2))
    assert found.history.shape[1] == 2
    assert (np.diff(found.history[:, 0]) >= 0).all()
    assert found.history[0, 1] == 2.0
    assert found.history[-1, 1] == found.violation <= 1e-3


@given(seed=seeds, cost=costs)
def test_matrix_that_is_not_semidefinite(seed, cost):
    rng = np.random.default_rng(seed)
    K = rng.normal(size=(30, 30))
    K = K + K.T
    _, y = two_classes(seed, 30)
    problem = classes_problem(y, cost)
    found = solve(problem, Kernel("precomputed"), gram_rows(K))
    check_kkt(problem, found, K @ found.coef, 1e-3)
    distances = np.diagonal(K)[:, None] + np.diagonal(K)[None, :] - 2 * K
    assert (
        found.curvature
        >= (distances / (np.abs(np.diagonal(K))[:, None] + np.abs(np.diagonal(K)))).min() - 1e-12
    )


def test_kernel_of_zeros():
    _, y = two_classes(9, 20)
    found = solve(classes_problem(y, 2.0), Kernel("precomputed"), gram_rows(np.zeros((20, 20))))
    assert found.ending == "solved"
    assert found.alpha.sum() == pytest.approx(2 * 2.0 * min((y > 0).sum(), (y < 0).sum()))


def test_two_points():
    problem = classes_problem(np.array([1.0, -1.0]), 100.0)
    found = solve(problem, Kernel("linear"), rows_of(np.array([[2.0], [0.0]])))
    assert found.alpha == pytest.approx([0.5, 0.5])
    assert -found.rho == pytest.approx(-1.0)


def test_bounds_that_are_reached_but_for_rounding():
    """0.1 * 3 and such: a variable an ulp away from its bound must not stop the solver."""
    X, y = two_classes(10, 240, 6)
    weight = np.random.default_rng(1).integers(1, 4, 240) * np.where(y > 0, 0.5, 2.0)
    for cost in (0.1, 0.3, 0.7):
        for kernel in KERNELS:
            assert solve(classes_problem(y, cost * weight), kernel, rows_of(X)).ending == "solved"
