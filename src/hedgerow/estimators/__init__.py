"""estimators: scikit-learn's face, thin on purpose."""

from hedgerow.estimators.comparison import compare_prunings
from hedgerow.estimators.numbers import ToNumbers
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RuleListClassifier",
    "ToNumbers",
    "compare_prunings",
]
