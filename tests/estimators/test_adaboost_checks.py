"""Every estimator check of scikit-learn, with no expected failure."""

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import AdaBoostClassifier, AdaBoostRegressor

ESTIMATORS = [
    AdaBoostClassifier(n_estimators=7),
    AdaBoostClassifier(n_estimators=5, multi_class="vote", over_half="reset"),
    AdaBoostClassifier(n_estimators=5, predictions="abstaining", loss="logistic", multi_class="mh"),
    AdaBoostClassifier(n_estimators=5, predictions="confident", multi_class="mh", n_jobs=2),
    AdaBoostClassifier("tree", n_estimators=5, predictions="confident"),
    AdaBoostClassifier("c45", n_estimators=4),
    AdaBoostClassifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_estimators=4),
    AdaBoostClassifier(LogisticRegression(), n_estimators=3, predictions="confident"),
    AdaBoostRegressor(n_estimators=5),
    AdaBoostRegressor(Ridge(), n_estimators=4, loss="square"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
