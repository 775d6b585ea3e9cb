"""Kernel matrices that are no inner products are found, explained, and never loop for ever."""

import numpy as np
import pytest
from tests.svm.samples import two_classes

from hedgerow import SVC, SVR, is_kernel
from hedgerow.svm.psd import MOST_ROWS, KernelWarning, explain


def test_words_only_below_zero():
    assert explain(0.0) is None
    assert explain(-1e-9) is None
    assert "not positive semidefinite" in (explain(-0.1) or "")


def test_sigmoid_says_so():
    X, y = two_classes(0, 120)
    with pytest.warns(KernelWarning, match="not positive semidefinite"):
        model = SVC(kernel="sigmoid", gamma=2.0, coef0=1.0, C=100).fit(X, y)
    assert "not positive semidefinite" in str(model.certificate_)


@pytest.mark.filterwarnings("error")
def test_inner_products_say_nothing():
    X, y = two_classes(0, 120)
    for kernel in ("linear", "poly", "rbf"):
        SVC(kernel=kernel, gamma=0.5, coef0=1.0).fit(X, y)


@pytest.mark.parametrize("C", [1e-3, 1.0, 1e4, np.inf])
def test_minus_identity_ends(C):
    _, y = two_classes(1, 40)
    if np.isinf(C):
        with pytest.raises(ValueError, match="C=inf"):
            SVC(C=C, kernel="precomputed").fit(-np.eye(40), y)
    else:
        with pytest.warns(KernelWarning):
            SVC(C=C, kernel="precomputed").fit(-np.eye(40), y)


@pytest.mark.filterwarnings("error")
def test_a_weight_of_nothing_but_rounding_says_nothing():
    """Labels that no plane tells apart: w is 0, and its squared length may come out as -1e-15."""
    X = np.random.default_rng(3).normal(size=(70, 3))
    y = np.random.default_rng(5).integers(0, 3, 70) > 0
    assert SVC(kernel="linear").fit(X, y).certificate_.curvature == 0
    assert SVC(kernel="precomputed").fit(X @ X.T, y).certificate_.curvature == 0


def with_eigenvalue(seed: int, n: int, value: float) -> np.ndarray:
    """A matrix with this smallest eigenvalue, all others well above zero."""
    rng = np.random.default_rng(seed)
    vectors = np.linalg.qr(rng.normal(size=(n, n)))[0]
    matrix = (vectors * np.append(value, rng.uniform(0.5, 3.0, n - 1))) @ vectors.T
    return (matrix + matrix.T) / 2


@pytest.mark.parametrize("seed", range(12))
def test_one_small_eigenvalue_below_zero_is_enough(seed):
    """The solver's own pairs need not meet it; the factorisation does."""
    K, y = with_eigenvalue(seed, 31, -0.01), np.arange(31) % 3 == seed % 3
    with pytest.warns(KernelWarning):
        model = SVC(kernel="precomputed").fit(K, y)
    assert "bounds nothing" in str(model.certificate_)
    with pytest.warns(KernelWarning):
        SVR(kernel="precomputed").fit(K, K[:, 0])


@pytest.mark.parametrize("value", [-0.3, -1e-4, 0.0, 0.2])
def test_is_kernel(value):
    K = with_eigenvalue(7, 23, value)
    found = is_kernel(K)
    assert bool(found) == (value >= 0)
    assert found.eigenvalue == pytest.approx(value, abs=1e-12)
    if value < 0:
        assert found.witness @ K @ found.witness == pytest.approx(value)
    with pytest.raises(ValueError, match="not symmetric"):
        is_kernel(K + np.triu(np.ones_like(K), 1))


@pytest.mark.slow
def test_of_many_rows_a_part_is_factorised():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(MOST_ROWS + 300, 3))
    with pytest.warns(KernelWarning):
        SVC(kernel="sigmoid", gamma=1.0, coef0=2.0).fit(X, X[:, 0] > 0)
