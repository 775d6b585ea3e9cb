"""Kernel values from the native core: their formulas, their symmetry, their sums, the same bits for any threads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.svm.samples import KERNELS, seeds, shape_of
from tests.twins import svm as twin

from hedgerow.svm.kernel import Kernel, diagonal, gram, kernel_dot, kernel_matrix
from hedgerow.svm.kernel_input import gram_rows, rows_of

each_kernel = pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: f"{k.name}{k.degree}")


@each_kernel
@given(seed=seeds, n=st.integers(1, 70), m=st.integers(1, 130), d=st.integers(1, 19))
def test_values_are_the_formula(kernel, seed, n, m, d):
    rng = np.random.default_rng(seed)
    X, Z = rng.normal(size=(n, d)), rng.normal(size=(m, d)) * (rng.random((m, d)) < 0.6)
    wanted = twin.kernel(kernel.name, X, Z, **shape_of(kernel))
    size = np.abs(wanted).max() + 1.0
    assert np.allclose(kernel_matrix(kernel, rows_of(X), rows_of(Z)), wanted, rtol=0, atol=1e-13 * size)
    sparse = kernel_matrix(kernel, rows_of(csr_matrix(X)), rows_of(csr_matrix(Z)))
    assert np.allclose(sparse, wanted, rtol=0, atol=1e-13 * size)


@given(
    seed=seeds,
    n=st.integers(1, 70),
    m=st.integers(1, 130),
    d=st.integers(1, 300),
    filled=st.sampled_from([0.0, 0.03, 0.15, 0.3, 1.0]),
)
def test_zeros_change_no_bit(seed, n, m, d, filled):
    """Of wide rows that are mostly zeros these are left out; the sums are the same."""
    rng = np.random.default_rng(seed)
    X, Z = (rng.normal(size=(k, d)) * (rng.random((k, d)) < filled) for k in (n, m))
    linear = Kernel("linear")
    assert np.array_equal(kernel_matrix(linear, rows_of(X), rows_of(Z)), twin.products_in_order(X, Z))
    narrow = X.astype(np.float32)
    products = gram(linear, rows_of(narrow), wide=False)
    assert np.array_equal(products, twin.products_in_order(narrow, narrow))


@each_kernel
@given(seed=seeds, n=st.integers(1, 200))
def test_matrix_of_rows_with_themselves(kernel, seed, n):
    X = np.random.default_rng(seed).normal(size=(n, 7))
    matrix = kernel_matrix(kernel, rows_of(X), rows_of(X))
    same = rows_of(X)
    assert np.array_equal(matrix, kernel_matrix(kernel, same, same))  # computed by halves
    assert np.array_equal(matrix, matrix.T)
    assert np.allclose(np.diagonal(matrix), diagonal(kernel, rows_of(X)), rtol=1e-12)
    if kernel.name != "sigmoid":
        assert np.linalg.eigvalsh(matrix).min() > -1e-10 * np.abs(matrix).max()


@each_kernel
@given(seed=seeds, n=st.integers(1, 70), outputs=st.integers(1, 5))
def test_sums(kernel, seed, n, outputs):
    rng = np.random.default_rng(seed)
    X, Z, coef = rng.normal(size=(n, 5)), rng.normal(size=(83, 5)), rng.normal(size=(n, outputs))
    coef[:, 0] *= rng.random(n) < 0.3
    wanted = twin.kernel(kernel.name, X, Z, **shape_of(kernel)).T @ coef
    size = np.abs(wanted).max() + 1.0
    assert np.allclose(kernel_dot(kernel, rows_of(X), coef, rows_of(Z)), wanted, rtol=0, atol=1e-12 * size)
    narrow = kernel_dot(kernel, rows_of(X), coef, rows_of(Z), wide=False)
    assert np.allclose(narrow, wanted, rtol=0, atol=2e-4 * size)


@each_kernel
@pytest.mark.parametrize("sparse", [False, True])
def test_threads_do_not_change_a_bit(kernel, sparse):
    rng = np.random.default_rng(5)
    X = rng.normal(size=(313, 9)) * (rng.random((313, 9)) < 0.5)
    rows, coef = rows_of(csr_matrix(X) if sparse else X), rng.normal(size=(313, 3))
    for wide in (True, False):
        answers = [kernel_dot(kernel, rows, coef, rows, threads=t, wide=wide) for t in (1, 2, 3, 8)]
        assert all(np.array_equal(answers[0], other) for other in answers[1:])


def test_rbf_of_rows_far_from_zero():
    X = np.random.default_rng(0).normal(size=(40, 3))
    kernel = Kernel("rbf", gamma=0.5)
    wanted = twin.kernel("rbf", X, X, gamma=0.5)
    moved = kernel_dot(kernel, rows_of(X + 1e6), np.eye(40), rows_of(X + 1e6))
    assert np.allclose(moved, wanted, atol=1e-8)


def test_rbf_at_its_ends():
    X = np.array([[0.0], [1e-8], [1.0], [30.0], [1e8]])
    matrix = kernel_matrix(Kernel("rbf", gamma=1.0), rows_of(X), rows_of(X))
    assert np.allclose(matrix, twin.kernel("rbf", X, X), atol=1e-12)
    assert np.isfinite(matrix).all()
    assert (np.diagonal(matrix) == 1.0).all()


def test_no_columns_and_empty_sparse_rows():
    kernel = Kernel("poly", gamma=1.0, coef0=2.0, degree=3)
    rows = rows_of(csr_matrix((4, 6)))
    assert np.allclose(kernel_matrix(kernel, rows, rows), 8.0)


def test_kernel_matrix_given():
    gram = np.arange(12.0).reshape(3, 4)
    sums = kernel_dot(Kernel("precomputed"), gram_rows(np.eye(4)), np.ones((4, 1)), gram_rows(gram))
    assert np.array_equal(sums[:, 0], gram.sum(axis=1))


def test_wrong_rows_are_refused():
    with pytest.raises(ValueError, match="same columns"):
        kernel_matrix(Kernel("rbf"), rows_of(np.ones((2, 3))), rows_of(np.ones((2, 4))))
    with pytest.raises(ValueError, match="is unknown"):
        kernel_matrix(Kernel("cosine"), rows_of(np.ones((2, 3))), rows_of(np.ones((2, 3))))


@pytest.mark.parametrize("as_rows", [np.asarray, csr_matrix])
def test_sums_of_mostly_zero_coefficients(as_rows):
    """Of many classes, a row has a coefficient in few pairs: the others are skipped. A few rows are summed
    in another way, with the same bits."""
    rng = np.random.default_rng(0)
    X, Z = rng.normal(size=(131, 3)), rng.normal(size=(79, 3))
    coef = rng.normal(size=(131, 70)) * (rng.random((131, 70)) < 0.05)
    found = kernel_dot(Kernel(gamma=0.3), rows_of(as_rows(X)), coef, rows_of(as_rows(Z)))
    assert np.allclose(found, twin.kernel("rbf", Z, X, gamma=0.3) @ coef, rtol=0, atol=1e-12)
    few = kernel_dot(Kernel(gamma=0.3), rows_of(as_rows(X)), coef, rows_of(as_rows(Z[:5])))
    assert np.array_equal(few, found[:5])


@pytest.mark.parametrize("columns", [1, 255, 256, 257, 700])
def test_a_product_is_one_sum_over_the_columns_in_order(columns):
    """However wide registers are and however rows are blocked: the bits of the plain loop."""
    rng = np.random.default_rng(columns)
    X, Z = rng.normal(size=(53, columns)), rng.normal(size=(67, columns))
    wanted = np.zeros((53, 67))
    for k in range(columns):
        wanted += X[:, k, None] * Z[:, k]
    assert np.array_equal(kernel_matrix(Kernel("linear"), rows_of(X), rows_of(Z)), wanted)
    assert np.array_equal(kernel_matrix(Kernel("linear"), rows_of(X[:5]), rows_of(Z)), wanted[:5])
