"""What users of scikit-learn's SVMs do with them besides."""

import numpy as np
import polars as pl
import pytest
from scipy.sparse import csr_array
from sklearn.exceptions import NotFittedError

from hedgerow import SVC, SVR, BaggingClassifier, LinearSVC, LinearSVR


def table(n=53):
    X = np.random.default_rng(2).normal(size=(n, 3))
    return X, (X[:, 0] > 0.1).astype(int)


def test_kernels_that_return_sparse():
    X, y = table()
    sparse = csr_array(np.where(np.abs(X) > 0.4, X, 0.0))
    model = SVC(kernel=lambda rows, others: rows @ others.T).fit(sparse, y)
    wanted = SVC(kernel="linear").fit(sparse, y)
    np.testing.assert_allclose(model.decision_function(sparse), wanted.decision_function(sparse), atol=1e-4)


@pytest.mark.parametrize("kind", [SVC, LinearSVC, SVR, LinearSVR])
def test_lazy_frames(kind):
    X, y = table()
    frame = pl.LazyFrame({name: X[:, j] for j, name in enumerate("abc")})
    model = kind().fit(frame, y)
    assert model.feature_names_in_.tolist() == list("abc")
    np.testing.assert_array_equal(model.predict(frame), kind().fit(X, y).predict(X))


def test_probability_set_after_the_fit():
    X, y = table()
    model = SVC().fit(X, y).set_params(probability=True)
    with pytest.raises(NotFittedError, match="set after the fit"):
        model.predict_proba(X)


def test_writing_into_coef_is_refused():
    X, y = table()
    model = SVC(kernel="linear").fit(X, y)
    with pytest.raises(ValueError, match="read-only"):
        model.coef_[0, 0] = 7.0
    with pytest.raises(AttributeError):
        model.coef_ = np.ones((1, 3))


def test_linear_machines_take_what_scikit_learn_takes():
    X, y = table()
    plain = LinearSVC(random_state=0).fit(X, y)  # whose intercept carries no penalty
    assert (LinearSVC(random_state=0, intercept_scaling=10.0, verbose=1).fit(X, y).coef_ == plain.coef_).all()


@pytest.mark.parametrize("kind", [SVC, LinearSVC])
def test_bags_of_machines_read_lists(kind):
    X, y = table()
    model = BaggingClassifier(kind(), 4, random_state=0).fit(X.tolist(), y.tolist())
    assert model.score(X.tolist(), y.tolist()) > 0.8


@pytest.mark.parametrize("kind", [SVC, LinearSVC, SVR, LinearSVR])
def test_rows_of_no_weight_or_less_are_dropped(kind):
    X, y = table()
    weight = np.where(np.arange(len(y)) % 5 == 0, -0.5, 1.0)
    some = weight > 0
    found, wanted = kind().fit(X, y, sample_weight=weight), kind().fit(X[some], y[some])
    np.testing.assert_allclose(found.predict(X), wanted.predict(X), atol=1e-6)
    with pytest.raises(ValueError, match="all samples have zero or negative weights"):
        kind().fit(X, y, sample_weight=-np.ones(len(y)))


@pytest.mark.parametrize("kind", [SVC, SVR])
def test_a_kernel_of_texts(kind):
    texts = ["a a b", "a", "b", "b b", "a b", "b a b"]
    counts = np.array([[text.count("a"), text.count("b")] for text in texts], float)
    y = np.array([1, 1, 0, 0, 1, 0])

    def alike(some, others):
        return np.array([[sum(s.count(c) * o.count(c) for c in "ab") for o in others] for s in some], float)

    model = kind(kernel=alike).fit(texts, y)
    np.testing.assert_allclose(model.predict(texts), kind(kernel="linear").fit(counts, y).predict(counts))
    with pytest.raises(ValueError, match="Expected 2D array"):
        kind(kernel=alike).fit(counts[:, 0], y)


def test_svr_without_a_cost():
    X, y = np.arange(7.0)[:, None], np.array([0.0, 1.0, 0.2, 2.0, 1.5, 3.0, 0.0])
    model = SVR(C=np.inf, epsilon=0.1).fit(X, y)
    assert np.abs(model.predict(X) - y).max() <= 0.1 + 1e-3
    np.testing.assert_allclose(model.predict(X), SVR(C=1e8, epsilon=0.1).fit(X, y).predict(X), atol=1e-3)
    with pytest.raises(ValueError, match="no function of this kernel was found"):
        SVR(C=np.inf, epsilon=0.1, kernel="linear").fit(X, y)
