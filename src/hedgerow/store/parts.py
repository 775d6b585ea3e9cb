"""Parts: all there is to a fitted model, as plain values.   In: an estimator.   Out: Parts, and back.

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
from hedgerow.store.kinds import KIND_OF, kind_of
from hedgerow.tree.labels import Labels, labels_of


@dataclass(frozen=True, eq=False)
class Parts:
    model: str  # a tag of kinds.KIND_OF: "tree classifier"
    body: Any  # what the model's kind works with: a Tree
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
    """The parts of a fitted estimator."""
    tags = {kind_of(tag).ESTIMATORS[tag]: tag for tag in KIND_OF}
    tag = tags.get(type(model).__name__)
    if tag is None:
        raise TypeError(
            f"A {type(model).__name__} cannot be saved as a model file. Wanted: a fitted {', '.join(tags)}."
        )
    body = kind_of(tag).taken(model)
    if body is None:
        raise ValueError(f"This {type(model).__name__} is not fitted: nothing to save yet. Call fit first.")
    labels = getattr(model, "labels_", None)
    return Parts(
        model=tag,
        body=body,
        schema=model.schema_,
        classes=getattr(model, "classes_", None),
        target=labels.target if labels else "",
        missing=labels.missing if labels else None,
        names_in=hasattr(model, "feature_names_in_"),
        parameters=model.get_params(deep=False),
    )


def model_of(parts: Parts) -> Any:
    """The estimator, made from checked parts. Which one, a tag of ours says: a file can name no import."""
    kind = kind_of(parts.model)
    estimators = import_module("hedgerow.estimators")  # here: scikit-learn takes a second to load
    model = getattr(estimators, kind.ESTIMATORS[parts.model])(**parts.parameters)
    model.n_features_in_ = len(parts.schema.names)
    if parts.names_in:
        model.feature_names_in_ = np.array(parts.schema.names, dtype=object)
    if parts.classes is not None:
        model.classes_, model.n_classes_ = parts.classes, len(parts.classes)
    try:
        model._restore(parts)
    except Defect:
        raise
    except (ValueError, TypeError) as reason:
        raise Defect(f"has a parameter that is out of range: {reason}") from None
    return model
