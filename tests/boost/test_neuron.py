"""Neurons as weak predictors: trained through Z, they find what no plane finds."""

from dataclasses import replace

import numpy as np
import pytest

from boost.samples import boosted, corners, problem
from hedgerow.boost import classes_of_scores, rows_of_matrix, scores
from hedgerow.boost.sgd import Descent
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak.neuron import Neuron
from hedgerow.boost.weak_learner import WeakLearner
from hedgerow.core import native

QUICK = Descent(steps=300)
KINDS = ("tanh", "soft_threshold")


def test_it_is_a_weak_learner():
    assert isinstance(Neuron(), WeakLearner)
    assert Neuron().output_kind == "confident"


@pytest.mark.parametrize("activation", KINDS)
def test_answers_are_z_of_the_standardised_inputs(activation):
    x, signs, weight = problem(3, 41, 3)
    rows = rows_of_matrix(x)
    unit = Neuron(activation, 0.25, descent=QUICK).fit(rows, signs, weight, np.random.default_rng(0))
    z = (x - x.mean(axis=0)) / x.std(axis=0) @ unit.weights + unit.bias
    wanted = np.tanh(z) if activation == "tanh" else np.sign(z) * np.maximum(np.abs(z) - 0.25, 0)
    np.testing.assert_allclose(unit.outputs(rows), unit.height * wanted, atol=1e-12)


@pytest.mark.parametrize("activation", KINDS)
def test_neurons_cut_corners_where_planes_find_nothing(activation):
    x, y = corners(400)
    new, truth = corners(1000, seed=1)

    def error(learner, **choices):
        rounds, _ = boosted(learner, x, y, n_rounds=30, **choices)
        return np.mean(classes_of_scores(scores(rounds, rows_of_matrix(new))) != truth)

    assert error(Neuron(activation), alpha="search") < 0.08
    assert error(Linear()) > 0.2


def test_the_best_of_several_starts_is_kept():
    x, signs, weight = problem(8, 120, 4)
    starts = np.random.default_rng(0).normal(size=(6, 6))
    how = {"rows": x, "signs": signs, "weight": weight, "starts": starts, "activation": "tanh", "delta": 0.0}
    how |= {"sampling": "draws", "steps": 300, "batch": 32, "rate": 0.3, "l2": 1e-3, "seed": 4, "threads": 1}
    neurons, loss = native.descend(**how)
    best = QUICK.best(x, signs, weight, starts, "tanh", 0.0, seed=4)
    np.testing.assert_array_equal(best, neurons[np.argmin(loss)])


def test_the_same_seed_gives_the_same_neuron():
    x, signs, weight = problem(8, 120, 4)
    one, two = (
        Neuron(descent=QUICK).fit(
            replace(rows_of_matrix(x), threads=threads), signs, weight, np.random.default_rng(3)
        )
        for threads in (1, 2)
    )
    np.testing.assert_array_equal(one.weights, two.weights)
    assert one.bias == two.bias


def test_a_neuron_says_what_it_looks_at():
    x, signs, weight = problem(8, 120, 4)
    unit = Neuron(descent=QUICK).fit(rows_of_matrix(x), signs, weight, np.random.default_rng(3))
    assert " x0" in unit.describe(1)
    assert unit.describe(1).count("x") == 1
