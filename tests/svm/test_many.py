"""Many machines in one call: the same as one by one, on shared kernel values, for any threads."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.svm.samples import KERNELS, seeds, shape_of, two_classes
from tests.twins import svm as twin

from hedgerow import SVC
from hedgerow.svm import Kernel, SolverOptions, certificate, classes_problem, rows_of, solve
from hedgerow.svm.classes import learn_classes, stored_fits
from hedgerow.svm.kernel import apply_kernel, diagonal, gram, kernel_matrix
from hedgerow.svm.many import Learner, solve_each, solve_many
from hedgerow.svm.solve import solve_path

each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.name}{k.degree}")


@each_kernel
@settings(max_examples=15)
@given(seed=seeds, n=st.integers(1, 150), d=st.integers(1, 7))
def test_products_bend_into_kernel_values(kernel, seed, n, d):
    X = np.random.default_rng(seed).normal(size=(n, d))
    wanted = twin.kernel(kernel.name, X, X, **shape_of(kernel))
    size = np.abs(wanted).max() + 1.0
    for rows in (rows_of(X), rows_of(csr_matrix(X))):
        wide = apply_kernel(kernel, gram(kernel, rows, wide=True))
        assert wide.dtype == np.float64
        assert np.allclose(wide, wanted, rtol=0, atol=1e-12 * size)
        assert np.array_equal(wide, wide.T)
        narrow = apply_kernel(kernel, gram(kernel, rows, wide=False))
        assert narrow.dtype == np.float32
        assert np.allclose(narrow, wanted, rtol=0, atol=2e-4 * size)
    if kernel.name == "rbf":
        assert (np.diagonal(wide) == 1).all()


def learners_of(X, y, seed, many=5):
    """Random subsets of the rows, with weights and test rows."""
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(many):
        some = np.sort(rng.choice(len(y), rng.integers(len(y) // 2, len(y)), replace=False)).astype(np.int32)
        rest = np.setdiff1d(np.arange(len(y)), some).astype(np.int32)
        found.append(Learner(some, y[some], rng.integers(1, 4, len(some)).astype(float), rest))
    return found


@settings(max_examples=15)
@given(seed=seeds, n=st.integers(12, 140), threads=st.sampled_from([1, 3]))
def test_each_is_what_it_is_alone(seed, n, threads):
    X, y = two_classes(seed, n)
    y[2:4] = [1.0, -1.0]
    kernel, rows = Kernel("rbf", gamma=0.4), rows_of(X)
    K = kernel_matrix(kernel, rows, rows)
    learners = [one for one in learners_of(X, y, seed) if len(set(one.signs)) == 2]
    costs = [0.1, 1.0, 7.0]
    many = solve_many(K, learners, SolverOptions(tol=1e-5, threads=threads), costs)
    for k, cost in enumerate(costs):
        says = many.certificates(k)
        for one, found, score, said in zip(learners, many.solutions[k], many.scores[k], says, strict=True):
            problem = classes_problem(one.signs, cost * one.weight)
            alone = solve(problem, kernel, rows.take(one.rows), SolverOptions(tol=1e-5))
            own = K[np.ix_(one.rows, one.rows)]
            assert abs(found.coef.sum()) <= 1e-9 * (1 + np.abs(found.coef).sum())
            assert (found.alpha <= problem.upper).all()
            best = twin.dual(own, one.signs, alone.coef)
            assert twin.dual(own, one.signs, found.coef) == pytest.approx(best, rel=1e-4, abs=1e-9)
            assert np.allclose(found.field, own @ found.coef, atol=1e-9)
            assert np.allclose(score, K[np.ix_(one.test, one.rows)] @ found.coef - found.rho, atol=1e-9)
            primal = twin.primal_classes(own, one.signs, found.coef, -found.rho, problem.upper)
            assert said.primal == pytest.approx(primal, rel=1e-9)
            assert said == certificate(problem, found)


def test_threads_do_not_change_a_bit():
    X, y = two_classes(3, 400)
    K = kernel_matrix(Kernel("rbf", gamma=0.4), rows_of(X), rows_of(X))
    learners = learners_of(X, y, 1, many=9)
    for matrix in (K, K.astype(np.float32)):
        found = [solve_many(matrix, learners, SolverOptions(threads=t), [0.5, 5.0]) for t in (1, 2, 3, 8)]
        assert found[0].narrow == (matrix.dtype == np.float32)
        for other in found[1:]:
            for k in range(2):
                for a, b in zip(found[0].solutions[k], other.solutions[k], strict=True):
                    assert np.array_equal(a.coef, b.coef)
                    assert np.array_equal(a.field, b.field)
                    assert a.rho == b.rho


@pytest.mark.parametrize("n", [90, 700, 2600])
def test_pairs_from_their_own_rows(n):
    """Small sets, large ones and float32: the optimum of each alone, for any threads the same bits."""
    X, y = two_classes(n, n)
    kernel, rows, tol = Kernel("rbf", gamma=0.4), rows_of(X), 1e-5
    learners = learners_of(X, y, 5, many=4)
    lengths = diagonal(kernel, rows)
    found = [
        solve_each(kernel, rows, learners, lengths, SolverOptions(tol=tol, threads=t)) for t in (1, 2, 3, 8)
    ]
    for k, one in enumerate(learners):
        problem = classes_problem(one.signs, one.weight)
        alone = certificate(problem, solve(problem, kernel, rows.take(one.rows), SolverOptions(tol=tol)))
        here = certificate(problem, found[0][k])
        assert here.gap <= 1e-3 * here.primal
        assert here.dual == pytest.approx(alone.dual, rel=1e-4)
        assert all(np.array_equal(other[k].coef, found[0][k].coef) for other in found[1:])
        assert all(other[k].rho == found[0][k].rho for other in found[1:])


def test_few_support_vectors_need_few_kernel_values():
    rng = np.random.default_rng(2)
    codes = rng.integers(0, 3, 3000).astype(np.int32)
    X = rng.normal(size=(3000, 4)) + 8 * rng.normal(size=(3, 4))[codes]
    models = learn_classes(
        Kernel("rbf", 0.05), rows_of(X), codes, 3, np.ones(3000), "ovo", SolverOptions(tol=1e-3)
    )
    for model in models:
        assert model.certificate.n_support < 200
        assert model.certificate.kernel_rows < 0.5 * model.certificate.n_rows
        assert model.certificate.relative_gap < 0.01


def test_limits_hold_for_each():
    X, y = two_classes(4, 300)
    K = kernel_matrix(Kernel("rbf"), rows_of(X), rows_of(X))
    learners = learners_of(X, y, 2)
    few = solve_many(K, learners, SolverOptions(max_iter=7), [10.0])
    assert {one.iterations for one in few.solutions[0]} == {7}
    assert {one.ending for one in few.solutions[0]} == {"max_iter"}
    late = solve_many(K, learners, SolverOptions(time_limit=0.0), [1e5])
    assert all(one.ending == "time_limit" for one in late.solutions[0])


@pytest.mark.parametrize("strategy", ["ovo", "ovr"])
def test_classes_at_once_are_classes_one_by_one(strategy):
    rng = np.random.default_rng(6)
    codes = rng.integers(0, 4, 260).astype(np.int32)
    X = rng.normal(size=(260, 3)) + 1.5 * rng.normal(size=(4, 3))[codes]
    rows, kernel = rows_of(X), Kernel("poly", 0.5, 1.0, 3)
    upper = rng.integers(0, 3, 260).astype(float)
    at_once = learn_classes(kernel, rows, codes, 4, upper, strategy, SolverOptions(tol=1e-6))
    small = SolverOptions(tol=1e-6, cache_bytes=100_000)
    assert not stored_fits(rows, 1.0, small)
    one_by_one = learn_classes(kernel, rows, codes, 4, upper, strategy, small)
    for a, b in zip(at_once, one_by_one, strict=True):
        assert (a.positive, a.negative) == (b.positive, b.negative)
        assert np.array_equal(a.rows, b.rows)
        assert a.certificate.dual == pytest.approx(b.certificate.dual, rel=1e-6)
        assert a.certificate.radius == pytest.approx(b.certificate.radius)


@pytest.mark.parametrize("n", [250, 2100])
def test_costs_along_a_path_are_separate_fits(n):
    """Working sets of a few hundred, so that stored values are carried from cost to cost."""
    X, y = two_classes(7, n)
    kernel, rows = Kernel("rbf", gamma=0.5), rows_of(X)
    options = SolverOptions(cache_bytes=1_000_000)
    costs = [0.1, 1.0, 3.0]
    along = solve_path(classes_problem(y, 1.0), kernel, rows, options, costs)
    K = twin.kernel("rbf", X, X, gamma=0.5)
    for cost, found in zip(costs, along, strict=True):
        alone = solve(classes_problem(y, cost), kernel, rows, options)
        assert twin.dual(K, y, found.coef) == pytest.approx(twin.dual(K, y, alone.coef), rel=1e-4)
        assert np.allclose(found.field, K @ found.coef, atol=1e-4)
        assert found.ending == "solved"
    assert along[1].iterations < alone.iterations * 2


def test_bounds_that_do_not_matter_change_nothing_along_a_path():
    X, y = two_classes(7, 250)
    again = solve_path(
        classes_problem(y, 1.0), Kernel("rbf", gamma=50.0), rows_of(X), SolverOptions(), [1e3, 1e4]
    )
    assert (again[0].alpha < 1e3).all()
    assert again[1].iterations == 0


def test_wrong_arrays_are_refused():
    K = np.eye(4)
    one = Learner(np.array([0, 9], np.int32), np.array([1.0, -1.0]), np.ones(2))
    with pytest.raises(ValueError, match="does not have"):
        solve_many(K, [one], SolverOptions())
    with pytest.raises(ValueError, match="as many columns"):
        solve_many(np.ones((3, 4)), [one], SolverOptions())


def test_digits_in_one_call_and_one_thread_alike():
    from sklearn.datasets import load_digits

    X, y = load_digits(return_X_y=True)
    models = [SVC(n_jobs=jobs).fit(X[:500] / 16, y[:500]) for jobs in (1, 2)]
    assert np.array_equal(models[0].dual_coef_, models[1].dual_coef_)
    assert np.array_equal(models[0].intercept_, models[1].intercept_)
