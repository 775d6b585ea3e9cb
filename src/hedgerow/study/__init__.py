"""study: a table and a target -> an honest, explained choice of model.

    result = hedgerow.study("titanic.csv", target="survived")     # a StudyResult, which prints itself
    result = hedgerow.study(frame, "price", folder="prices")      # and a folder: report, model, predictions

The folder and its first function have one name: the package can be called.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class _Callable(ModuleType):
    def __call__(self, *args: Any, **options: Any) -> Any:
        return import_module("hedgerow.study.study").study(*args, **options)


sys.modules[__name__].__class__ = _Callable
