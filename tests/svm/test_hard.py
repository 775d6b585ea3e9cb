"""The hard margin, and proofs that there is none: checked with whole numbers and fractions."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.svm.samples import seeds

from hedgerow import SVC
from hedgerow.svm.hard import NotSeparable


def prove(X, y, error):
    """The weighted rows of the two classes are one point: exact weights found by elimination over fractions."""
    rows = error.rows
    assert len(set(rows)) == len(rows)
    assert {y[r] for r in rows} == set(y)
    signs = [1 if y[r] == max(y) else -1 for r in rows]
    for sign in (1, -1):
        assert sum(w for w, s in zip(error.weights, signs, strict=True) if s == sign) == pytest.approx(1.0)
    point = sum(w * s * X[r] for w, s, r in zip(error.weights, signs, rows, strict=True))
    assert np.abs(point).max() <= 1e-6 * np.abs(X).max()


def exact_weights(X, y, rows):
    """Solve sum w s x = 0, sum w of class + = 1 exactly; minimal proofs have one solution. None if there is none."""
    signs = [1 if y[r] == max(y) else -1 for r in rows]
    table = [
        [Fraction(int(X[r][k])) * s for r, s in zip(rows, signs, strict=True)] + [Fraction(0)]
        for k in range(X.shape[1])
    ]
    table.append([Fraction(int(s > 0)) for s in signs] + [Fraction(1)])
    table.append([Fraction(int(s < 0)) for s in signs] + [Fraction(1)])
    pivot = 0
    for column in range(len(rows)):
        found = next((r for r in range(pivot, len(table)) if table[r][column] != 0), None)
        if found is None:
            return None
        table[pivot], table[found] = table[found], table[pivot]
        table[pivot] = [value / table[pivot][column] for value in table[pivot]]
        for r in range(len(table)):
            if r != pivot and table[r][column] != 0:
                table[r] = [a - table[r][column] * b for a, b in zip(table[r], table[pivot], strict=True)]
        pivot += 1
    if any(row[-1] != 0 for row in table[pivot:]):
        return None
    return [row[-1] for row in table[:pivot]]


def test_square_of_exclusive_or():
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), np.array([0, 0, 1, 1])
    with pytest.raises(NotSeparable, match="4 rows prove it") as error:
        SVC(C=np.inf, kernel="linear").fit(X, y)
    assert sorted(error.value.rows) == [0, 1, 2, 3]
    assert error.value.weights == pytest.approx([0.5] * 4)
    assert SVC(C=np.inf, kernel="poly", degree=2, coef0=1).fit(X, y).score(X, y) == 1.0
    assert SVC(C=np.inf).fit(X, y).score(X, y) == 1.0


@settings(max_examples=30)
@given(seed=seeds, n=st.integers(6, 60), d=st.integers(1, 4))
def test_whole_numbers(seed, n, d):
    """Either a boundary without error and its margin, or a proof that fractions confirm."""
    rng = np.random.default_rng(seed)
    X = rng.integers(-9, 10, (n, d))
    y = np.where(X @ rng.integers(-3, 4, d) + rng.integers(-2, 3) + rng.integers(-4, 5, n) > 0, 1, 0)
    y[:2] = [0, 1]
    proof = None
    try:
        model = SVC(C=np.inf, kernel="linear").fit(X, y)
    except NotSeparable as error:
        proof = error
    if proof is None:
        assert model.score(X, y) == 1.0
        assert (np.where(y == 1, 1, -1) * model.decision_function(X)).min() >= 1 - 2e-3
        assert model.certificate_.gap <= 0.01 * model.certificate_.primal
        return
    prove(X.astype(float), y, proof)
    assert len(proof.rows) <= d + 2
    exact = exact_weights(X, y, proof.rows)
    assert exact is not None
    assert all(w > 0 for w in exact)


@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
def test_equal_rows_of_different_classes(make):
    X = np.random.default_rng(0).normal(size=(9, 3))
    X[7] = X[2]
    with pytest.raises(NotSeparable, match="rows 2 and 7 are the same") as error:
        SVC(C=np.inf).fit(make(X), [0, 1, 0, 1, 0, 1, 0, 1, 0])
    assert error.value.rows == [2, 7]


def test_known_margin():
    X = np.array([[0.0, 0.0], [0.0, 4.0], [3.0, 1.0], [5.0, 2.0]])
    model = SVC(C=np.inf, kernel="linear", tol=1e-6).fit(X, [0, 0, 1, 1])
    assert model.certificate_.margin_width == pytest.approx(3.0, rel=1e-5)
    assert model.coef_ == pytest.approx(np.array([[2 / 3, 0.0]]), abs=1e-5)
    assert model.certificate_.margin_bound(0.05) > 0


def test_kernel_given_as_a_matrix():
    X, y = np.array([[0, 0], [1, 1], [0, 1], [1, 0]]), np.array([0, 0, 1, 1])
    with pytest.raises(NotSeparable):
        SVC(C=np.inf, kernel="precomputed").fit(X @ X.T, y)
    assert SVC(C=np.inf, kernel="precomputed").fit((X @ X.T + 1) ** 2, y).n_support_.sum() == 4
