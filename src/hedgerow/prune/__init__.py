"""prune: a Tree -> a smaller Tree. One file a method in methods/; `hedgerow.tree.cut` does the cutting.

from hedgerow.prune import Pessimistic
smaller = Pessimistic(confidence=0.1, raising=False).prune(tree)

The methods' classes are found by their files' names: chi_square.py is ChiSquare. There is no list of them to keep.
"""

from typing import Any

from hedgerow.prune.compare import Comparison, Round, compare, cross_compare
from hedgerow.prune.cp_table import CpTable, cp_table
from hedgerow.prune.data import PruningData, compute_losses, count_reached
from hedgerow.prune.merge_leaves import merge_leaves
from hedgerow.prune.method import Method, class_name, load_methods, make_method, offered_settings
from hedgerow.prune.sequence import CutPath, cut_path

__all__ = [
    "Comparison",
    "CpTable",
    "CutPath",
    "Method",
    "PruningData",
    "Round",
    "compare",
    "compute_losses",
    "count_reached",
    "cp_table",
    "cross_compare",
    "cut_path",
    "load_methods",
    "make_method",
    "merge_leaves",
    "offered_settings",
]


def __getattr__(name: str) -> Any:
    """A method by the name of its class."""
    for method, kind in load_methods().items() if name[:1].isupper() else ():
        if class_name(method) == name:
            return kind
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *map(class_name, load_methods())])
