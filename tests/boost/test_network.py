"""A boosted sum of neurons is a one-hidden-layer network; fine-tuning never makes it worse."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boost.samples import boosted, corners, problem
from hedgerow.boost import BoostInput, BoostOptions, boost, rows_of_matrix, scores, signs_of
from hedgerow.boost.fine_tune import Task, fine_tune, loss_and_gradient, training_loss
from hedgerow.boost.loss import load_loss
from hedgerow.boost.network import Network, make_network
from hedgerow.boost.sgd import Descent
from hedgerow.boost.unit import inputs_of
from hedgerow.boost.weak.linear import Linear
from hedgerow.boost.weak.neuron import Neuron
from hedgerow.boost.weak.stump import Stump
from hedgerow.encode import schema_of
from hedgerow.table import to_table

QUICK = Descent(steps=100)
LEARNERS = [
    Neuron("tanh", descent=QUICK),
    Neuron("soft_threshold", 0.3, descent=QUICK),
    Linear(descent=QUICK),
    Linear(0.2, soft=True, descent=QUICK),
]


def classes_of(x, many):
    return np.digitize(x[:, 0] + x[:, 1], np.linspace(-1, 1, many + 1)[1:-1]).astype(np.int32)


@pytest.mark.parametrize("learner", LEARNERS, ids=lambda one: f"{type(one).__name__}-{one.output_kind}")
@pytest.mark.parametrize("many", [2, 3])
def test_the_network_answers_as_the_ensemble(learner, many):
    rng = np.random.default_rng(1)
    x, new = rng.normal(size=(83, 3)) * [1, 10, 1e4], rng.normal(size=(29, 3)) * [1, 10, 1e4]
    alpha = "search" if learner.output_kind == "confident" else "one"
    rounds, _ = boosted(learner, x, classes_of(x / [1, 10, 1e4], many), n_rounds=9, alpha=alpha)
    network = make_network(rounds)
    assert network.n_units == 9 * (1 if many == 2 else many)
    np.testing.assert_allclose(network.scores(new), scores(rounds, rows_of_matrix(new)), rtol=0, atol=1e-12)


def test_it_survives_json():
    rounds, _ = boosted(LEARNERS[0], *corners(60), n_rounds=5, alpha="search")
    network = make_network(rounds)
    again = Network.from_dict(json.loads(json.dumps(network.to_dict())))
    new = corners(20, 3)[0]
    np.testing.assert_array_equal(again.scores(new), network.scores(new))
    assert repr(again) == repr(network)
    assert "2 inputs -> 5 units tanh -> 1 score" in repr(network)


def test_categories_and_gaps_survive_json():
    random = np.random.default_rng(3)
    table = {
        "height": np.where(random.random(60) < 0.2, np.nan, random.normal(size=60)),
        "colour": [("red", "green", None)[k] for k in random.integers(0, 3, 60)],
        "house": random.integers(1, 4, 60),
    }
    table = to_table(table, categories=["house"])
    rows = BoostInput(60, table.names, table, schema_of(table))
    codes = random.integers(0, 2, 60).astype(np.int32)
    rounds = boost(
        LEARNERS[0],
        rows,
        signs_of(codes, 2),
        np.full(60, 1 / 60),
        BoostOptions(n_rounds=4, alpha="search"),
        random,
    )
    network = make_network(rounds)
    again = Network.from_dict(json.loads(json.dumps(network.to_dict())))
    np.testing.assert_allclose(network.scores(table), scores(rounds, rows), atol=1e-12)
    np.testing.assert_array_equal(again.scores(table), network.scores(table))
    new = {"height": [1.0, None], "colour": ["blue", "red"], "house": [9, 2]}
    np.testing.assert_array_equal(again.scores(new), network.scores(new))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"bias": [0.0]}, "shape"),
        ({"activation": "relu"}, "'relu' is unknown"),
        ({"delta": -1.0}, "delta"),
        ({"intercept": [float("nan")]}, "not finite"),
        ({"columns": [{"name": "a", "kind": "colour", "gap": False}]}, "'colour' is unknown"),
        ({"columns": 7}, "no network"),
        ({"hidden": "?"}, "could not convert"),
    ],
)
def test_damaged_networks_are_refused(change, words):
    rounds, _ = boosted(LEARNERS[0], *corners(60), n_rounds=5, alpha="search")
    with pytest.raises(ValueError, match=words):
        Network.from_dict(make_network(rounds).to_dict() | change)


def test_other_rounds_are_no_network():
    x, y = corners(60)
    with pytest.raises(ValueError, match=r"Round 1 is a Stump.*estimator='neuron'"):
        make_network(boosted(Stump(), x, y, n_rounds=2)[0])
    x, signs, _ = problem(0)
    with pytest.raises(ValueError, match="alpha='one'"):
        make_network(boosted(Linear(descent=QUICK), x, signs > 0, n_rounds=2, alpha="two")[0])


def task_and_network(seed, activation, loss, many=2):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(37, 3))
    codes = classes_of(x, many)
    codes[:many] = np.arange(many)
    rounds, rows = boosted(Neuron(activation, 0.3, descent=QUICK), x, codes, n_rounds=4, alpha="search")
    weight = rng.random(37)
    columns = np.arange(many) if many > 2 else np.array([1])
    signs = np.where(codes[:, None] == columns, 1.0, -1.0)
    network = make_network(rounds)
    return network, Task(inputs_of(rows, network.inputs), signs, weight / weight.sum(), load_loss(loss))


@pytest.mark.parametrize("loss", ["logistic", "exponential"])
@pytest.mark.parametrize("activation", ["tanh", "soft_threshold"])
@pytest.mark.parametrize("many", [2, 3])
def test_the_gradient_is_the_numerical_one(activation, loss, many):
    network, task = task_and_network(5, activation, loss, many)
    _, gradient = loss_and_gradient(network, task)
    parts = [network.hidden, network.bias, network.output, network.intercept]
    for k, part in enumerate(parts):
        numerical = np.zeros_like(part)
        for place in np.ndindex(part.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [p.copy() for p in parts]
                moved[k][place] += step
                ends.append(training_loss(network.with_parameters(*moved), task))
            numerical[place] = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(gradient[k], numerical, atol=2e-7)


@pytest.mark.slow
@given(
    st.integers(0, 50),
    st.sampled_from(["tanh", "soft_threshold"]),
    st.sampled_from(["logistic", "exponential"]),
    st.integers(0, 15),
    st.sampled_from([2, 3]),
)
def test_fine_tuning_is_never_worse(seed, activation, loss, steps, many):
    network, task = task_and_network(seed, activation, loss, many)
    tuned = fine_tune(network, task, steps)
    assert training_loss(tuned, task) <= training_loss(network, task)
    assert not (tuned.output[network.output == 0]).any()
    if steps == 0:
        assert tuned is network


def test_fine_tuning_moves_every_layer_and_helps():
    network, task = task_and_network(1, "tanh", "logistic")
    tuned = fine_tune(network, task, 50)
    assert training_loss(tuned, task) < 0.8 * training_loss(network, task)
    for name in ("hidden", "bias", "output", "intercept"):
        assert not np.array_equal(getattr(tuned, name), getattr(network, name))
