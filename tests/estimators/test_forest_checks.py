"""Every estimator check of scikit-learn; where rows are drawn by weight, one is an expected difference."""

import pytest
from tests.estimators.checks import parametrize_checks

from hedgerow.estimators.forest import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

AS_THEY_COME = [
    RandomForestClassifier(n_estimators=10),
    RandomForestRegressor(n_estimators=10),
    ExtraTreesClassifier(n_estimators=10),
    ExtraTreesRegressor(n_estimators=10),
]
OTHER_SETTINGS = [
    RandomForestClassifier(n_estimators=5, class_weight="balanced_subsample", max_samples=0.8),
    RandomForestClassifier(n_estimators=5, bootstrap=False, max_samples=0.8, criterion="entropy"),
    RandomForestRegressor(n_estimators=5, criterion="absolute_error", max_features=0.5),
    RandomForestClassifier(n_estimators=4, splits="multiway", missing="fractional", max_features=None),
    ExtraTreesRegressor(n_estimators=4, bootstrap=True, max_features="log2", oob_score=True),
]


def expected_differences(estimator):
    if not estimator.bootstrap and estimator.max_samples is None:
        return {}
    return {
        f"check_sample_weight_equivalence_on_{kind}_data": "there are as many draws as rows: weights are relative"
        for kind in ("dense", "sparse")
    }


@parametrize_checks(AS_THEY_COME, expected_differences)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS, expected_differences)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
