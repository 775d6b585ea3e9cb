"""Every estimator check of scikit-learn, with no expected failure."""

import pytest
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier
from tests.estimators.checks import parametrize_checks

from hedgerow import AdaBoostClassifier, AdaBoostRegressor

AS_THEY_COME = [
    AdaBoostClassifier(n_estimators=7),
    AdaBoostRegressor(n_estimators=5),
]
OTHER_SETTINGS = [
    AdaBoostClassifier(n_estimators=5, multi_class="vote", over_half="reset"),
    AdaBoostClassifier(n_estimators=5, predictions="abstaining", loss="logistic", multi_class="mh"),
    AdaBoostClassifier(n_estimators=5, predictions="confident", multi_class="mh", n_jobs=2),
    AdaBoostClassifier("tree", n_estimators=5, predictions="confident"),
    AdaBoostClassifier("c45", n_estimators=4),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=4),
    AdaBoostClassifier(LogisticRegression(), n_estimators=3, predictions="confident"),
    AdaBoostRegressor(Ridge(), n_estimators=4, loss="square"),
]


@parametrize_checks(AS_THEY_COME)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
