"""A tree of an ensemble as an estimator of its own.   In: an unfitted tree estimator, a Tree, the ensemble.   Out: the
estimator, as if it had been fitted."""

from typing import Any

from hedgerow.tree.labels import labels_of
from hedgerow.tree.tree import Tree


def make_fitted(one: Any, tree: Tree, model: Any) -> Any:
    """`one` with this tree, and with the columns and classes of the model."""
    schema = model.schema_
    one.hedgerow_tree_, one.schema_ = tree, schema
    one.n_features_in_, one.n_outputs_ = model.n_features_in_, getattr(model, "n_outputs_", 1)
    for name in ("feature_names_in_", "classes_", "n_classes_"):
        if hasattr(model, name):
            setattr(one, name, getattr(model, name))
    one.max_features_ = getattr(model, "max_features_", model.n_features_in_)
    classes = one.classes_.tolist() if hasattr(one, "classes_") and one.n_outputs_ == 1 else []
    missing = getattr(model, "_missing", None)
    one.labels_ = labels_of(
        schema.names, schema.kinds, schema.levels, classes, criterion=one.criterion, missing=missing
    )
    return one
