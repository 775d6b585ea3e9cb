"""hedgerow: learning to separate.

Public names are loaded when they are first used: `import hedgerow` itself costs almost nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow import datasets
    from hedgerow.estimators import (
        SVC,
        SVR,
        AdaBoostClassifier,
        AdaBoostRegressor,
        BaggingClassifier,
        BaggingRegressor,
        BoostedNeuronsClassifier,
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        ExtraTreesClassifier,
        ExtraTreesRegressor,
        LinearSVC,
        LinearSVR,
        RandomForestClassifier,
        RandomForestRegressor,
        RuleListClassifier,
        ToNumbers,
        TopFeatures,
        WeightedVotingClassifier,
        WeightedVotingRegressor,
        compare_max_features,
        compare_prunings,
        svm_path,
    )
    from hedgerow.evaluate import (
        bias_variance,
        compare,
        compare_datasets,
        evaluate,
        learning_curve,
        simplest_within_1se,
        validation_curve,
    )
    from hedgerow.recipe_book import recipe, recipes
    from hedgerow.store import load, save
    from hedgerow.study.study import study

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
    "LinearSVC",
    "LinearSVR",
    "RandomForestClassifier",
    "RandomForestRegressor",
    "RuleListClassifier",
    "ToNumbers",
    "TopFeatures",
    "WeightedVotingClassifier",
    "WeightedVotingRegressor",
    "bias_variance",
    "compare",
    "compare_datasets",
    "compare_max_features",
    "compare_prunings",
    "datasets",
    "evaluate",
    "learning_curve",
    "load",
    "recipe",
    "recipes",
    "save",
    "simplest_within_1se",
    "study",
    "svm_path",
    "validation_curve",
]

_HOME = {
    "AdaBoostClassifier": "hedgerow.estimators",
    "AdaBoostRegressor": "hedgerow.estimators",
    "BaggingClassifier": "hedgerow.estimators",
    "BaggingRegressor": "hedgerow.estimators",
    "BoostedNeuronsClassifier": "hedgerow.estimators",
    "DecisionTreeClassifier": "hedgerow.estimators",
    "DecisionTreeRegressor": "hedgerow.estimators",
    "ExtraTreesClassifier": "hedgerow.estimators",
    "ExtraTreesRegressor": "hedgerow.estimators",
    "LinearSVC": "hedgerow.estimators",
    "LinearSVR": "hedgerow.estimators",
    "RandomForestClassifier": "hedgerow.estimators",
    "RandomForestRegressor": "hedgerow.estimators",
    "RuleListClassifier": "hedgerow.estimators",
    "SVC": "hedgerow.estimators",
    "SVR": "hedgerow.estimators",
    "ToNumbers": "hedgerow.estimators",
    "TopFeatures": "hedgerow.estimators",
    "WeightedVotingClassifier": "hedgerow.estimators",
    "WeightedVotingRegressor": "hedgerow.estimators",
    "bias_variance": "hedgerow.evaluate",
    "compare": "hedgerow.evaluate",
    "compare_datasets": "hedgerow.evaluate",
    "compare_max_features": "hedgerow.estimators",
    "compare_prunings": "hedgerow.estimators",
    "learning_curve": "hedgerow.evaluate",
    "load": "hedgerow.store",
    "recipe": "hedgerow.recipe_book",
    "recipes": "hedgerow.recipe_book",
    "save": "hedgerow.store",
    "simplest_within_1se": "hedgerow.evaluate",
    "svm_path": "hedgerow.estimators",
    "validation_curve": "hedgerow.evaluate",
}


def __getattr__(name: str) -> Any:
    if name in ("datasets", "evaluate", "study"):  # folders; the last two can be called
        return import_module(f"hedgerow.{name}")
    if name == "__version__":
        return import_module("importlib.metadata").version("hedgerow")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
