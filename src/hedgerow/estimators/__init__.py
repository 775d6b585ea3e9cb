"""estimators: scikit-learn's face, thin on purpose."""

from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor"]
