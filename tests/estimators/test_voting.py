"""Weighted voting: weights by hand, learned out of fold or on validation rows, of members fitted before."""

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import VotingClassifier
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import log_loss
from sklearn.model_selection import KFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline

from hedgerow import (
    SVC,
    BaggingClassifier,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    ToNumbers,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
)


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 3))
    y = np.array(["no", "yes", "zero"])[
        np.digitize(X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(size=300), [0, 1])
    ]
    return X, y


def members():
    return [
        ("tree", DecisionTreeClassifier(max_depth=3)),
        ("bayes", GaussianNB()),
        ("guess", DummyClassifier(strategy="uniform", random_state=0)),
    ]


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("weights", [None, [3, 2, 0.5]])
def test_weights_by_hand_are_scikit_learns(data, voting, weights):
    X, y = data
    ours = WeightedVotingClassifier(members(), voting=voting, weights=weights).fit(X, y)
    theirs = VotingClassifier(members(), voting=voting, weights=weights).fit(X, y)
    assert ours.weights_.sum() == pytest.approx(1)
    assert np.array_equal(ours.predict(X), theirs.predict(X))
    if voting == "soft":
        np.testing.assert_allclose(ours.predict_proba(X), theirs.predict_proba(X))


@pytest.mark.parametrize("voting", ["soft", "hard"])
@pytest.mark.parametrize("learn_on", ["folds", "validation"])
def test_learned_weights_leave_the_guess_out(data, voting, learn_on):
    model = WeightedVotingClassifier(members(), voting=voting, learn_on=learn_on).fit(*data)
    weight = dict(zip(["tree", "bayes", "guess"], model.weights_, strict=True))
    assert model.weights_.min() >= 0
    assert model.weights_.sum() == pytest.approx(1)
    assert weight["guess"] == min(weight.values())
    assert model.coefficients_.gap < 1e-8
    assert model.coefficients_.loss <= model.coefficients_.equal_loss
    assert model.coefficients_.n_rows == (300 if learn_on == "folds" else 60) * (3 if voting == "hard" else 1)
    assert "tree" in str(model)
    assert model.score(*data) > 0.55


def test_members_fitted_before_stay_as_they_are(data):
    X, y = data
    fitted = [(name, member.fit(X[:150], y[:150])) for name, member in members()]
    model = WeightedVotingClassifier(fitted, prefit=True).fit(X[150:], y[150:])
    assert model.estimators_[0] is fitted[0][1]
    own = [log_loss(y[150:], member.predict_proba(X[150:])) for _, member in fitted]
    assert model.coefficients_.loss <= min(own) + 1e-9
    assert log_loss(y[150:], model.predict_proba(X[150:])) == pytest.approx(model.coefficients_.loss)
    with pytest.raises(Exception, match="not fitted"):
        WeightedVotingClassifier(members(), prefit=True).fit(X, y)


def test_validation_rows_may_lack_a_class(data):
    X, y = data
    fitted = [(name, member.fit(X, y)) for name, member in members()]
    some = np.flatnonzero(y != "zero")[:50]
    model = WeightedVotingClassifier(fitted, prefit=True).fit(X[some], y[some])
    assert list(model.classes_) == ["no", "yes", "zero"]
    assert model.predict_proba(X).shape == (300, 3)


def test_a_splitter_of_scikit_learn(data):
    model = WeightedVotingClassifier(members(), cv=KFold(4, shuffle=True, random_state=0)).fit(*data)
    assert model.coefficients_.n_rows == 300


def test_numbers(data):
    X, _ = data
    y = 2 * X[:, 0] + np.random.default_rng(1).normal(size=300) * 0.1
    model = WeightedVotingRegressor([("tree", DecisionTreeRegressor(max_depth=2)), ("line", Ridge())]).fit(
        X, y
    )
    assert model.weights_[1] > 0.9
    assert model.named_estimators_["line"].coef_[0] == pytest.approx(2, abs=0.1)
    assert model.score(X, y) > 0.95


def test_parameters_of_members(data):
    model = WeightedVotingClassifier(members()).set_params(tree__max_depth=1)
    assert model.fit(*data).estimators_[0].get_depth() == 1
    assert model.get_params()["tree__max_depth"] == 1


@pytest.mark.parametrize(
    ("bad", "words"),
    [
        ({"estimators": []}, "at least one"),
        ({"weights": [1, 2]}, "give 3 numbers"),
        ({"weights": [1, -2, 3]}, "none negative"),
        ({"weights": "learnt"}, "Did you mean 'learned'"),
        ({"voting": "medium"}, "voting='medium'"),
        ({"learn_on": "train"}, "learn_on='train'"),
        ({"cv": 1}, "cv=1"),
        ({"validation_fraction": 0.9}, "validation_fraction=0.9"),
    ],
)
def test_bad_parameters(data, bad, words):
    with pytest.raises(ValueError, match=words):
        WeightedVotingClassifier(**{"estimators": members(), **bad}).fit(*data)


def test_one_distinct_row_cannot_be_learned_from():
    with pytest.raises(ValueError, match="out of fold"):
        WeightedVotingRegressor([("line", Ridge())]).fit([[1.0], [1.0]], [2.0, 2.0])


def test_a_member_without_weights_says_so(data):
    from sklearn.neighbors import KNeighborsClassifier

    X, y = data
    model = WeightedVotingClassifier([("near", KNeighborsClassifier()), ("line", LogisticRegression())])
    model.fit(X, y)
    with pytest.raises(ValueError, match="KNeighborsClassifier takes no sample_weight"):
        model.fit(X, y, np.linspace(0.1, 1, 300))


@pytest.mark.parametrize("wrapped", [False, True])
def test_tables_of_text_go_to_members_that_read_them(wrapped):
    rows = {"word": ["a", "b", None] * 20, "number": list(np.arange(60.0))}
    y = np.array(["yes", "no", "no"] * 20)
    other = make_pipeline(ToNumbers(), SVC()) if wrapped else RandomForestClassifier(5, random_state=0)
    vote = WeightedVotingClassifier([("tree", DecisionTreeClassifier(max_depth=2)), ("other", other)])
    assert vote.fit(rows, y).score(rows, y) == 1
    assert BaggingClassifier(other, 3, random_state=0).fit(rows, y).score(rows, y) > 0.9
    with pytest.raises(ValueError, match=r"not all learners are hedgerow's"):
        WeightedVotingClassifier([("theirs", GaussianNB())]).fit(rows, y)
