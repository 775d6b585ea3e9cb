"""Calibrated probabilities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.special import expit, log_softmax, logit
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from hedgerow.decision import fit_calibrator
from hedgerow.decision.calibrator import FLOORS, _derivatives, _derivatives_of_one_slope
from hedgerow.decision.isotonic import pool_blocks


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
    n_slopes = n_classes if found.form == "beta" else 1
    usual = np.append(np.ones(n_slopes), np.zeros(n_classes))

    def objective(theta):
        log_p = log_softmax(theta[:n_slopes] * scores + theta[n_slopes:], axis=1)
        truth = np.where(np.arange(n_classes) == codes[:, None], 1 - 1 / 62, 1 / 62 / (n_classes - 1))
        return -weight @ (truth * log_p).sum(axis=1) + 0.5 * np.sum((theta - usual) ** 2)

    intercept = (None, None) if found.form in ("platt", "beta") else (0.0, 0.0)
    slope = (1.0, 1.0) if found.form == "as it is" else (1e-3, None)
    best = minimize(objective, usual, bounds=[slope] * n_slopes + [intercept] * n_classes).fun
    assert objective(np.append(found.slope[:n_slopes], found.intercept)) <= best + 1e-4
    assert found.floor in FLOORS


@pytest.mark.parametrize("n", [40, 150, 3_000])
@pytest.mark.parametrize("is_proba", [True, False])
def test_rows_that_are_all_right_allow_no_certainty(n, is_proba):
    """One question decides: of n rows none is wrong, which says little of the thousandth."""
    codes = (np.arange(n) % 3 == 0).astype(np.int64)
    given = (
        np.column_stack([1.0 - codes, codes])
        if is_proba
        else np.column_stack([1.0 - 2 * codes, 2.0 * codes - 1])
    )
    proba = fit_calibrator(given, codes, np.ones(n), is_proba=is_proba).calibrate(given)
    surest = 1 - proba.max()
    assert 0.2 / n < surest < 5 / n


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


MADE = {  # what a model says where the truth is `share`
    "as it is": lambda share: share,
    "temperature": lambda share: expit(3 * logit(share)),
    "platt": lambda share: expit(logit(share) + 2),
    "beta": lambda share: share**0.25,
    "isotonic": lambda share: np.where(share < 0.5, share / 5, 0.5 + share / 2.5),
}


@pytest.mark.parametrize("form", MADE)
def test_the_form_is_chosen_by_rows_left_out(form):
    """Calibrated probabilities stay, certainty that is too large is scaled, other shares of the classes are moved, what
    is wrong on one side is bent there, and a jump is followed."""
    share = np.repeat(np.arange(1, 20) / 20, 120)
    codes = np.concatenate([np.arange(120) % 20 < k for k in range(1, 20)]).astype(np.int64)
    second = MADE[form](share)
    proba = np.column_stack([1 - second, second])
    found = fit_calibrator(proba, codes, np.ones(len(codes)), is_proba=True)
    assert found.form == form
    assert np.abs(found.calibrate(proba)[:, 1] - share).max() < 0.02
    again = fit_calibrator(proba[::2], codes[::2], np.ones(len(codes[::2])), is_proba=True, start=found)
    assert again.form == form  # folds keep the form


@pytest.mark.parametrize("seed", range(3))
def test_blocks_are_those_of_isotonic_regression(seed):
    random = np.random.default_rng(seed)
    values, weight = random.normal(size=70).round(1) + np.linspace(0, 2, 70), random.uniform(0.5, 2, 70)
    block = pool_blocks(values, weight)
    means = np.bincount(block, weight * values) / np.bincount(block, weight)
    assert np.allclose(means[block], isotonic_regression(values, sample_weight=weight))


def test_isotonic_rises_keeps_the_order_and_turns_with_the_classes():
    random = np.random.default_rng(5)
    score = random.normal(size=900)
    codes = (random.random(900) < np.where(score > 0, 0.8, 0.1)).astype(np.int64)
    given = np.column_stack([-score, score])
    found = fit_calibrator(given, codes, np.ones(900), is_proba=False)
    assert found.form == "isotonic"
    mine = found.calibrate(given)
    order = np.argsort(score)
    assert (np.diff(mine[order, 1]) >= 0).all()
    assert len(np.unique(mine[:, 1].round(12))) > 800  # lines, no steps
    assert mine.min() > 0
    assert mine.max() < 1
    turned = found.reorder(np.array([1, 0])).calibrate(given[:, ::-1])
    assert np.allclose(turned[:, ::-1], mine)
    one = np.concatenate([mine[score > 0.3, 1], 0.7 + mine[score < -0.3, 1]])
    assert np.abs(one - 0.8).mean() < 0.05


def test_of_many_classes_one_slope_is_learned():
    """Thousands of intercepts from a few rows each would be noise, and take minutes."""
    random = np.random.default_rng(6)
    codes = random.integers(0, 130, 700)
    given = random.dirichlet(np.ones(130), 700)
    given[np.arange(700), codes] += 0.3
    given /= given.sum(axis=1, keepdims=True)
    for form in (None, "platt"):
        found = fit_calibrator(given, codes, np.ones(700), is_proba=True, form=form)
        assert found.form == "temperature"
        proba = found.calibrate(given)[np.arange(700), codes]
        assert np.log(proba).mean() > np.log(given[np.arange(700), codes]).mean()


def test_one_slope_has_the_derivatives_of_all_slopes_added():
    random = np.random.default_rng(7)
    proba = random.dirichlet(np.ones(4), 30).T
    scores, truth, weight = random.normal(size=(4, 30)), random.random((4, 30)), random.uniform(0.5, 2, 30)
    truth = truth / truth.sum(axis=0) * weight
    gradient, hessian = _derivatives(proba, scores, truth, weight)
    one = _derivatives_of_one_slope(proba, scores, truth, weight)
    assert one[0] == pytest.approx(gradient[:4].sum())
    assert one[1] == pytest.approx(hessian[:4, :4].sum())
