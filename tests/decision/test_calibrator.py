"""Calibrated probabilities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from hedgerow.decision import fit_calibrator
from hedgerow.decision.calibrator import FLOORS


def _binary(n=900, seed=0, slope=3.0, share=-2.0):
    """Scores whose true log-odds are a line of them."""
    random = np.random.default_rng(seed)
    score = random.normal(size=n)
    codes = (random.random(n) < expit(slope * score + share)).astype(np.int64)
    return score, codes


def test_two_classes_are_platt_s_sigmoid():
    score, codes = _binary()
    found = fit_calibrator(np.column_stack([-score, score]), codes, np.ones(len(codes)), is_proba=False)
    theirs = LogisticRegression(C=1e6, tol=1e-10).fit(score[:, None], codes)
    mine = found.calibrate(np.column_stack([-score, score]))
    assert found.floor == 0
    assert np.abs(mine[:, 1] - theirs.predict_proba(score[:, None])[:, 1]).max() < 0.02
    assert np.allclose(mine.sum(axis=1), 1)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**31), st.integers(2, 5))
def test_the_problem_is_solved(seed, n_classes):
    """Against a general optimizer."""
    random = np.random.default_rng(seed)
    proba = random.dirichlet(np.ones(n_classes), size=60)
    codes = np.array([random.choice(n_classes, p=row**2 / (row**2).sum()) for row in proba])
    weight = random.uniform(0.5, 2, size=60)
    weight /= weight.mean()
    found = fit_calibrator(proba, codes, weight, is_proba=True)
    scores = np.log((proba + found.floor) / (1 + n_classes * found.floor))
    usual = np.append(1.0, np.zeros(n_classes))

    def objective(theta):
        log_p = log_softmax(theta[0] * scores + theta[1:], axis=1)
        return -weight @ log_p[np.arange(60), codes] + 0.5 * np.sum((theta - usual) ** 2)

    intercept = (None, None) if any(found.intercept) else (0.0, 0.0)  # temperature: the slope alone
    slope = (1.0, 1.0) if found.slope == 1.0 and not any(found.intercept) else (1e-3, None)
    best = minimize(objective, usual, bounds=[slope] + [intercept] * n_classes).fun
    assert objective(np.append(found.slope, found.intercept)) <= best + 1e-4
    assert found.floor in FLOORS


def test_order_is_kept_and_certainty_is_not_believed():
    score, codes = _binary(seed=1)
    sure = np.where(score > np.quantile(score, 0.8), 1.0, np.where(score < 0, 0.0, expit(4 * score)))
    proba = np.column_stack([1 - sure, sure])
    mine = fit_calibrator(proba, codes, np.ones(len(codes)), is_proba=True).calibrate(proba)
    assert roc_auc_score(codes, mine[:, 1]) == pytest.approx(roc_auc_score(codes, sure), abs=1e-12)
    assert mine.min() > 0
    assert mine.max() < 1
    loss = -np.log(mine[np.arange(len(codes)), codes]).mean()
    share = codes.mean()
    assert loss < -(share * np.log(share) + (1 - share) * np.log(1 - share))


def test_a_class_that_a_fold_lacks_and_a_reordering():
    random = np.random.default_rng(4)
    decision = random.normal(size=(80, 3))
    codes = decision.argmax(axis=1)
    decision[:20, 2] = np.finfo(float).min
    found = fit_calibrator(decision, codes, np.ones(80), is_proba=False)
    mine = found.calibrate(decision)
    assert np.isfinite(mine).all()
    order = np.array([2, 0, 1])
    assert np.allclose(found.reorder(order).calibrate(decision[:, order]), mine[:, order])


def test_more_weight_is_more_rows():
    score, codes = _binary(n=300, seed=7)
    given = np.column_stack([-score, score])
    weight = np.where(np.arange(300) < 100, 2.0, 1.0)
    twice = np.append(np.arange(300), np.arange(100))
    one = fit_calibrator(given, codes, weight, is_proba=False)
    two = fit_calibrator(given[twice], codes[twice], np.ones(400), is_proba=False)
    assert np.allclose(one.calibrate(given), two.calibrate(given), atol=0.01)


@pytest.mark.parametrize(
    ("slope", "shift", "has_intercept", "is_as_given"),
    [(1.0, 0.0, False, True), (3.0, 0.0, False, False), (1.0, 2.0, True, False)],
)
def test_the_form_is_chosen_by_rows_left_out(slope, shift, has_intercept, is_as_given):
    """Calibrated probabilities stay, certainty that is too large is scaled, other shares of the classes are moved."""
    share = np.repeat(np.arange(1, 20) / 20, 120)
    codes = np.concatenate([np.arange(120) % 20 < k for k in range(1, 20)]).astype(np.int64)
    second = expit(slope * np.log(share / (1 - share)) + shift)
    proba = np.column_stack([1 - second, second])
    found = fit_calibrator(proba, codes, np.ones(len(codes)), is_proba=True)
    assert any(found.intercept) == has_intercept
    assert (found.slope == 1.0) == is_as_given
    assert np.abs(found.calibrate(proba)[:, 1] - share).max() < 0.02
    again = fit_calibrator(proba[::2], codes[::2], np.ones(len(codes[::2])), is_proba=True, start=found)
    assert any(again.intercept) == has_intercept  # folds keep the form
