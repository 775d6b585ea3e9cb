"""Every estimator check of scikit-learn, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow.estimators.forest import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)

ESTIMATORS = [
    RandomForestClassifier(n_estimators=10),
    RandomForestRegressor(n_estimators=10),
    ExtraTreesClassifier(n_estimators=10),
    ExtraTreesRegressor(n_estimators=10),
    RandomForestClassifier(n_estimators=5, class_weight="balanced_subsample", max_samples=0.8),
    RandomForestClassifier(n_estimators=5, bootstrap=False, max_samples=0.8, criterion="entropy"),
    RandomForestRegressor(n_estimators=5, criterion="absolute_error", max_features=0.5),
    RandomForestClassifier(n_estimators=4, splits="multiway", missing="fractional", max_features=None),
    ExtraTreesRegressor(n_estimators=4, bootstrap=True, max_features="log2", oob_score=True),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
