"""models: what `--model NAME` stands for. One file each, named as it is typed; model.py says what such a file has.

The tree has no file here: it grows without scikit-learn, by fit.py.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hedgerow.cli.models.model import Model

NAMES: tuple[str, ...] = (
    "forest",
    "extra_trees",
    "adaboost",
    "neurons",
    "svm",
    "linear_svm",
)  # files of this folder
TREE = "tree"
KNOWN = (TREE, *NAMES)


def model_named(name: str) -> "Model":
    return import_module(f"hedgerow.cli.models.{name}")
