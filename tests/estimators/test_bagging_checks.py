"""Every estimator check of scikit-learn for bagging, voting and the selector; where rows are drawn by weight, one is an
expected difference."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from tests.estimators.checks import parametrize_checks

from hedgerow import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    TopFeatures,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
)

CLASSIFIERS = [("tree", DecisionTreeClassifier(max_depth=3)), ("bayes", GaussianNB())]
REGRESSORS = [("tree", DecisionTreeRegressor(max_depth=3)), ("line", Ridge())]

AS_THEY_COME = [
    BaggingClassifier(n_estimators=5, random_state=0),
    BaggingRegressor(n_estimators=5, random_state=0),
    WeightedVotingClassifier(CLASSIFIERS),
    WeightedVotingRegressor(REGRESSORS),
    TopFeatures(),
    TopFeatures(2, estimator=RandomForestClassifier(5, random_state=0), kind="impurity"),
]
OTHER_SETTINGS = [
    BaggingClassifier(n_estimators=5, random_state=0, max_features=0.6, oob_score=True),
    BaggingRegressor(
        n_estimators=5, random_state=0, bootstrap=False, max_samples=0.7, bootstrap_features=True
    ),
    BaggingClassifier(DecisionTreeClassifier(prune="pessimistic"), n_estimators=3, random_state=0),
    BaggingClassifier(LogisticRegression(), n_estimators=3, random_state=0),
    BaggingRegressor(KNeighborsRegressor(1), n_estimators=3, random_state=0),
    WeightedVotingClassifier(CLASSIFIERS, voting="hard", learn_on="validation"),
    WeightedVotingRegressor(REGRESSORS, weights=[1, 2]),
]


def expected_differences(estimator):
    found = {}
    if isinstance(getattr(estimator, "estimator", None), LogisticRegression):
        found["check_classifiers_train"] = "classes go by mean probabilities, scores are mean decision values"
    draws = isinstance(estimator, TopFeatures) or getattr(estimator, "bootstrap", False)
    if draws or getattr(estimator, "max_samples", None) not in (None, 1.0):
        for kind in ("dense", "sparse"):
            name = f"check_sample_weight_equivalence_on_{kind}_data"
            found[name] = "there are as many draws as rows: weights are relative"
    return found


@parametrize_checks(AS_THEY_COME, expected_differences)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS, expected_differences)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
