"""SVR: scikit-learn's optimum and attributes, weights, kernels, clear words."""

import numpy as np
import pytest
import sklearn.svm
from scipy.sparse import csr_matrix
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics.pairwise import pairwise_kernels

from hedgerow import SVR


def numbers(n=150, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, d))
    return X, X[:, 0] ** 2 - X[:, 1] + 0.1 * rng.normal(size=n)


@pytest.mark.slow
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e3])
@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_same_as_scikit_learn(kernel, C):
    X, y = numbers(60 if C > 1 else 150)
    weight = np.random.default_rng(1).integers(1, 3, len(y)).astype(float)
    settings = {
        "kernel": kernel,
        "C": C,
        "gamma": 0.2,
        "coef0": 1.0,
        "degree": 2,
        "epsilon": 0.05,
        "tol": 1e-5,
    }
    ours, theirs = SVR(**settings).fit(X, y, weight), sklearn.svm.SVR(**settings).fit(X, y, weight)
    assert np.allclose(ours.predict(X), theirs.predict(X), atol=1e-3 if C <= 1 else 1e-2)
    assert ours.intercept_ == pytest.approx(theirs.intercept_, abs=1e-2)
    assert abs(len(ours.support_) - len(theirs.support_)) <= 4
    assert ours.certificate_.relative_gap < 1e-3


def test_attributes_and_kinds_of_rows():
    X, y = numbers()
    linear = SVR(kernel="linear").fit(X, y)
    assert np.allclose(X @ linear.coef_[0] + linear.intercept_, linear.predict(X))
    assert linear.dual_coef_.shape == (1, len(linear.support_)) == (1, linear.n_support_[0])
    assert np.allclose(SVR().fit(csr_matrix(X), y).predict(X), SVR().fit(X, y).predict(X), atol=2e-3)
    K = pairwise_kernels(X, metric="rbf", gamma=0.3)
    given = SVR(kernel="precomputed").fit(K, y)
    assert np.allclose(given.predict(K), SVR(gamma=0.3).fit(X, y).predict(X), atol=2e-3)
    assert np.array_equal(SVR(n_jobs=1).fit(X, y).predict(X), SVR(n_jobs=3).fit(X, y).predict(X))


def test_weight_zero_is_no_row():
    X, y = numbers()
    weight = np.r_[np.zeros(30), np.ones(120)]
    with_zeros, without = SVR(gamma=0.3).fit(X, y, weight), SVR(gamma=0.3).fit(X[30:], y[30:])
    assert np.allclose(with_zeros.predict(X), without.predict(X), atol=1e-8)
    assert with_zeros.support_.min() >= 30


def test_limits_and_words():
    X, y = numbers()
    with pytest.warns(ConvergenceWarning, match="max_iter=5"):
        SVR(max_iter=5).fit(X, y)
    with pytest.raises(ValueError, match="epsilon=-1"):
        SVR(epsilon=-1).fit(X, y)
    with pytest.raises(ValueError, match="C=0"):
        SVR(C=0).fit(X, y)
    assert np.allclose(SVR().fit(X, np.full(150, 4.0)).predict(X), 4.0)
