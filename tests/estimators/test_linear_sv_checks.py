"""Every estimator check of scikit-learn for the linear machines, with no expected failure."""

import pytest
import sklearn.svm
from sklearn.utils.estimator_checks import check_class_weight_classifiers
from tests.estimators.checks import parametrize_checks

from hedgerow import LinearSVC, LinearSVR

AS_THEY_COME = [
    LinearSVC(),
    LinearSVR(),
]
OTHER_SETTINGS = [
    LinearSVC(loss="hinge", dual=True, class_weight="balanced"),
    LinearSVC(loss="hinge", dual=False, standardize=True, n_jobs=2),
    LinearSVC(probability=True),
    LinearSVR(dual=True, epsilon=0.1),
    LinearSVR(loss="squared_epsilon_insensitive", standardize=True),
]


@parametrize_checks(AS_THEY_COME)
def test_estimator_checks(estimator, check):
    check(estimator)


@pytest.mark.slow
@parametrize_checks(OTHER_SETTINGS)
def test_estimator_checks_of_other_settings(estimator, check):
    check(estimator)


def test_a_boundary_through_the_origin_cannot_follow_class_weights():
    """The one check that LinearSVC(fit_intercept=False, C=10) cannot pass, nor can scikit-learn's own: it wants a heavy
    weight to move the boundary over blobs that lie around one side of the origin."""
    for kind in (LinearSVC, sklearn.svm.LinearSVC):
        with pytest.raises(AssertionError):
            check_class_weight_classifiers("LinearSVC", kind(fit_intercept=False, C=10))
