"""Every estimator check of scikit-learn, with no expected failure."""

import pytest
from tests.estimators.checks import parametrize_checks

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor

AS_THEY_COME = [
    HistGradientBoostingClassifier(max_iter=10),
    HistGradientBoostingRegressor(max_iter=10),
]
OTHER_SETTINGS = [
    HistGradientBoostingClassifier(max_iter=5, growth="level", n_jobs=2),
    HistGradientBoostingRegressor("absolute_error", max_iter=15, learning_rate=0.4, l1_regularization=0.1),
    HistGradientBoostingRegressor("huber", max_iter=15, learning_rate=0.4, max_depth=2),
    HistGradientBoostingClassifier(max_iter=8, max_features=0.7, max_features_tree=0.9, random_state=0),
    HistGradientBoostingClassifier(max_iter=8, max_depth=1, class_weight="balanced", warm_start=True),
    HistGradientBoostingClassifier(max_iter=8, interaction_cst="no_interactions", scoring="accuracy"),
]


@parametrize_checks(AS_THEY_COME)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
