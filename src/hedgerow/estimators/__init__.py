"""estimators: scikit-learn's face, thin on purpose."""

from hedgerow.estimators.comparison import compare_prunings
from hedgerow.estimators.linear_svc import LinearSVC
from hedgerow.estimators.linear_svr import LinearSVR
from hedgerow.estimators.path import svm_path
from hedgerow.estimators.rules import RuleListClassifier
from hedgerow.estimators.svc import SVC
from hedgerow.estimators.svr import SVR
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = [
    "SVC",
    "SVR",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "LinearSVC",
    "LinearSVR",
    "RuleListClassifier",
    "compare_prunings",
    "svm_path",
]
