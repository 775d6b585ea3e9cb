"""estimators: scikit-learn's face, thin on purpose."""

from hedgerow.estimators.comparison import compare_prunings
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.estimators.svc import SVC
from hedgerow.estimators.svr import SVR
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "SVC",
    "SVR",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RuleListClassifier",
    "compare_prunings",
]
