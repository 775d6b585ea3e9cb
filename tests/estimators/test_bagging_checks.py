"""Every estimator check of scikit-learn for bagging, voting and the selector, with no expected failure."""

from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsRegressor
from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import (
    BaggingClassifier,
    BaggingRegressor,
    DecisionTreeClassifier,
    DecisionTreeRegressor,
    RandomForestClassifier,
    TopFeatures,
    WeightedVotingClassifier,
    WeightedVotingRegressor,
)

CLASSIFIERS = [("tree", DecisionTreeClassifier(max_depth=3)), ("bayes", GaussianNB())]
REGRESSORS = [("tree", DecisionTreeRegressor(max_depth=3)), ("line", Ridge())]

ESTIMATORS = [
    BaggingClassifier(n_estimators=5),
    BaggingRegressor(n_estimators=5),
    BaggingClassifier(n_estimators=5, max_features=0.6, oob_score=True),
    BaggingRegressor(n_estimators=5, bootstrap=False, max_samples=0.7, bootstrap_features=True),
    BaggingClassifier(DecisionTreeClassifier(prune="pessimistic"), n_estimators=3),
    BaggingClassifier(LogisticRegression(), n_estimators=3),
    BaggingRegressor(KNeighborsRegressor(1), n_estimators=3),
    WeightedVotingClassifier(CLASSIFIERS),
    WeightedVotingClassifier(CLASSIFIERS, voting="hard", learn_on="validation"),
    WeightedVotingRegressor(REGRESSORS),
    WeightedVotingRegressor(REGRESSORS, weights=[1, 2]),
    TopFeatures(2, estimator=RandomForestClassifier(5), kind="impurity"),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
