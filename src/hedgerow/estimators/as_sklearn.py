"""Our trees and forests as scikit-learn's.   In: a Tree, or a fitted estimator.   Out: theirs.

`model.tree_` is scikit-learn's own structure, made of our Tree when somebody asks for it; so whatever reads it there
(plot_tree, export_text, shap, recipes that walk it) reads ours. `model.to_sklearn()` is a whole estimator of theirs.
Both are for two-way tests of numbers: theirs has nothing else.

scikit-learn's functions ask for instances of its classes; ours are registered as such, since they keep what these
promise to readers.
"""

from typing import Any

import numpy as np
from sklearn import ensemble, tree
from sklearn.tree import _tree

from hedgerow.tree.pack import packable
from hedgerow.tree.tree import LEAF, SUBSET, Tree
from hedgerow.types import Float

LEAF_MARK = -2  # feature and threshold of a leaf, as scikit-learn writes it
KEPT = ("n_features_in_", "feature_names_in_", "classes_", "n_classes_", "n_outputs_", "max_features_")


def to_sklearn_tree(found: Tree, n_classes: list[int]) -> Any:
    """n_classes : of each output; 1 for a number."""
    if not packable(found) or np.any(found.kind == SUBSET):
        raise AttributeError(
            "scikit-learn's tree_ has two-way tests of numbers only; this tree has tests of categories, more than two "
            "branches, shares or surrogates. Use hedgerow_tree_, which has them all."
        )
    outputs = np.asarray(n_classes, np.intp)
    made = _tree.Tree(found.n_features, outputs, len(outputs))
    made.__setstate__(
        {
            "max_depth": found.max_depth,
            "node_count": found.n_nodes,
            "nodes": _nodes(found),
            "values": _values(found, n_classes),
        }
    )
    return made


def _nodes(found: Tree) -> Any:
    leaf = found.kind == LEAF
    nodes = np.zeros(found.n_nodes, _tree.NODE_DTYPE)
    nodes["left_child"] = found.first_child
    nodes["right_child"] = np.where(leaf, -1, found.first_child + 1)
    nodes["feature"] = np.where(leaf, LEAF_MARK, found.feature)
    nodes["threshold"] = np.where(leaf, float(LEAF_MARK), found.threshold)
    nodes["impurity"] = found.impurity
    nodes["n_node_samples"] = found.n_rows
    nodes["weighted_n_node_samples"] = found.weight
    nodes["missing_go_to_left"] = ~leaf & (found.missing_child == found.first_child)
    return nodes


def _values(found: Tree, n_classes: list[int]) -> Float:
    """Nodes x outputs x classes; an output of fewer classes than another is filled up with zeros."""
    values = np.zeros((found.n_nodes, len(n_classes), max(n_classes)))
    first = 0
    for output, many in enumerate(n_classes):
        values[:, output, :many] = found.value[:, first : first + many]
        first += many
    return values


def tree_to_sklearn(model: Any) -> Any:
    kind: Any = getattr(tree, type(model).__name__)
    made = kind(**_shared_params(kind, model))
    _copy_attributes(made, model)
    made.tree_ = model.tree_
    return made


def forest_to_sklearn(model: Any) -> Any:
    kind: Any = getattr(ensemble, type(model).__name__)
    made = kind(**_shared_params(kind, model))
    _copy_attributes(made, model)
    made.estimators_ = [tree_to_sklearn(one) for one in model.estimators_]
    for one in made.estimators_:
        one.__dict__.pop("feature_names_in_", None)  # theirs reads plain arrays
    made.estimator_ = tree_to_sklearn(model.estimators_[0]).__class__()
    return made


def _shared_params(kind: Any, model: Any) -> dict[str, Any]:
    known = kind().get_params()
    return {name: value for name, value in model.get_params(deep=False).items() if name in known}


def _copy_attributes(made: Any, model: Any) -> None:
    for name in KEPT:
        if hasattr(model, name):
            setattr(made, name, getattr(model, name))


def register_as_sklearn(kind: Any) -> Any:
    """A class decorator: scikit-learn takes instances for those of its class of the same name."""
    getattr(tree if hasattr(tree, kind.__name__) else ensemble, kind.__name__).register(kind)
    return kind
