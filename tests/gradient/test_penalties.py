"""Penalties on leaf values ease where rows follow a rule, and nowhere else."""

from dataclasses import replace

import numpy as np
import pytest

from hedgerow import HistGradientBoostingClassifier
from hedgerow.core import native
from hedgerow.gradient import BoostParams
from hedgerow.gradient import penalties as rule
from hedgerow.gradient.sums import round_limbs


def rows_of(noise, n=600):
    rng = np.random.default_rng(0)
    X = rng.integers(0, 4, (n, 3)).astype(float)
    y = (X[:, 0] > 1) ^ (X[:, 1] > 1)
    return X, y ^ (rng.random(n) < noise)


def fit(X, y):
    return HistGradientBoostingClassifier(max_iter=150, random_state=0).fit(X, y)


def test_a_rule_without_exception_is_learned_to_the_end():
    X, y = rows_of(noise=0.0)
    shares = fit(X, y).predict_proba(X)
    assert -np.log(shares[np.arange(len(y)), y.astype(int)]).mean() < 1e-4


@pytest.mark.parametrize(("n_outputs", "l2", "least"), [(1, 1.0, 1e-3), (3, 1.0, 0.02), (3, 0.0, 1e-3)])
def test_rounds_ease_by_the_number_of_outputs(n_outputs, l2, least):
    params = BoostParams(l2=l2, category_l2=8.0)
    penalties = rule.Penalties(params, None, n_outputs, n_rows=1000)
    begins = 1.0 if n_outputs == 1 else 3.0
    for left in (100.0, begins):
        assert penalties.ease(left, None) == replace(params, enough_hessian=np.inf if n_outputs == 1 else 1.0)
    for slope in (None, -0.1):
        eased = penalties.ease(begins / 2, slope)
        assert (eased.l2, eased.category_l2, eased.min_hessian) == (l2 / 4, 2.0, least)


def test_exceptions_are_guarded_by_the_hessian_of_a_leaf():
    penalties = rule.Penalties(BoostParams(l2=2.0), None, 3, n_rows=1000)
    params = penalties.ease(100.0, 0.5)
    assert params == BoostParams(l2=2.0, enough_hessian=1.0)
    assert penalties.ease(1.0, 0.5) == replace(params, min_hessian=1.0, min_rows=5, learning_rate=0.05)


@pytest.mark.parametrize("min_rows", [1, 30])
def test_a_least_leaf_that_is_given_holds(min_rows):
    params = BoostParams(l2=2.0, min_rows=min_rows)
    penalties = rule.Penalties(params, None, 3, n_rows=1000)
    assert penalties.ease(100.0, 0.5) == params
    assert penalties.ease(1.0, 0.5) == replace(params, min_hessian=1.0, learning_rate=0.05)


def test_rows_are_left_out_from_some_round_on():
    penalties = rule.Penalties(BoostParams(), None, 1, n_rows=1000, times_left_out=3.0)
    parts = [penalties.ease(left, None).own_part for left in (100.0, 31.0, 29.0, 40.0)]
    assert parts[:2] == [None, None]
    assert [part.times for part in parts[2:]] == [3.0, 3.0]  # once begun, all later trees are counted


def test_a_noisy_table_keeps_its_penalty(monkeypatch):
    X, y = rows_of(noise=0.2)
    before = fit(X, y).predict_proba(X)
    monkeypatch.setattr(rule, "ONE_OUTPUT", rule.Easing(below=0.0, least_hessian=0.0, guarded_step=1.0))
    np.testing.assert_array_equal(fit(X, y).predict_proba(X), before)


def test_warm_starts_ease_as_one_fit_does():
    X, y = rows_of(noise=0.0)
    whole = fit(X, y)
    halves = HistGradientBoostingClassifier(max_iter=70, random_state=0, warm_start=True).fit(X, y)
    halves.set_params(max_iter=150).fit(X, y)
    np.testing.assert_allclose(halves.decision_function(X), whole.decision_function(X), rtol=1e-9)


def test_sums_of_squares_do_not_depend_on_threads():
    x = np.random.default_rng(1).normal(size=20_011)
    sums = {round_limbs(native.sum_of_squares(x, threads)) for threads in (1, 2, 3, 8)}
    assert len(sums) == 1
    np.testing.assert_allclose(sums.pop(), x @ x, rtol=1e-12)


def test_a_weight_of_two_is_a_row_twice():
    X, y = rows_of(noise=0.0)
    twice = np.arange(len(y)) < 200
    weighted = HistGradientBoostingClassifier(max_iter=60, min_samples_leaf=1)
    weighted.fit(X, y, sample_weight=1.0 + twice)
    repeated = HistGradientBoostingClassifier(max_iter=60, min_samples_leaf=1)
    repeated.fit(np.vstack([X, X[twice]]), np.concatenate([y, y[twice]]))
    np.testing.assert_allclose(
        weighted.decision_function(X), repeated.decision_function(X), rtol=1e-6, atol=1e-6
    )
