"""Shares of the classes agree with the prediction, always; and they are calibrated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy.sparse import csr_matrix

from hedgerow import SVC, LinearSVC
from hedgerow.svm.calibrator import Calibrator, fit_calibrator
from hedgerow.svm.folds import hash_rows

FINITE = st.floats(-1e6, 1e6)


def blobs(n=200, k=2, seed=0, apart=1.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, size=n)
    return rng.normal(size=(n, 3)) + apart * rng.normal(size=(k, 3))[y], y


@settings(max_examples=150, deadline=None)
@given(
    scores=arrays(float, st.integers(1, 20), elements=FINITE),
    below=st.floats(1e-6, 1e6),
    above=st.floats(1e-6, 1e6),
)
def test_two_classes_agree_and_rise(scores, below, above):
    predicted = (scores > 0).astype(np.int64)
    shares = Calibrator(below, above).probabilities(scores, predicted)
    assert (np.argmax(shares, axis=1) == predicted).all()
    assert ((shares[:, 1] > shares[:, 0]) == (scores > 0)).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    order = np.argsort(scores, kind="stable")
    assert (np.diff(shares[order, 1]) >= -1e-15).all()
    assert Calibrator(below, above).probabilities(np.zeros(1), np.zeros(1, np.int64))[0, 1] == pytest.approx(
        0.5
    )


@settings(max_examples=150, deadline=None)
@given(scores=arrays(float, st.tuples(st.integers(1, 9), st.integers(3, 5)), elements=FINITE), data=st.data())
def test_more_classes_agree_even_with_ties(scores, data):
    best = np.argmax(scores, axis=1)
    other = data.draw(st.integers(0, scores.shape[1] - 1))
    for predicted in (best, np.full(len(scores), other)):
        shares = Calibrator(0.7, 0.7).probabilities(scores, predicted)
        assert (np.argmax(shares, axis=1) == predicted).all()
        np.testing.assert_allclose(shares.sum(axis=1), 1)


MODELS = [
    LinearSVC(probability=True),
    LinearSVC(probability=True, loss="hinge", standardize=True, class_weight="balanced"),
    SVC(probability=True),
    SVC(probability=True, multi_class="ovr", kernel="poly", coef0=1.0),
    SVC(probability=True, decision_function_shape="ovo", break_ties=False),
]


@pytest.mark.parametrize("model", MODELS, ids=str)
@pytest.mark.parametrize("k", [2, 4])
def test_estimators_agree_with_predict(model, k):
    X, y = blobs(k=k)
    names = np.array(["ash", "beech", "elm", "oak"])[y]
    new = np.random.default_rng(5).normal(size=(500, 3)) * 3
    model.fit(X, names)
    shares = model.predict_proba(new)
    assert shares.shape == (500, k)
    assert (model.classes_[np.argmax(shares, axis=1)] == model.predict(new)).all()
    assert (model.predict_proba(new) == shares).all()
    np.testing.assert_allclose(np.exp(model.predict_log_proba(new)), shares)


def test_precomputed_kernel():
    X, y = blobs()
    model = SVC(kernel="precomputed", probability=True).fit(X @ X.T, y)
    same = SVC(kernel="linear", probability=True).fit(X, y)
    shares = model.predict_proba(X @ X.T)
    np.testing.assert_allclose(
        shares, same.predict_proba(X), atol=0.05
    )  # rows are dealt into folds otherwise
    assert (np.argmax(shares, axis=1) == model.predict(X @ X.T)).all()


@pytest.mark.slow
def test_shares_are_calibrated():
    """Log-odds that are a line: its slope is found."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=20_000) * 2
    codes = (rng.random(20_000) < 1 / (1 + np.exp(-1.7 * scores))).astype(np.int32)
    calibrator = fit_calibrator(scores, codes, np.ones(20_000))
    assert calibrator.below == pytest.approx(1.7, rel=0.06)
    assert calibrator.above == pytest.approx(1.7, rel=0.06)
    table = rng.normal(size=(20_000, 3))
    chance = np.exp(1.3 * table) / np.exp(1.3 * table).sum(1, keepdims=True)
    codes = (rng.random((20_000, 1)) > chance.cumsum(1)).sum(1).astype(np.int32)
    assert fit_calibrator(table, codes, np.ones(20_000)).above == pytest.approx(1.3, rel=0.06)
    wrong = fit_calibrator(scores, (scores < 0).astype(np.int32), np.ones(20_000))
    assert wrong.below > 0  # the map rises, whatever the rows say
    assert wrong.above > 0


def test_held_out_shares_beat_those_of_a_coin():
    X, y = blobs(n=1200)
    model = LinearSVC(probability=True).fit(X[:600], y[:600])
    share = model.predict_proba(X[600:])[np.arange(600), y[600:]]
    assert -np.log(share).mean() < 0.6


def test_asked_for_only():
    X, y = blobs(n=30)
    with pytest.raises(AttributeError, match="predict_proba"):
        LinearSVC().fit(X, y).predict_proba(X)
    assert not hasattr(SVC(), "predict_proba")


@pytest.mark.parametrize("model", [LinearSVC(probability=True), SVC(probability=True)], ids=["linear", "rbf"])
def test_a_class_of_one_row_is_always_learned_from(model):
    X, _ = blobs(n=30)
    shares = model.fit(X, np.where(np.arange(30) == 3, "b", "a")).predict_proba(X)
    assert (model.classes_[np.argmax(shares, axis=1)] == model.predict(X)).all()
    pair = model.fit(X[:2], ["a", "b"])
    assert list(pair.classes_[np.argmax(pair.predict_proba(X[:2]), axis=1)]) == ["a", "b"]


@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
@pytest.mark.parametrize(
    "model", [LinearSVC(probability=True), SVC(probability=True, tol=1e-9)], ids=["linear", "rbf"]
)
def test_weights_are_repeated_rows(model, make):
    X, y = blobs(n=60, k=3)
    weight = np.random.default_rng(3).integers(0, 4, 60)
    weighted = model.fit(make(X), y, weight).predict_proba(make(X))
    order = np.random.default_rng(4).permutation(weight.sum())
    again = model.fit(make(X.repeat(weight, axis=0)[order]), y.repeat(weight)[order]).predict_proba(make(X))
    np.testing.assert_allclose(weighted, again, atol=1e-6)


@given(seed=st.integers(0, 1000))
def test_equal_rows_have_equal_keys_dense_or_sparse(seed):
    rng = np.random.default_rng(seed)
    X = rng.integers(-2, 3, size=(40, 3)).astype(float) * rng.choice([1.0, -0.0, 0.5], size=(40, 1))
    keys = hash_rows(X)
    assert np.array_equal(keys, hash_rows(csr_matrix(X)))
    assert len(np.unique(keys)) == len(np.unique(X + 0.0, axis=0))
    assert np.array_equal(keys[::-3], hash_rows(X[::-3]))
