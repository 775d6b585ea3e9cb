"""Columns brought to one scale, and the words when they are not."""

import warnings

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from hedgerow.svm.scale import ScaleWarning, scale_of, uneven, warn_if_uneven


def table(n=41, seed=0):
    return np.random.default_rng(seed).normal(size=(n, 3)) * [1, 50, 1e-3] + [0, 7, 1]


def test_dense_columns_get_mean_0_and_deviation_1():
    X = table()
    scale = scale_of(X)
    Z = scale.apply(X)
    np.testing.assert_allclose(Z.mean(0), 0, atol=1e-9)
    np.testing.assert_allclose(Z.std(0), 1, rtol=1e-9)
    np.testing.assert_allclose(scale.undo(Z), X)


def test_sparse_columns_are_divided_only():
    X = np.where(np.abs(table()) > 1, table(), 0.0)
    scale = scale_of(csr_matrix(X))
    assert scale.centre is None
    Z = scale.apply(csr_matrix(X)).toarray()
    np.testing.assert_array_equal(Z == 0, X == 0)
    np.testing.assert_allclose(scale.spread[:2], X.std(0)[:2])


def test_weights_are_repeated_rows():
    X = table()
    weight = np.arange(len(X)) % 3
    repeated = np.repeat(X, weight, axis=0)
    for ours, again in ((X, repeated), (csr_matrix(X), csr_matrix(repeated))):
        a, b = scale_of(ours, weight.astype(float)), scale_of(again)
        np.testing.assert_allclose(a.spread, b.spread, rtol=1e-6)


def test_coefficients_map_back():
    X = table()
    for matrix in (X, csr_matrix(X)):
        scale = scale_of(matrix)
        coef, intercept = np.array([[1.0, -2.0, 0.5], [0.1, 0.2, 0.3]]), np.array([0.3, -1.0])
        back = scale.back(coef, intercept)
        np.testing.assert_allclose(X @ back[0].T + back[1], scale.apply(matrix) @ coef.T + intercept)


def test_constant_and_huge_columns():
    X = np.column_stack([np.full(9, 3.3), np.linspace(-1e300, 1e300, 9), np.zeros(9)])
    Z = scale_of(X).apply(X)
    assert np.isfinite(Z).all()
    np.testing.assert_allclose(Z[:, [0, 2]], 0, atol=1e-9)


def test_warning_names_columns_ratio_and_the_way_out():
    X = table() * [1, 1, 1e-4]
    words = uneven(X, ["height", "income", "rate"])
    assert "'income'" in words
    assert "'rate'" in words
    assert "standardize=True" in words
    assert "factor of" in words
    with pytest.warns(ScaleWarning, match="column 1"):
        warn_if_uneven(X)
    with pytest.warns(ScaleWarning):
        warn_if_uneven(csr_matrix(X))


def test_no_warning_where_there_is_no_need():
    rare = np.zeros((5000, 2))
    rare[::2500, 0] = 1.0  # a rare flag beside a common one
    rare[::2, 1] = 1.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for X in (np.random.default_rng(0).normal(size=(50, 3)), rare, np.ones((7, 2)), np.zeros((1, 3))):
            warn_if_uneven(X)
            warn_if_uneven(csr_matrix(X))
