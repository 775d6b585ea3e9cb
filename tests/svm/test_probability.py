"""Shares of the classes agree with the prediction, always; and they are calibrated."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from hedgerow import SVC, LinearSVC
from hedgerow.svm.probability import Odds, odds_of

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
    shares = Odds(below, above).shares(scores, predicted)
    assert (np.argmax(shares, axis=1) == predicted).all()
    assert ((shares[:, 1] > shares[:, 0]) == (scores > 0)).all()
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    order = np.argsort(scores, kind="stable")
    assert (np.diff(shares[order, 1]) >= -1e-15).all()
    assert Odds(below, above).shares(np.zeros(1), np.zeros(1, np.int64))[0, 1] == pytest.approx(0.5)


@settings(max_examples=150, deadline=None)
@given(scores=arrays(float, st.tuples(st.integers(1, 9), st.integers(3, 5)), elements=FINITE), data=st.data())
def test_more_classes_agree_even_with_ties(scores, data):
    best = np.argmax(scores, axis=1)
    other = data.draw(st.integers(0, scores.shape[1] - 1))
    for predicted in (best, np.full(len(scores), other)):
        shares = Odds(0.7, 0.7).shares(scores, predicted)
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
    np.testing.assert_allclose(model.predict_proba(X @ X.T), same.predict_proba(X), atol=1e-3)


def test_shares_are_calibrated():
    """Log-odds that are a line: its slope is found."""
    rng = np.random.default_rng(1)
    scores = rng.normal(size=20_000) * 2
    codes = (rng.random(20_000) < 1 / (1 + np.exp(-1.7 * scores))).astype(np.int32)
    odds = odds_of(scores, codes, np.ones(20_000))
    assert odds.below == pytest.approx(1.7, rel=0.06)
    assert odds.above == pytest.approx(1.7, rel=0.06)
    table = rng.normal(size=(20_000, 3))
    chance = np.exp(1.3 * table) / np.exp(1.3 * table).sum(1, keepdims=True)
    codes = (rng.random((20_000, 1)) > chance.cumsum(1)).sum(1).astype(np.int32)
    assert odds_of(table, codes, np.ones(20_000)).above == pytest.approx(1.3, rel=0.06)
    wrong = odds_of(scores, (scores < 0).astype(np.int32), np.ones(20_000))
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
    with pytest.raises(ValueError, match=r"class 'b' has 1"):
        LinearSVC(probability=True).fit(X, np.where(np.arange(30) == 3, "b", "a"))
