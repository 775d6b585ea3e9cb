"""Planes with a zone of silence, as weak predictors."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boost.samples import boosted, problem
from hedgerow.boost import rows_of_matrix
from hedgerow.boost.sgd import SAMPLINGS, Descent
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak_learner import WeakLearner

QUICK = Descent(steps=300)


def fitted(x, signs, weight, **settings):
    rows = rows_of_matrix(x)
    return Linear(descent=QUICK, **settings).fit(rows, signs, weight, np.random.default_rng(0)), rows


def test_it_is_a_weak_learner():
    assert isinstance(Linear(), WeakLearner)
    assert Linear().output_kind == "abstaining"
    assert Linear(soft=True).output_kind == "confident"


@given(st.integers(0, 1000), st.floats(0, 2))
def test_answers_are_the_distance_from_the_plane_with_a_zone_of_silence(seed, delta):
    x, signs, weight = problem(seed, 31, 4)
    unit, rows = fitted(x, signs, weight, delta=delta)
    assert np.linalg.norm(unit.weights) == pytest.approx(1)
    standard = (x - x.mean(axis=0)) / x.std(axis=0)
    z = standard @ unit.weights + unit.bias
    near = np.abs(np.abs(z) - delta) < 1e-9
    wanted = np.where(z > delta, 1, np.where(z < -delta, -1, 0))
    np.testing.assert_array_equal(unit.outputs(rows)[~near], wanted[~near])
    soft, _ = fitted(x, signs, weight, delta=delta, soft=True)
    np.testing.assert_allclose(soft.outputs(rows), wanted * (np.abs(z) - delta), atol=1e-9)


@pytest.mark.parametrize("sampling", SAMPLINGS)
def test_a_plane_is_found(sampling):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(400, 3)) * [1, 1000, 1e-3] + [0, 5e6, 0]
    signs = np.where(x[:, 0] + (x[:, 1] - 5e6) / 1000 > 0.3, 1.0, -1.0)
    learner = Linear(0.0, descent=Descent(sampling, steps=3000))
    rows = rows_of_matrix(x)
    unit = learner.fit(rows, signs, np.full(400, 1 / 400), rng)
    assert np.mean(unit.outputs(rows) == signs) > 0.98


def test_a_wider_zone_says_less_and_is_right_more_often():
    x, signs, weight = problem(2, 500, 4)
    weight = np.full(500, 1 / 500)
    coverage, accuracy = [], []
    for delta in (0.0, 0.3, 0.8):
        unit, rows = fitted(x, signs, weight, delta=delta)
        says = unit.outputs(rows)
        coverage.append(np.mean(says != 0))
        accuracy.append(np.mean(says[says != 0] == signs[says != 0]))
    assert coverage == sorted(coverage, reverse=True)
    assert accuracy == sorted(accuracy)


def test_nothing_to_learn_from_is_the_heavier_side():
    x, signs = np.ones((9, 2)), np.array([1.0] * 6 + [-1.0] * 3)
    unit, rows = fitted(x, signs, np.full(9, 1 / 9))
    assert unit.outputs(rows).tolist() == [1.0] * 9


def test_boosted_planes_lower_the_loss_each_round():
    x, signs, _ = problem(4, 200, 3)
    rounds, _ = boosted(Linear(descent=QUICK), x, signs > 0, n_rounds=15)
    assert all(round.normaliser <= 1 + 1e-12 for round in rounds.rounds)
    assert all(0 < round.coverage < 1 for round in rounds.rounds)
    assert rounds.rounds[-1].loss < rounds.rounds[0].loss
