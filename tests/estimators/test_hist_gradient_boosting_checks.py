"""Every estimator check of scikit-learn, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import HistGradientBoostingClassifier, HistGradientBoostingRegressor

ESTIMATORS = [
    HistGradientBoostingClassifier(max_iter=10),
    HistGradientBoostingClassifier(max_iter=5, growth="level", n_jobs=2),
    HistGradientBoostingRegressor(max_iter=10),
    HistGradientBoostingRegressor("absolute_error", max_iter=15, learning_rate=0.4, l1_regularization=0.1),
    HistGradientBoostingRegressor("huber", max_iter=15, learning_rate=0.4, max_depth=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
