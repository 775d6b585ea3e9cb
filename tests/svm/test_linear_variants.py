"""The l1 penalty and all classes at once: proved by their gap, and the same as scikit-learn's."""

import numpy as np
import pytest
import sklearn.svm
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from hedgerow import LinearSVC
from hedgerow.svm.crammer_singer import learn_crammer_singer
from hedgerow.svm.kernel_input import rows_of
from hedgerow.svm.linear import LinearSolverOptions
from hedgerow.svm.linear_l1 import l1_certificate, solve_l1, transpose

TIGHT = LinearSolverOptions(tol=1e-7, max_iter=5000)
VARIANTS = [{"penalty": "l1", "dual": False}, {"multi_class": "crammer_singer"}]


def _sample(seed, n_rows, n_columns, n_classes):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_columns)) * (rng.random((n_rows, n_columns)) < 0.7)
    codes = np.append(np.arange(n_classes), rng.integers(n_classes, size=n_rows - n_classes)).astype(np.int32)
    cost = rng.uniform(0.2, 2, n_rows) * (rng.random(n_rows) < 0.9)
    return X, codes, cost


@given(
    st.integers(0, 10_000),
    st.integers(4, 30),
    st.integers(1, 7),
    st.sampled_from([None, 1.0, 50.0]),
    st.booleans(),
)
def test_l1_proves_its_solution(seed, n_rows, n_columns, scaling, sparse):
    X, codes, cost = _sample(seed, n_rows, n_columns, 2)
    signs, rows = np.where(codes == 1, 1.0, -1.0), rows_of(csr_matrix(X) if sparse else X)
    found = solve_l1(transpose(rows, scaling), signs, cost, scaling, TIGHT)
    proof = l1_certificate(rows, signs, cost, scaling, found)
    assert proof.gap >= -1e-9
    assert proof.relative_gap < 1e-4
    excess = np.maximum(1 - signs * (X @ found.w + found.b), 0)  # the objective, written out
    penalty = np.abs(found.w).sum() + (abs(found.b) / scaling if scaling else 0.0)
    assert proof.primal == pytest.approx(penalty + cost @ excess**2)


@given(
    st.integers(0, 10_000),
    st.integers(5, 25),
    st.integers(1, 6),
    st.integers(2, 5),
    st.sampled_from([None, 1.0]),
    st.booleans(),
)
def test_crammer_singer_proves_its_solution(seed, n_rows, n_columns, n_classes, scaling, sparse):
    X, codes, cost = _sample(seed, n_rows, n_columns, n_classes)
    rows = rows_of(csr_matrix(X) if sparse else X)
    found = learn_crammer_singer(rows, codes, n_classes, cost, scaling, TIGHT)
    assert found.certificate.gap >= -1e-9
    assert found.certificate.relative_gap < 1e-3
    np.testing.assert_allclose(found.beta.sum(axis=1), 0, atol=1e-9)
    own = np.arange(n_classes) == codes[:, None]
    assert (found.beta <= np.where(own, cost[:, None], 0.0) + 1e-12).all()
    score = X @ found.coef.T + found.intercept  # the objective, written out
    slack = (score + ~own).max(axis=1) - score[own]
    half = 0.5 * ((found.coef**2).sum() + (found.intercept**2).sum())
    assert found.certificate.primal == pytest.approx(half + cost @ slack)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("more", [{}, {"fit_intercept": False}, {"intercept_scaling": 2.0}])
@pytest.mark.parametrize("n_classes", [2, 4])
def test_as_in_scikit_learn(variant, more, n_classes):
    X, codes, cost = _sample(3, 60, 5, n_classes)
    ours = LinearSVC(**variant, **more, tol=1e-8, max_iter=20_000, random_state=0).fit(X, codes, cost)
    theirs = sklearn.svm.LinearSVC(**variant, **more, tol=1e-8, max_iter=100_000, random_state=0)
    theirs.fit(X, codes, cost)
    assert ours.coef_.shape == theirs.coef_.shape
    np.testing.assert_allclose(ours.coef_, theirs.coef_, atol=2e-4)
    np.testing.assert_allclose(ours.intercept_, theirs.intercept_, atol=2e-4)


@pytest.mark.parametrize("variant", VARIANTS)
def test_saved_and_loaded(variant, tmp_path):
    from hedgerow import load, save

    X, codes, cost = _sample(4, 40, 5, 3)
    model = LinearSVC(**variant, random_state=0).fit(X, codes, cost)
    save(model, tmp_path / "model")
    again = load(tmp_path / "model")
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))
    assert len(again.certificate_.each) == len(model.certificate_.each)


def test_a_stronger_penalty_leaves_fewer_columns():
    X, codes, cost = _sample(5, 80, 9, 2)
    used = [
        np.count_nonzero(LinearSVC(penalty="l1", C=C, random_state=0).fit(X, codes, cost).coef_)
        for C in (1e-3, 0.05, 5.0)
    ]
    assert used[0] == 0
    assert used == sorted(used)
