"""kinds: what each kind of model keeps in its file. One file a kind; kind.py says what such a file has.

A new kind: its file here, a line for each of its models in KIND_OF, an entry in tests/store/models.py.
"""

from importlib import import_module

from hedgerow.store.kind import Kind

KIND_OF = {  # the tag in the file -> the file here that knows such models
    "rule list": "rules",
    "tree classifier": "tree",
    "tree regressor": "tree",
    "forest classifier": "forest",
    "forest regressor": "forest",
    "extra trees classifier": "forest",
    "extra trees regressor": "forest",
    "bagging classifier": "bagging",
    "bagging regressor": "bagging",
    "voting classifier": "voting",
    "voting regressor": "voting",
    "boosted neurons": "network",
    "adaboost classifier": "adaboost",
    "adaboost regressor": "adaboost",
    "svm classifier": "svm",
    "svm regressor": "svm",
    "linear svm classifier": "linear",
    "linear svm regressor": "linear",
}


def kind_of(tag: str) -> Kind:
    return import_module(f"hedgerow.store.kinds.{KIND_OF[tag]}")
