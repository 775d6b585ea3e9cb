"""estimators: scikit-learn's face, thin on purpose."""

from hedgerow.estimators.comparison import compare_prunings
from hedgerow.estimators.forest import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "ExtraTreesClassifier",
    "ExtraTreesRegressor",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleListClassifier",
    "compare_prunings",
]
