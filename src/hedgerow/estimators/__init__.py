"""estimators: scikit-learn's API, thin on purpose."""

from hedgerow.estimators.adaboost import AdaBoostClassifier
from hedgerow.estimators.adaboost_regressor import AdaBoostRegressor
from hedgerow.estimators.bagging import BaggingClassifier, BaggingRegressor
from hedgerow.estimators.boosted_neurons import BoostedNeuronsClassifier
from hedgerow.estimators.comparison import compare_prunings
from hedgerow.estimators.forest import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from hedgerow.estimators.growth import compare_growth
from hedgerow.estimators.hist_gradient_boosting import HistGradientBoostingClassifier
from hedgerow.estimators.hist_gradient_boosting_regressor import HistGradientBoostingRegressor
from hedgerow.estimators.linear_svc import LinearSVC
from hedgerow.estimators.linear_svr import LinearSVR
from hedgerow.estimators.max_features import compare_max_features
from hedgerow.estimators.numbers import ToNumbers
from hedgerow.estimators.optimal_tree import OptimalTreeClassifier, OptimalTreeRegressor
from hedgerow.estimators.path import svm_path
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.estimators.select import TopFeatures
from hedgerow.estimators.svc import SVC
from hedgerow.estimators.svr import SVR
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor
from hedgerow.estimators.tree_stability import stability
from hedgerow.estimators.voting import WeightedVotingClassifier, WeightedVotingRegressor
from hedgerow.estimators.with_features import WithFeatures

__all__ = [
    "SVC",
    "SVR",
    "AdaBoostClassifier",
    "AdaBoostRegressor",
    "BaggingClassifier",
    "BaggingRegressor",
    "BoostedNeuronsClassifier",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "HistGradientBoostingClassifier",
    "HistGradientBoostingRegressor",
    "LinearSVC",
    "LinearSVR",
    "OptimalTreeClassifier",
    "OptimalTreeRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleListClassifier",
    "ToNumbers",
    "TopFeatures",
    "WeightedVotingClassifier",
    "WeightedVotingRegressor",
    "WithFeatures",
    "compare_growth",
    "compare_max_features",
    "compare_prunings",
    "stability",
    "svm_path",
]
