"""Every estimator check of scikit-learn for the linear machines, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import LinearSVC, LinearSVR

ESTIMATORS = [
    LinearSVC(),
    LinearSVC(loss="hinge", dual=True, class_weight="balanced"),
    LinearSVC(loss="hinge", dual=False, standardize=True, n_jobs=2),
    LinearSVR(),
    LinearSVR(dual=True, epsilon=0.1),
    LinearSVR(loss="squared_epsilon_insensitive", standardize=True),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
