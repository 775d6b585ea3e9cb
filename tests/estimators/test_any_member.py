"""Members of any kind in bags, votes and boosting: what they return, rows as lists, draws of one class."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.linear_model import LogisticRegression

from hedgerow import (
    SVC,
    AdaBoostClassifier,
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    LinearSVC,
    LinearSVR,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
)


class ReturnsNothing(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        super().fit(X, y, sample_weight)


@pytest.mark.parametrize(
    "model",
    [
        BaggingClassifier(ReturnsNothing(), n_estimators=3),
        AdaBoostClassifier(ReturnsNothing(), n_estimators=3),
        WeightedVotingClassifier([("a", ReturnsNothing()), ("b", DecisionTreeClassifier())]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_learner_whose_fit_returns_nothing(model):
    X, y = make_classification(80, 4, random_state=0)
    assert model.fit(X, y).score(X, y) > 0.7
    assert None not in model.estimators_


@pytest.mark.parametrize("learner", [SVC(), LinearSVC(), LinearSVR()], ids=lambda one: type(one).__name__)
def test_machines_on_lists(learner):
    X, y = make_classification(50, 4, random_state=0)
    bag, vote = (
        (BaggingRegressor, WeightedVotingRegressor)
        if isinstance(learner, LinearSVR)
        else (BaggingClassifier, WeightedVotingClassifier)
    )
    for model in (
        bag(learner, n_estimators=3, random_state=0),
        vote([("a", learner), ("b", clone(learner))]),
    ):
        from_lists = clone(model).fit(X.tolist(), y.tolist()).predict(X.tolist())
        np.testing.assert_array_equal(from_lists, model.fit(X, y).predict(X))


@pytest.mark.slow
@pytest.mark.parametrize(
    "learner", [SVC(), LinearSVC(), LogisticRegression()], ids=lambda one: type(one).__name__
)
def test_draws_without_the_rare_class(learner):
    X, _ = make_classification(60, 4, random_state=0)
    y = np.repeat(["rare", "usual"], [2, 58])
    model = BaggingClassifier(learner, n_estimators=20, random_state=0).fit(X, y)
    without = [t for t, rows in enumerate(model.estimators_samples_) if not (y[rows] == "rare").any()]
    assert without
    for t in without:
        assert set(model.estimators_[t].predict(X)) == {"usual"}
    assert model.predict_proba(X).shape == (60, 2)
    with pytest.raises(ValueError, match="class"):
        BaggingClassifier(SVC(), n_estimators=2).fit(X, np.zeros(60))


def test_learners_from_elsewhere_are_given_all_rows_with_the_draws_as_weights():
    class Seen(LogisticRegression):
        def fit(self, X, y, sample_weight=None):
            self.seen_ = (X, sample_weight)
            return super().fit(X, y, sample_weight)

    X, y = make_classification(50, 4, random_state=0)
    model = BaggingClassifier(Seen(), 2, max_samples=0.2, random_state=0).fit(X, y)
    for member, rows in zip(model.estimators_, model.estimators_samples_, strict=True):
        np.testing.assert_array_equal(member.seen_[0], X)
        np.testing.assert_array_equal(member.seen_[1], np.bincount(rows, minlength=50))
