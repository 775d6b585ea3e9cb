"""The certificate says the truth: every number of it computed again, term by term, from kernel values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.svm.samples import KERNELS, costs, seeds, shape_of, two_classes
from tests.twins import svm as twin

from hedgerow.evaluation.bounds import margin_error
from hedgerow.svm import Kernel, SolverOptions, certificate, classes_problem, numbers_problem, rows_of, solve
from hedgerow.svm.certificate import margin_bound

PSD = [k for k in KERNELS if k.name != "sigmoid"]
each_kernel = pytest.mark.parametrize("kernel", PSD, ids=lambda k: f"{k.name}{k.degree}")


@pytest.mark.slow
@each_kernel
@settings(max_examples=12)
@given(seed=seeds, cost=costs, most=st.sampled_from([-1, 5, 40]))
def test_classes(kernel, seed, cost, most):
    X, y = two_classes(seed, 43)
    upper = cost * np.random.default_rng(seed).integers(1, 4, 43)
    problem = classes_problem(y, upper)
    found = solve(problem, kernel, rows_of(X), SolverOptions(max_iter=most))
    says = certificate(problem, found)
    K = twin.kernel(kernel.name, X, X, **shape_of(kernel))
    primal = twin.primal_classes(K, y, found.coef, -found.rho, upper)
    dual = twin.dual(K, y, found.coef)
    assert says.primal == pytest.approx(primal, rel=1e-9)
    assert says.dual == pytest.approx(dual, rel=1e-9, abs=1e-9)
    assert says.gap == pytest.approx(primal - dual, rel=1e-6, abs=1e-9 * primal)
    assert says.gap >= -1e-12 * primal
    best = twin.dual(K, y, twin.smo(K, y, problem.low, problem.high, tol=1e-3))
    assert best <= primal * (1 + 1e-9)  # weak duality: nothing reaches above
    assert says.dual >= best - says.gap - 1e-9
    score = K @ found.coef - found.rho
    assert says.norm**2 == pytest.approx(found.coef @ K @ found.coef, rel=1e-9, abs=1e-12)
    assert says.margin == (1 / says.norm if says.norm > 0 else np.inf)
    assert says.margin_width == 2 * says.margin
    assert says.n_support == (found.alpha > 0).sum()
    assert says.n_bounded == (found.alpha == upper).sum()
    assert says.n_free == says.n_support - says.n_bounded
    assert says.n_misclassified == (y * score <= 0).sum()
    assert says.ending == ("solved" if most < 0 or found.iterations < most else says.ending)
    if most < 0:
        assert says.violation <= 1e-3


@settings(max_examples=15)
@given(seed=seeds, cost=costs)
def test_numbers(seed, cost):
    X, _ = two_classes(seed, 31)
    target = X[:, 0] - X[:, 1] ** 2
    problem = numbers_problem(target, 0.1, cost)
    found = solve(problem, Kernel("rbf"), rows_of(X))
    says = certificate(problem, found)
    K = twin.kernel("rbf", X, X)
    primal = twin.primal_numbers(K, target, found.coef, -found.rho, 0.1, np.full(31, cost))
    assert says.primal == pytest.approx(primal, rel=1e-9)
    coef = found.coef
    assert says.dual == pytest.approx(target @ coef - 0.1 * found.alpha.sum() - 0.5 * coef @ K @ coef)
    assert says.n_misclassified is None


def test_bound_of_the_lecture():
    wanted = np.sqrt(4 * 4 / 0.25 / 400) + np.sqrt(2 * np.log(40) / 400)
    assert margin_bound(2.0, 0.5, 400, 0.05) == pytest.approx(wanted)
    assert margin_error(2.0, 0.5, 400, 0.95) == pytest.approx(wanted)
    assert margin_bound(2.0, 0.5, 100, 0.05) == margin_error(2.0, 0.5, 100, 0.95) == 1.0
    X, y = two_classes(1, 30)
    problem = classes_problem(y, 1.0)
    found = solve(problem, Kernel("rbf"), rows_of(X))
    says = certificate(problem, found, radius=1.0)
    assert says.margin_bound(0.1) == margin_bound(1.0, says.margin, 30, 0.1)
    with pytest.raises(ValueError, match="between 0 and 1"):
        says.margin_bound(1.0)
    with pytest.raises(ValueError, match="radius"):
        certificate(problem, found).margin_bound()


def test_it_prints_itself():
    X, y = two_classes(2, 30)
    problem = classes_problem(y, 1.0)
    says = certificate(problem, solve(problem, Kernel("rbf"), rows_of(X)))
    for words in (
        "primal objective",
        "dual objective",
        "gap",
        "KKT",
        "margin",
        "support vectors",
        "kernel rows",
    ):
        assert words in str(says)
    assert "<table>" in says._repr_html_()
    assert says.to_dict()["gap"] == says.gap
    assert says.to_dict()["margin"] == says.margin
