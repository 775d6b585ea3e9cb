"""Parts: all there is to a fitted tree model, as plain values.   In: an estimator.   Out: Parts, and back.

    estimator  --parts_of-->  Parts  --file.py-->  bytes  --file.py-->  Parts  --model_of-->  estimator

Parts know nothing of scikit-learn, so a model can be read, shown and asked for predictions without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import Schema
from hedgerow.store.damage import Defect
from hedgerow.store.parameters import PUBLIC_NAMES
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.tree.tree import Tree


@dataclass(frozen=True, eq=False)
class Parts:
    model: str  # "tree classifier" or "tree regressor"
    tree: Tree
    schema: Schema
    classes: NDArray[Any] | None  # None: regression
    target: str = ""  # name of the target column, if known
    missing: frozenset[int] | None = None  # columns with missing cells in training, if known
    names_in: bool = True  # has feature_names_in_
    parameters: Mapping[str, Any] = field(default_factory=dict)
    version: str = ""  # of the library that wrote the file; "" before there is a file

    @property
    def labels(self) -> Labels:
        schema = self.schema
        return labels_of(
            schema.names,
            schema.kinds,
            schema.levels,
            [] if self.classes is None else self.classes.tolist(),
            criterion=str(self.parameters.get("criterion", "")),
            target=self.target,
            missing=self.missing,
        )


def parts_of(model: Any) -> Parts:
    """The parts of a fitted DecisionTreeClassifier or DecisionTreeRegressor."""
    tags = {name: tag for tag, name in PUBLIC_NAMES.items()}
    tag = tags.get(type(model).__name__)
    if tag is None:
        raise TypeError(
            f"A {type(model).__name__} cannot be saved as a model file. Wanted: a fitted "
            f"{' or '.join(PUBLIC_NAMES.values())}."
        )
    if not hasattr(model, "tree_"):
        raise ValueError(f"This {type(model).__name__} is not fitted: nothing to save yet. Call fit first.")
    return Parts(
        model=tag,
        tree=model.tree_,
        schema=model.schema_,
        classes=getattr(model, "classes_", None),
        target=model.labels_.target,
        missing=model.labels_.missing,
        names_in=hasattr(model, "feature_names_in_"),
        parameters=model.get_params(deep=False),
    )


def model_of(parts: Parts) -> Any:
    """The estimator, made from checked parts. Which one, a tag of ours says: a file can name no import."""
    estimators = import_module("hedgerow.estimators.tree")  # here: scikit-learn takes a second to load
    model = getattr(estimators, PUBLIC_NAMES[parts.model])(**parts.parameters)
    criteria = estimators.NUMBER_CRITERIA if parts.classes is None else estimators.CLASS_CRITERIA
    try:
        asked = estimators.check(model, criteria)
    except (ValueError, TypeError) as reason:
        raise Defect(f"has a parameter that is out of range: {reason}") from None
    model.tree_, model.schema_, model.labels_ = parts.tree, parts.schema, parts.labels
    model.n_features_in_ = parts.tree.n_features
    model.max_features_ = asked.limits(1, parts.tree.n_features, 1.0).max_features
    if parts.names_in:
        model.feature_names_in_ = np.array(parts.schema.names, dtype=object)
    if parts.classes is not None:
        model.classes_, model.n_classes_ = parts.classes, len(parts.classes)
    return model
