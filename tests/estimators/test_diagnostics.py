"""Every fitted booster can be diagnosed, whatever was boosted and however."""

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier as OtherTree
from tests.interrupted import said_when_interrupted

from hedgerow import AdaBoostClassifier, BoostedNeuronsClassifier, datasets, load, save
from hedgerow.boost.diagnose import Diagnosis

BOOSTERS = {
    "stumps": {},
    "silent stumps": {"predictions": "abstaining"},
    "sure stumps": {"predictions": "confident"},
    "two alphas": {"alpha": "two", "multi_class": "mh"},
    "logistic": {"loss": "logistic"},
    "slow": {"learning_rate": 0.3},
    "trees": {"estimator": "tree"},
    "sure trees": {"estimator": "tree", "predictions": "confident"},
    "c45": {"estimator": "c45"},
    "planes": {"estimator": "linear", "predictions": "abstaining"},
    "neurons": {"estimator": "neuron", "predictions": "confident"},
    "bayes": {"estimator": GaussianNB()},
    "sure bayes": {"estimator": GaussianNB(), "predictions": "confident"},
    "neighbours": {"estimator": KNeighborsClassifier()},
    "other trees": {"estimator": OtherTree(max_depth=2)},
    "early stop": {"early_stopping": True},
}
SEVERAL = {"samme": {"multi_class": "samme"}, "vote": {"multi_class": "vote"}, "mh": {"multi_class": "mh"}}


def sample(many=2, n=150, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 4))
    score = X[:, 0] + X[:, 1] * (X[:, 2] > 0) + 0.5 * rng.normal(size=n)
    return X, np.array(["red", "green", "blue"])[np.digitize(score, [0.0] if many == 2 else [-0.7, 0.7])]


def diagnosed(settings, many):
    X, y = sample(many)
    weight = np.random.default_rng(1).integers(0, 3, len(y)).astype(float)
    model = AdaBoostClassifier(n_estimators=8, random_state=0, **settings).fit(X, y, weight)
    return model, model.diagnose(X, y, weight, test=sample(many, 60, 1)), X, y, weight


@pytest.mark.parametrize("name", sorted(BOOSTERS))
@pytest.mark.parametrize("many", [2, 3])
def test_every_booster(name, many):
    model, found, X, y, weight = diagnosed(BOOSTERS[name], many)
    assert isinstance(found, Diagnosis)
    table = found.rounds
    assert len(table) == len(model.rounds_)
    assert (table.error <= table.bound + 1e-9).all()
    assert (np.abs(found.margins.values) <= 1 + 1e-9).all()
    used = np.isin(np.arange(len(y)), model._places)
    wrong = model.predict(X) != y
    assert table.error[-1] == pytest.approx(np.average(wrong[used], weights=weight[used]))
    new, truth = sample(many, 60, 1)
    staged = [np.mean(said != truth) for said in model.staged_predict(new)]
    np.testing.assert_allclose(table.test_error, staged)
    for row, label, taken in zip(
        found.heaviest.row, found.heaviest.label, found.heaviest.taken_for, strict=True
    ):
        assert weight[row] > 0
        assert label == y[row]
        assert taken == model.predict(X[row : row + 1])[0]
    assert len(str(found)) > 500
    assert "<table>" in found._repr_html_()
    assert found.to_dict()["rounds"]["stopped"] == model.stopped_


@pytest.mark.parametrize("name", sorted(SEVERAL))
def test_ways_to_several_classes(name):
    model, found, X, _, _ = diagnosed(SEVERAL[name], 3)
    assert (found.rounds.error <= found.rounds.bound + 1e-9).all()
    scores = found.additive.scores(X)
    np.testing.assert_allclose(scores, model.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("name", ["stumps", "silent stumps", "sure stumps", "two alphas"])
def test_stumps_are_additive(name):
    model, found, X, _, _ = diagnosed(BOOSTERS[name], 2)
    np.testing.assert_allclose(found.additive.scores(X)[:, 0], model.decision_function(X), atol=1e-9)


@pytest.mark.parametrize("name", ["planes", "neurons"])
@pytest.mark.parametrize("many", [2, 3])
def test_boosted_neurons_and_planes_become_networks(name, many):
    model, _, X, _, _ = diagnosed(BOOSTERS[name], many)
    network = model.to_network()
    wanted = model.decision_function(X).reshape(len(X), -1)
    np.testing.assert_allclose(network.scores(X), wanted, rtol=0, atol=1e-12)


def test_others_do_not():
    with pytest.raises(ValueError, match="a network is made of neurons"):
        AdaBoostClassifier(n_estimators=2).fit(*sample()).to_network()


def test_words_that_spam_contains():
    """Round by round "contains 'money'"-like rules."""
    spam = datasets.spam()
    words = spam.table.names[:48]
    counts = csr_array(spam.frame().select(words).to_numpy())
    model = AdaBoostClassifier("word", predictions="abstaining", n_estimators=10, feature_names=words)
    rules = model.fit(counts, spam.target).diagnostics_.rules
    assert "contains 'money' -> spam" in rules
    assert "contains 'george' -> nonspam" in rules
    found = model.diagnose(counts, spam.target)
    assert (found.rounds.coverage < 1).all()
    assert (found.rounds.error <= found.rounds.bound).all()


@pytest.mark.slow
def test_heart_stumps_overfit():
    heart = datasets.heart()
    table = heart.frame().drop(heart.target_name)
    early, late, last = [], [], []
    for seed in range(5):
        train, test, y, truth = train_test_split(table, heart.target, test_size=0.4, random_state=seed)
        rounds = (
            AdaBoostClassifier(n_estimators=400).fit(train, y).diagnose(train, y, test=(test, truth)).rounds
        )
        early.append(rounds.test_error[3:20].mean())
        late.append(rounds.test_error[-50:].mean())
        last.append(rounds.error[-1])
    assert np.mean(late) > np.mean(early) + 0.01
    assert max(last) < 0.01


@pytest.mark.slow
def test_margins_go_on_growing_after_the_last_training_error():
    letter = datasets.letter()
    rows = letter.table.take(range(2000))
    model = AdaBoostClassifier("c45", n_estimators=20, multi_class="vote").fit(rows, letter.target[:2000])
    test = letter.table.take(range(16000, 18000)), letter.target[16000:18000]
    found = model.diagnose(rows, letter.target[:2000], test=test, margins_after=[8, 20])
    assert (found.rounds.error[7:] == 0).all()
    assert found.rounds.test_error[-1] < found.rounds.test_error[7]
    least = found.margins.values.min(axis=1)
    assert least[1] > least[0] > 0


def test_rows_of_two_columns_are_drawn():
    points = datasets.ten_points()
    X = points.frame().drop("label")
    figure = AdaBoostClassifier(n_estimators=3).fit(X, points.target).draw_rounds(X, points.target)
    assert figure.axes[3].get_title() == "All 3 rounds:  error 0.0%"


def test_from_a_model_file(tmp_path):
    points = datasets.ten_points()
    X = points.frame().drop("label")
    model = AdaBoostClassifier(n_estimators=3).fit(X, points.target)
    save(model, tmp_path / "model.hedgerow")
    again = load(tmp_path / "model.hedgerow")
    assert str(again.diagnostics_) == str(model.diagnostics_)
    assert str(again.diagnose(X, points.target)) == str(model.diagnose(X, points.target))
    assert again.draw_rounds(X, points.target).axes[3].get_title() == "All 3 rounds:  error 0.0%"


@pytest.mark.parametrize(
    "choice",
    [
        {"loss": "logistic"},
        {"multi_class": "vote"},
        {"multi_class": "mh", "predictions": "confident"},
        {"estimator": "tree", "over_half": "reset"},
    ],
    ids=str,
)
def test_margins_and_weights_are_found_anew_after_loading(tmp_path, choice):
    x, y = load_iris(return_X_y=True)
    weight = np.random.default_rng(0).integers(0, 3, len(y))
    model = AdaBoostClassifier(n_estimators=6, **choice).fit(x, y, weight)
    save(model, tmp_path / "model.hedgerow")
    again = load(tmp_path / "model.hedgerow").diagnose(x, y, weight)
    before = model.diagnose(x, y, weight)
    assert again.margins.values == pytest.approx(before.margins.values)
    assert again.margins.weight == pytest.approx(before.margins.weight)
    assert again.heaviest.weight == pytest.approx(before.heaviest.weight)
    assert again.rounds.to_dict() == before.rounds.to_dict()


def test_a_network_file_keeps_no_rounds(tmp_path):
    x, y = load_iris(return_X_y=True)
    save(BoostedNeuronsClassifier(n_estimators=2, n_steps=20).fit(x, y), tmp_path / "model.hedgerow")
    with pytest.raises(ValueError, match="Fit it anew to diagnose it"):
        load(tmp_path / "model.hedgerow").diagnose(x, y)


def test_not_fitted():
    for model in (AdaBoostClassifier(), BoostedNeuronsClassifier()):
        for call in (lambda m: m.diagnostics_, lambda m: m.diagnose(*sample()), lambda m: m.to_network()):
            with pytest.raises(Exception, match="not fitted"):
                call(model)


LONG_FIT = """
from hedgerow import BoostedNeuronsClassifier

rng = np.random.default_rng(0)
X = rng.normal(size=(20_000, 12))
y = rng.integers(0, 2, len(X))
model = BoostedNeuronsClassifier(n_estimators=2, n_steps=10**9, n_jobs=int(sys.argv[1]))
given = (X, y)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals as POSIX has them")
@pytest.mark.parametrize("jobs", [1, 2])
def test_ctrl_c_ends_a_long_descent(jobs):
    assert said_when_interrupted(LONG_FIT, "network_", str(jobs)) == "interrupted False\n"
