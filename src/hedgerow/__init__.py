"""hedgerow: learning to separate.

Public names are loaded when they are first used: `import hedgerow` itself costs almost nothing.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow import datasets
    from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor

__all__ = ["DecisionTreeClassifier", "DecisionTreeRegressor", "datasets"]

_HOME = {
    "DecisionTreeClassifier": "hedgerow.estimators",
    "DecisionTreeRegressor": "hedgerow.estimators",
}


def __getattr__(name: str) -> Any:
    if name == "datasets":
        return import_module("hedgerow.datasets")
    if name == "__version__":
        return version("hedgerow")
    if name in _HOME:
        return getattr(import_module(_HOME[name]), name)
    raise AttributeError(f"module 'hedgerow' has no attribute {name!r}. It has: {', '.join(__all__)}.")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
