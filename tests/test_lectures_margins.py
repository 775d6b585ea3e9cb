"""Lecture 004's identities: explicit features, primal = dual, margin, intercept from free support vectors, slack."""

import numpy as np
import pytest

from hedgerow import SVC, LinearSVC
from hedgerow.svm.certificate import margin_bound
from hedgerow.svm.kernel import Kernel, kernel_matrix
from hedgerow.svm.kernel_input import rows_of


def rows(n=60, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    return X, np.where(X @ [1.0, -0.7] + 0.8 * rng.normal(size=n) > 0.2, 1, -1)


def features(X, c):
    """Of (x.z + c)^2: squares, the product, the columns, a constant."""
    a, b = X.T
    return np.stack(
        [a * a, b * b, np.sqrt(2) * a * b, np.sqrt(2 * c) * a, np.sqrt(2 * c) * b, np.full(len(X), c)], 1
    )


def test_quadratic_kernel_is_an_inner_product_of_explicit_features():
    X, y = rows()
    kernel = kernel_matrix(Kernel("poly", 1.0, 1.5, 2), rows_of(X), rows_of(X))
    np.testing.assert_allclose(kernel, features(X, 1.5) @ features(X, 1.5).T, rtol=1e-9, atol=1e-12)
    bent = SVC(kernel="poly", degree=2, gamma=1.0, coef0=1.5, tol=1e-8).fit(X, y)
    flat = LinearSVC(loss="hinge", tol=1e-10).fit(features(X, 1.5), y)
    np.testing.assert_allclose(bent.decision_function(X), flat.decision_function(features(X, 1.5)), atol=1e-4)
    assert bent.certificate_.primal == pytest.approx(flat.certificate_.primal, rel=1e-6)


@pytest.mark.parametrize(
    "model", [SVC(kernel="linear", tol=1e-8), LinearSVC(loss="hinge", tol=1e-10)], ids=["SVC", "LinearSVC"]
)
def test_primal_is_dual_and_the_margin_is_one_over_w(model):
    X, y = rows()
    model.fit(X, y)
    w, b = model.coef_[0], model.intercept_[0]
    slack = np.maximum(0, 1 - y * (X @ w + b))
    certificate = model.certificate_
    assert certificate.primal == pytest.approx(0.5 * w @ w + slack.sum(), rel=1e-6)
    assert certificate.dual == pytest.approx(certificate.primal, rel=1e-5)
    assert certificate.margin_width == pytest.approx(2 / np.linalg.norm(w), rel=1e-6)
    assert certificate.n_misclassified == (slack > 1).sum()  # slack above 1 is the wrong side


def test_support_vectors_and_the_intercept():
    X, y = rows()
    model = SVC(kernel="linear", tol=1e-9).fit(X, y)
    alpha = np.abs(model.dual_coef_[0])
    score = y * model.decision_function(X)
    outside = np.setdiff1d(np.arange(len(X)), model.support_)
    assert (score[outside] >= 1 - 1e-6).all()  # not a support vector: beyond the margin
    free = model.support_[alpha < 1 - 1e-9]
    np.testing.assert_allclose(score[free], 1, atol=1e-6)  # 0 < alpha < C: on the margin
    from_free = y[free] - X[free] @ model.coef_[0]
    np.testing.assert_allclose(from_free, model.intercept_[0], atol=1e-6)


def test_margin_bound():
    assert margin_bound(3.0, 0.5, 400, 0.05) == pytest.approx(
        np.sqrt(4 * 9 / 0.25 / 400) + np.sqrt(2 * np.log(2 / 0.05) / 400)
    )
