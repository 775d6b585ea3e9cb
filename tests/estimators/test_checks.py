"""Every estimator check of scikit-learn, with no expected failure."""

import pytest
from tests.estimators.checks import parametrize_checks

from hedgerow import (
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    OptimalTreeClassifier,
    OptimalTreeRegressor,
)

AS_THEY_COME = [
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    OptimalTreeClassifier(),
    OptimalTreeRegressor(),
]
OTHER_SETTINGS = [
    DecisionTreeClassifier(max_leaf_nodes=5),
    DecisionTreeRegressor(max_leaf_nodes=5),
    DecisionTreeClassifier(max_bins=32),
    DecisionTreeRegressor(max_bins=32),
    DecisionTreeClassifier(criterion="entropy", splitter="random", max_features="sqrt"),
    DecisionTreeClassifier(criterion="misclassification", ccp_alpha=0.01),
    DecisionTreeRegressor(criterion="absolute_error"),
    DecisionTreeRegressor(criterion="absolute_error", splitter="random", max_leaf_nodes=4),
    DecisionTreeClassifier(class_weight="balanced", trace=True, n_jobs=2),
    OptimalTreeClassifier(max_depth=None, max_leaf_nodes=4, class_weight="balanced"),
    OptimalTreeRegressor(max_depth=2, ccp_alpha=0.01),
]


@parametrize_checks(AS_THEY_COME)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
