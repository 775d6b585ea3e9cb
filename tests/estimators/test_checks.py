"""Every estimator check of scikit-learn, with no expected failure."""

from sklearn.utils.estimator_checks import parametrize_with_checks

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor

ESTIMATORS = [
    DecisionTreeClassifier(),
    DecisionTreeRegressor(),
    DecisionTreeClassifier(max_leaf_nodes=5),
    DecisionTreeRegressor(max_leaf_nodes=5),
    DecisionTreeClassifier(max_bins=32),
    DecisionTreeRegressor(max_bins=32),
    DecisionTreeClassifier(criterion="entropy", splitter="random", max_features="sqrt"),
    DecisionTreeClassifier(criterion="misclassification", ccp_alpha=0.01),
    DecisionTreeRegressor(criterion="absolute_error"),
    DecisionTreeRegressor(criterion="absolute_error", splitter="random", max_leaf_nodes=4),
    DecisionTreeClassifier(class_weight="balanced", trace=True, n_jobs=2),
]


@parametrize_with_checks(ESTIMATORS)
def test_scikit_learn_asks(estimator, check):
    check(estimator)
