"""Every estimator check of scikit-learn for the kernel machines, with no expected failure."""

import pytest
from tests.estimators.checks import parametrize_checks

from hedgerow import SVC, SVR

AS_THEY_COME = [
    SVC(),
    SVR(),
]
OTHER_SETTINGS = [
    SVC(kernel="linear", multi_class="ovr", n_jobs=2),
    SVC(kernel="poly", degree=2, coef0=1.0, class_weight="balanced", standardize=True),
    SVC(kernel="sigmoid", gamma=0.01, break_ties=True),
    SVC(kernel="precomputed"),
    SVC(probability=True),
    SVR(kernel="linear", standardize=True),
]


@parametrize_checks(AS_THEY_COME)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)
