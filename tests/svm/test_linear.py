"""Linear machines: their optimum, their gap, their intercept; dense and sparse; both methods."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.twins import linear as twin

from hedgerow.svm.kernel_input import rows_of
from hedgerow.svm.linear import (
    LinearProblem,
    LinearSolverOptions,
    balanced,
    class_problem,
    column_products,
    linear_certificate,
    number_problem,
    solve_linear,
)

METHODS = ("newton", "descent", "auto")


def sample(n=37, d=5, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d)) * rng.uniform(0.3, 3, size=d) + rng.normal(size=d)
    signs = np.where(X @ rng.normal(size=d) + rng.normal(size=n) > 0.4, 1.0, -1.0)
    target = X @ rng.normal(size=d) + 0.5 * rng.normal(size=n) + 5
    return X, signs, target, rng.uniform(0.2, 3, size=n)


def problem_of(kind, squared, intercept, C, seed=0):
    X, signs, target, weight = sample(seed=seed)
    if kind == "classes":
        return X, class_problem(signs, C * weight, squared=squared, intercept=intercept)
    return X, number_problem(target, C * weight, 0.3, squared=squared, intercept=intercept)


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("intercept", [False, True])
def test_reaches_the_optimum_of_a_general_solver(method, kind, squared, intercept):
    X, problem = problem_of(kind, squared, intercept, 0.5)
    solution = solve_linear(problem, rows_of(X), LinearSolverOptions(tol=1e-7, method=method, max_iter=20000))
    arguments = (problem.target, problem.cost, problem.side, problem.epsilon, squared)
    reached = twin.primal(X, *arguments, solution.w, solution.b)
    assert reached == pytest.approx(twin.smallest(X, *arguments, intercept), rel=1e-5)
    if not intercept:
        assert solution.b == 0


@pytest.mark.parametrize("method", ["newton", "descent"])
@pytest.mark.parametrize("kind", ["classes", "numbers"])
@pytest.mark.parametrize("squared", [False, True])
@pytest.mark.parametrize("C", [1e-3, 1.0])
def test_the_gap_is_true(method, kind, squared, C):
    """Recomputed with nothing of the certificate's: primal of (w, b), dual of a beta that is checked to be feasible."""
    X, problem = problem_of(kind, squared, True, C)
    rows = rows_of(X)
    solution = solve_linear(problem, rows, LinearSolverOptions(tol=1e-3, method=method, max_iter=20000))
    certificate = linear_certificate(problem, rows, solution)
    beta = balanced(solution.beta)
    assert abs(beta.sum()) <= 1e-9 * max(1, np.abs(beta).sum())
    assert (problem.side * beta >= 0).all()
    assert squared or (np.abs(beta) <= problem.cost * (1 + 1e-12)).all()
    w = beta @ X
    dual = problem.target @ beta - problem.epsilon * np.abs(beta).sum() - 0.5 * w @ w
    if squared:
        dual -= (beta**2 / (4 * problem.cost)).sum()
    primal = twin.primal(
        X, problem.target, problem.cost, problem.side, problem.epsilon, squared, solution.w, solution.b
    )
    assert certificate.primal == pytest.approx(primal, rel=1e-10)
    assert certificate.dual == pytest.approx(dual, rel=1e-10)
    assert -1e-9 * primal <= certificate.gap <= 1.5e-3 * primal
    assert certificate.ending == "solved"


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    n=st.integers(2, 30),
    d=st.integers(1, 7),
    logC=st.floats(-3, 3),
    squared=st.booleans(),
    intercept=st.booleans(),
    numbers=st.booleans(),
    duplicated=st.booleans(),
)
def test_karush_kuhn_tucker_on_random_problems(seed, n, d, logC, squared, intercept, numbers, duplicated):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(n, d)).astype(float) if seed % 2 else rng.normal(size=(n, d))
    if duplicated:
        X[n // 2 :] = X[: n - n // 2]
    cost = 10**logC * rng.integers(0, 3, size=n).astype(float)
    cost[:2] = 10**logC
    if numbers:
        problem = number_problem(rng.normal(size=n) * 3, cost, 0.1, squared=squared, intercept=intercept)
    else:
        signs = np.where(rng.random(n) < 0.5, 1.0, -1.0)
        signs[:2] = 1.0, -1.0
        problem = class_problem(signs, cost, squared=squared, intercept=intercept)
    rows = rows_of(X)
    solution = solve_linear(problem, rows, LinearSolverOptions(tol=1e-8))
    certificate = linear_certificate(problem, rows, solution)
    scale = max(certificate.primal, 1e-12)
    assert -1e-9 * scale <= certificate.gap <= 1e-6 * scale
    beta = balanced(solution.beta) if intercept else solution.beta
    assert np.abs(beta @ X - solution.w).max() <= 1e-2 * max(1, np.abs(solution.w).max())


@pytest.mark.parametrize("method", ["newton", "descent"])
@pytest.mark.parametrize("squared", [False, True])
def test_sparse_rows_give_the_same_machine(method, squared):
    X, problem = problem_of("classes", squared, True, 1.0)
    X = np.where(np.abs(X) < 1, 0.0, X)
    options = LinearSolverOptions(tol=1e-9, method=method, max_iter=20000)
    dense = solve_linear(problem, rows_of(X), options)
    sparse = solve_linear(problem, rows_of(csr_matrix(X)), options)
    np.testing.assert_allclose(sparse.w, dense.w, atol=1e-4)
    assert sparse.b == pytest.approx(dense.b, abs=1e-4)


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("squared", [False, True])
def test_threads_never_change_a_bit(wide, squared):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(300, 1200)) if wide else rng.normal(size=(20_000, 30))
    signs = np.sign(X[:, :5].sum(axis=1) + rng.normal(size=len(X)))
    problem = class_problem(signs, np.full(len(X), 0.1), squared=squared)
    for method in ("newton", "descent"):
        options = [LinearSolverOptions(tol=1e-3, method=method, threads=k, max_iter=60) for k in (1, 2, 3, 8)]
        found = [solve_linear(problem, rows_of(X), e) for e in options]
        for other in found[1:]:
            assert other.w.tobytes() == found[0].w.tobytes()
            assert other.beta.tobytes() == found[0].beta.tobytes()
            assert other.b == found[0].b


def test_many_columns_use_conjugate_gradients():
    rng = np.random.default_rng(4)
    X = rng.normal(size=(150, 700))
    signs = np.sign(X[:, 0] + 0.3 * rng.normal(size=150))
    for squared in (False, True):
        problem = class_problem(signs, np.full(150, 0.01), squared=squared)
        found = [
            linear_certificate(
                problem,
                rows_of(X),
                solve_linear(problem, rows_of(X), LinearSolverOptions(tol=1e-6, method=m)),
            )
            for m in ("newton", "descent")
        ]
        assert found[0].primal == pytest.approx(found[1].primal, rel=3e-6)


def test_slow_descent_hands_over_to_newton():
    rng = np.random.default_rng(5)
    X = csr_matrix(rng.normal(size=(400, 600)) * (rng.random((400, 600)) < 0.02) * 5)
    signs = np.where(rng.random(400) < 0.5, 1.0, -1.0)
    problem = class_problem(signs, np.full(400, 1e4))
    rows = rows_of(X)
    certificate = linear_certificate(
        problem, rows, solve_linear(problem, rows, LinearSolverOptions(tol=1e-5))
    )
    assert certificate.relative_gap <= 2e-5


def test_limits_give_the_best_so_far():
    X, problem = problem_of("classes", False, True, 100.0)
    rows = rows_of(np.tile(X, (1, 200)))
    few = solve_linear(problem, rows, LinearSolverOptions(tol=1e-9, method="descent", max_iter=3))
    assert few.ending == "max_iter"
    assert few.iterations == 3
    assert linear_certificate(problem, rows, few).gap > 0
    late = solve_linear(problem, rows, LinearSolverOptions(tol=1e-12, time_limit=1e-9))
    assert late.ending == "time_limit"


def test_hard_margin_is_exact():
    X = np.array([[0.0, 0.0], [0.0, 1.0], [2.0, 0.0], [2.0, 1.0], [5.0, 5.0]])
    problem = class_problem(np.array([-1.0, -1, 1, 1, 1]), np.full(5, np.inf))
    solution = solve_linear(problem, rows_of(X), LinearSolverOptions(tol=1e-8))
    np.testing.assert_allclose(solution.w, [1.0, 0.0], atol=1e-6)
    assert solution.b == pytest.approx(-1.0, abs=1e-6)
    certificate = linear_certificate(problem, rows_of(X), solution)
    assert certificate.margin == pytest.approx(1.0)
    assert certificate.margin_width == pytest.approx(2.0)
    assert certificate.relative_gap < 1e-7


def test_wrong_arrays_are_refused():
    X, problem = problem_of("classes", False, True, 1.0)
    short = LinearProblem(problem.target[:-1], problem.cost, problem.side)
    with pytest.raises(ValueError, match="target has 36 entries, but there are 37 rows"):
        solve_linear(short, rows_of(X), LinearSolverOptions())


@pytest.mark.parametrize("squared", [True, False])
@pytest.mark.parametrize("intercept", [True, False])
def test_many_dense_columns_share_their_products(squared, intercept):
    """More columns than a Hessian is made for: a few preconditioned Newton steps end at the optimum."""
    rng = np.random.default_rng(3)
    X = rng.normal(size=(1100, 40)) @ rng.normal(size=(40, 520)) + rng.normal(size=(1100, 520))
    signs = np.where(X[:, 0] + 3 * rng.normal(size=1100) > 0, 1.0, -1.0)
    problem = class_problem(signs, np.full(1100, 0.01), squared=squared, intercept=intercept)
    rows, options = rows_of(X), LinearSolverOptions(tol=1e-6)
    products = column_products(rows, options, intercept=intercept)
    wide = X if not intercept else np.column_stack([X, np.ones(1100)])
    assert np.allclose(np.triu(products[: wide.shape[1], : wide.shape[1]]), np.triu(wide.T @ wide / 1100))
    found = solve_linear(problem, rows, options, products=products)
    proof = linear_certificate(problem, rows, found)
    assert proof.relative_gap < 1e-5
    assert found.iterations < 60
    plain = solve_linear(problem, rows, LinearSolverOptions(tol=1e-6, method="newton"))
    assert proof.primal == pytest.approx(linear_certificate(problem, rows, plain).primal, rel=1e-5)
    other = column_products(rows, LinearSolverOptions(threads=3), intercept=intercept)
    assert np.array_equal(products, other)


def test_products_are_for_dense_rows_that_are_many():
    options = LinearSolverOptions()
    few, narrow = np.ones((700, 520)), np.ones((700, 20))
    assert column_products(rows_of(few), options, intercept=True) is None
    assert column_products(rows_of(narrow), options, intercept=True) is None
    tall = np.ones((1100, 520))
    assert column_products(rows_of(csr_matrix(tall)), options, intercept=True) is None
    assert column_products(rows_of(tall), LinearSolverOptions(method="descent"), intercept=True) is None
