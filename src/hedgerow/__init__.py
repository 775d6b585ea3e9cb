"""hedgerow: learning to separate.

Public names are loaded when they are first used: `import hedgerow` itself costs almost nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow import datasets
    from hedgerow.estimators import (
        DecisionTreeClassifier,
        DecisionTreeRegressor,
        RuleListClassifier,
        ToNumbers,
        compare_prunings,
    )
    from hedgerow.recipe_book import recipe, recipes
    from hedgerow.store import load, save
    from hedgerow.study.study import study

__all__ = [
    "DecisionTreeClassifier",
    "DecisionTreeRegressor",
    "RuleListClassifier",
    "ToNumbers",
    "compare_prunings",
    "datasets",
    "load",
    "recipe",
    "recipes",
    "save",
    "study",
]

_HOME = {
    "DecisionTreeClassifier": "hedgerow.estimators",
    "DecisionTreeRegressor": "hedgerow.estimators",
    "RuleListClassifier": "hedgerow.estimators",
    "ToNumbers": "hedgerow.estimators",
    "compare_prunings": "hedgerow.estimators",
    "load": "hedgerow.store",
    "recipe": "hedgerow.recipe_book",
    "recipes": "hedgerow.recipe_book",
    "save": "hedgerow.store",
}


def __getattr__(name: str) -> Any:
    if name in ("datasets", "study"):
        return import_module(f"hedgerow.{name}")
    if name == "__version__":
        return import_module("importlib.metadata").version("hedgerow")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
