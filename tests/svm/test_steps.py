"""Every step of the solver: its twin's, its objectives by their formulas, and it ends where the fit does."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.twins import svm as twin

from hedgerow import SVC, SVR
from hedgerow.core import native


def rows(n, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    return X, X[:, 0] - X[:, 1] + 0.7 * rng.normal(size=n)


@given(st.integers(0, 10_000), st.integers(2, 40))
def test_steps_are_the_twins(seed, n):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 3))
    y = np.where(np.arange(n) % 3 == 0, 1.0, -1.0)
    K, high = twin.kernel("rbf", X, X, 0.4), np.where(y > 0, 1.5, 0.0)
    pairs, numbers = native.svm_trace_steps(K, y, high - 1.5, high, 1e-3, 1000)
    wanted = twin.smo_steps(K, y, high - 1.5, high, 1e-3)
    few = min(len(pairs), len(wanted), 10)  # later ones may differ by a tie in the last digit
    assert [(i, j) for i, j, _ in wanted[:few]] == [tuple(pair) for pair in pairs[:few].tolist()]
    assert np.allclose([by for *_, by in wanted[:few]], numbers[:few, 0])
    b = np.zeros(n)
    for (i, j), by in zip(pairs, numbers[:, 0], strict=True):
        b[i] += by
        b[j] -= by
    assert numbers[-1, 2] == pytest.approx(twin.dual(K, y, b))


@pytest.mark.parametrize("machine", [SVC(C=2.0), SVC(C=0.3, kernel="linear"), SVR(epsilon=0.2)])
def test_they_end_where_the_fit_does(machine):
    X, f = rows(90)
    y = f if isinstance(machine, SVR) else (f > 0).astype(int)
    model = machine.fit(X, y)
    found, certificate = model.trace_steps(X, y), model.certificate_.each[0]
    assert found.dual[-1] == pytest.approx(certificate.dual)
    assert found.primal[-1] == pytest.approx(certificate.primal)
    assert (np.diff(found.dual) >= -1e-9).all()
    assert (found.primal >= found.dual - 1e-9).all()
    assert found.violation[-1] <= 1e-9
    coef = np.zeros(90)
    np.add.at(coef, found.rises, found.change)
    np.add.at(coef, found.falls, -found.change)
    assert np.allclose(coef[model.support_], model.dual_coef_.ravel(), atol=1e-6)


def test_as_many_as_the_fit_took():
    X, f = rows(150)
    model = SVC(C=2.0).fit(X, f > 0)
    assert len(model.trace_steps(X, f > 0)) == pytest.approx(model.certificate_.each[0].iterations, abs=2)


def test_of_pairs_weights_and_kernels_of_the_caller():
    X, f = rows(70)
    y = np.digitize(f, [-0.5, 0.5])
    weight = np.arange(70) % 4 * 1.0
    model = SVC().fit(X, y, weight)
    found = model.trace_steps(X, y, machine=1, sample_weight=weight)
    assert found.name == " on 0 against 2"
    assert set(y[found.rises]) | set(y[found.falls]) == {0, 2}
    assert (weight[found.rises] > 0).all()
    assert found.dual[-1] == pytest.approx(model.certificate_.each[1].dual)
    inner = SVC(kernel=lambda A, B: A @ B.T).fit(X, f > 0)
    linear = SVC(kernel="linear").fit(X, f > 0)
    assert inner.trace_steps(X, f > 0).dual[-1] == pytest.approx(linear.certificate_.each[0].dual, rel=1e-6)
    gram = SVC(kernel="precomputed").fit(X @ X.T, f > 0)
    assert gram.trace_steps(X @ X.T, f > 0).dual[-1] == pytest.approx(
        linear.certificate_.each[0].dual, rel=1e-6
    )


def test_they_print_draw_and_turn_into_a_dict():
    X, f = rows(60)
    found = SVC().fit(X, f > 0).trace_steps(X, f > 0)
    assert "steps of the solver" in str(found)
    assert "are left out; to_dict() has all" in str(found)
    assert len(json.loads(json.dumps(found.to_dict()))["dual"]) == len(found)
    ax = found.draw()
    assert [line.get_label() for line in ax.lines] == ["primal", "dual"]


def test_what_cannot_be_traced_is_said():
    X, f = rows(30)
    apart = np.r_[X[:15] + 9, X[15:] - 9]
    y = np.repeat([1, 0], 15)
    with pytest.raises(ValueError, match="Trace the steps of a large C"):
        SVC(kernel="linear", C=np.inf).fit(apart, y).trace_steps(apart, y)
    with pytest.raises(ValueError, match="fitted on 30"):
        SVC().fit(X, f > 0).trace_steps(X[:7], f[:7] > 0)
