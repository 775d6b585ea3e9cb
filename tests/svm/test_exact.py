"""Above 2,000 rows kernel values are float32, and the gap is true to the last digit nonetheless: primal, dual and gap
are computed again here, in float64, from scikit-learn's kernels."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.metrics.pairwise import pairwise_kernels

from hedgerow.core import native
from hedgerow.svm import Kernel, SolverOptions, certificate, classes_problem, numbers_problem, rows_of, solve
from hedgerow.svm.exact import exactly, exactly_each
from hedgerow.svm.solve import native_limits, solution_of, too_coarse

N = 2300
KERNELS = {
    "linear": Kernel("linear"),
    "rbf": Kernel("rbf", gamma=0.3),
    "poly": Kernel("poly", 0.2, 1.0, 3),
    "sigmoid": Kernel("sigmoid", 0.02, -0.5),
}


def long_tailed(seed, d=5):
    """Some rows are a hundred times as long as others: their kernel values have the largest errors."""
    rng = np.random.default_rng(seed)
    X = rng.standard_t(4, size=(N, d))
    return X, np.where(X[:, 0] * X[:, 1] + 0.5 * rng.normal(size=N) > 0, 1.0, -1.0)


def matrix(kernel, X):
    settings = {"linear": {}, "rbf": {"gamma": kernel.gamma}}.get(
        kernel.name, {"gamma": kernel.gamma, "coef0": kernel.coef0}
    )
    if kernel.name == "poly":
        settings["degree"] = kernel.degree
    return pairwise_kernels(X, metric=kernel.name, **settings)


def objectives(K, y, coef, rho, upper):
    square = coef @ K @ coef
    slack = np.maximum(0.0, 1.0 - y * (K @ coef - rho))
    return 0.5 * square + upper @ slack, y @ coef - 0.5 * square


@pytest.mark.parametrize("cost", [0.01, 1.0, 30.0])
@pytest.mark.parametrize("name", KERNELS)
def test_classes(name, cost):
    X, y = long_tailed(1)
    upper = cost * np.random.default_rng(2).integers(1, 4, N)
    problem, kernel = classes_problem(y, upper), KERNELS[name]
    steps = 20_000 if (name, cost) in (("linear", 30.0), ("poly", 30.0)) else -1
    found = solve(problem, kernel, rows_of(X), SolverOptions(max_iter=steps, cache_bytes=20_000_000))
    says = certificate(problem, found)
    K = matrix(kernel, X)
    primal, dual = objectives(K, y, found.coef, found.rho, upper)
    assert abs(says.gap - (primal - dual)) <= says.gap_error + 1e-10 * primal
    assert says.primal == pytest.approx(primal, rel=1e-5)
    assert says.dual == pytest.approx(dual, rel=1e-5)
    if says.ending == "solved":
        assert says.gap_error == 0
        assert "±" not in str(says)
        slope = y - K @ found.coef
        b = problem.y * found.alpha
        most, least = slope[b < problem.high].max(), slope[b > problem.low].min()
        assert most - least <= 1.2e-3
        assert found.violation == pytest.approx(max(most - least, 0.0), abs=1e-8)


def test_some_are_float32():
    """What is tested here is not all float64 from the start."""
    X, y = long_tailed(1)
    found = solve(classes_problem(y, 1.0), KERNELS["rbf"], rows_of(X))
    assert found.rounding > 0
    assert found.exact is not None
    assert found.exact.sum() < N


def test_numbers():
    X, _ = long_tailed(3)
    target = X[:, 0] - 0.1 * X[:, 1] ** 2
    problem = numbers_problem(target, 0.2, 2.0)
    found = solve(problem, KERNELS["rbf"], rows_of(X))
    says = certificate(problem, found)
    K, coef = matrix(KERNELS["rbf"], X), found.coef
    square = coef @ K @ coef
    slack = np.maximum(0.0, np.abs(target - K @ coef + found.rho) - 0.2)
    primal, dual = 0.5 * square + 2.0 * slack.sum(), target @ coef - 0.2 * found.alpha.sum() - 0.5 * square
    assert found.rounding > 0
    assert says.gap_error == 0
    assert says.gap == pytest.approx(primal - dual, abs=1e-10 * primal)


def test_stopped_early():
    """Its gap is that of float32, with how far it may be off."""
    X, y = long_tailed(4)
    problem, kernel = classes_problem(y, 1.0), KERNELS["poly"]
    found = solve(problem, kernel, rows_of(X), SolverOptions(max_iter=300))
    says = certificate(problem, found)
    primal, dual = objectives(matrix(kernel, X), y, found.coef, found.rho, problem.upper)
    assert says.ending == "max_iter"
    assert 0 < says.gap_error < 0.01 * says.gap
    assert "±" in str(says)
    assert abs(says.gap - (primal - dual)) <= says.gap_error


def test_too_coarse_goes_on_in_float64():
    """Of one row in float32 the score is off by more than tol; at the end all is as asked for."""
    rng = np.random.default_rng(5)
    X = rng.normal(size=(N, 4))
    X[:40] *= 20
    y = np.where(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=N) > 0, 1.0, -1.0)
    kernel, problem = Kernel("poly", 0.1, 1.0, 3), classes_problem(y, 0.001)
    found = solve(problem, kernel, rows_of(X), SolverOptions(tol=1e-5))
    assert not too_coarse(found, 1e-5)
    slope, b = y - matrix(kernel, X) @ found.coef, y * found.alpha
    assert slope[b < problem.high].max() - slope[b > problem.low].min() <= 1.3e-5
    says = certificate(problem, found)
    primal, dual = objectives(matrix(kernel, X), y, found.coef, found.rho, problem.upper)
    assert says.gap == pytest.approx(primal - dual, abs=1e-9 * primal)


def test_nothing_is_supported():
    X, y = long_tailed(6)
    problem = classes_problem(y, 0.0)
    found = solve(problem, KERNELS["rbf"], rows_of(X))
    assert exactly(problem, KERNELS["rbf"], rows_of(X), found, 1) is found


@pytest.mark.parametrize("sparse", [False, True])
def test_many_at_once_are_each_alone(sparse):
    """Models of unequal size, one without support vectors, one that was stopped: the bits of each alone."""
    X, y = long_tailed(7)
    X[:, 3] = np.maximum(X[:, 3], 0.0)
    own = [np.arange(k, N, step, dtype=np.int32) for k, step in ((0, 1), (1, 2), (0, 3), (2, 40))]
    upper = [1.0, 0.0, 0.5, 3.0]
    all_rows = rows_of(csr_matrix(X) if sparse else X)
    problems = [classes_problem(y[rows], cost) for rows, cost in zip(own, upper, strict=True)]
    begun = [
        narrow(problem, all_rows.take(rows), SolverOptions(max_iter=steps))
        for problem, rows, steps in zip(problems, own, (-1, -1, 50, -1), strict=True)
    ]
    together = classes_problem(
        np.concatenate([p.y for p in problems]), np.concatenate([p.upper for p in problems])
    )
    starts = np.cumsum([0, *(len(rows) for rows in own)])[:-1]
    for threads in (1, 2):
        found = exactly_each(together, KERNELS["rbf"], all_rows, np.concatenate(own), starts, begun, threads)
        for k, one in enumerate(found):
            alone = exactly(problems[k], KERNELS["rbf"], all_rows.take(own[k]), begun[k], 1)
            assert (one.rho, one.violation, one.rounding) == (alone.rho, alone.violation, alone.rounding)
            assert np.array_equal(one.field, alone.field)
            assert (one.exact is None) == (alone.exact is None)
            assert one.exact is None or np.array_equal(one.exact, alone.exact)


def narrow(problem, rows, options):
    """In float32, whatever the number of rows is."""
    found = native.svm_solve(
        *KERNELS["rbf"].native_args,
        rows.native_args,
        False,
        problem.c,
        problem.low,
        problem.high,
        None,
        None,
        None,
        *native_limits(options),
        options.cache_bytes,
        1,
    )
    return solution_of(problem, rows.n_rows, found)
