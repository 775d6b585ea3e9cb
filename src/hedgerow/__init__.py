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
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        LinearSVC,
        LinearSVR,
        RuleListClassifier,
        compare_prunings,
        svm_path,
    )
    from hedgerow.recipe_book import recipe, recipes
    from hedgerow.store import load, save

__all__ = [
    "SVC",
    "SVR",
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "LinearSVC",
    "LinearSVR",
    "RuleListClassifier",
    "compare_prunings",
    "datasets",
    "load",
    "recipe",
    "recipes",
    "save",
    "svm_path",
]

_HOME = {
    "SVC": "hedgerow.estimators",
    "SVR": "hedgerow.estimators",
    "DecisionTreeClassifier": "hedgerow.estimators",
    "DecisionTreeRegressor": "hedgerow.estimators",
    "LinearSVC": "hedgerow.estimators",
    "LinearSVR": "hedgerow.estimators",
    "RuleListClassifier": "hedgerow.estimators",
    "compare_prunings": "hedgerow.estimators",
    "load": "hedgerow.store",
    "recipe": "hedgerow.recipe_book",
    "recipes": "hedgerow.recipe_book",
    "save": "hedgerow.store",
    "svm_path": "hedgerow.estimators",
}


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("hedgerow.datasets")
    if name == "__version__":
        return import_module("importlib.metadata").version("hedgerow")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
