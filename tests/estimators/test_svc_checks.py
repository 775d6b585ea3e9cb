"""Every estimator check of scikit-learn for the kernel machines, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import SVC, SVR

ESTIMATORS = [
    SVC(),
    SVC(kernel="linear", multi_class="ovr", n_jobs=2),
    SVC(kernel="poly", degree=2, coef0=1.0, class_weight="balanced", standardize=True),
    SVC(kernel="sigmoid", gamma=0.01, break_ties=True),
    SVC(kernel="precomputed"),
    SVC(probability=True),
    SVR(),
    SVR(kernel="linear", standardize=True),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
