"""Parts: all there is to a fitted model, as plain values.   In: an estimator.   Out: Parts, and back.

    estimator  --parts_of-->  Parts  --file.py-->  bytes  --file.py-->  Parts  --model_of-->  estimator

Parts know nothing of scikit-learn, so a model can be read, shown and asked for predictions without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import Preparation, Schema, matrix, numbers
from hedgerow.store.damage import Defect
from hedgerow.store.kinds import KIND_OF, kind_of
from hedgerow.store.learner import tag_of, with_estimators, without_estimators
from hedgerow.table import Kind, Table
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.types import FloatAny


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
    preparation: Preparation | None = None  # how the table becomes numbers, for a model that needs them
    version: str = ""  # of the library that wrote the file; "" before there is a file

    @property
    def inner(self) -> Schema:
        """The columns the model itself sees."""
        return self.schema if self.preparation is None else prepared_schema(self.preparation)

    def rows(self, table: Table) -> FloatAny:
        """A table as the matrix the model itself reads."""
        return matrix(self.schema, table) if self.preparation is None else numbers(self.preparation, table)

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


def prepared_schema(preparation: Preparation) -> Schema:
    names = preparation.names
    number: Kind = "number"
    kinds = (number,) * len(names)
    return Schema(names, kinds, ((),) * len(names), named=False)


def parts_of(model: Any) -> Parts:
    """The parts of a fitted estimator, or of a pipeline of ToNumbers and an estimator."""
    steps = getattr(model, "steps", None)
    if not steps:
        return _parts_of(model)
    first, last = steps[0][1], steps[-1][1]
    if len(steps) != 2 or type(first).__name__ != "ToNumbers":
        raise TypeError(
            f"A pipeline of {', '.join(type(step).__name__ for _, step in steps)} cannot be saved as a model file. "
            "Wanted: ToNumbers and then one model."
        )
    parts = _parts_of(last)
    preparation: Preparation = first.preparation_
    return replace(
        parts,
        schema=preparation.schema,
        preparation=preparation,
        names_in=hasattr(first, "feature_names_in_"),
        missing=None,
    )


def _parts_of(model: Any) -> Parts:
    tag = tag_of(model)
    if tag is None:
        known = ", ".join(kind_of(tag).ESTIMATORS[tag] for tag in KIND_OF)
        raise TypeError(
            f"A {type(model).__name__} cannot be saved as a model file. Wanted: a fitted {known}."
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
        parameters={
            name: without_estimators(name, value) for name, value in model.get_params(deep=False).items()
        },
    )


def model_of(parts: Parts) -> Any:
    """The estimator, made from checked parts. Which one, a tag of ours says: a file can name no import."""
    kind = kind_of(parts.model)
    estimators = import_module("hedgerow.estimators")  # here: scikit-learn takes a second to load
    parameters = {name: with_estimators(value) for name, value in parts.parameters.items()}
    model = getattr(estimators, kind.ESTIMATORS[parts.model])(**parameters)
    if parts.preparation is None:
        _name_columns(model, parts.schema, parts.names_in)
    else:
        _name_columns(model, parts.inner, False)
    if parts.classes is not None:
        model.classes_, model.n_classes_ = parts.classes, len(parts.classes)
    try:
        model._restore(replace(parts, schema=parts.inner, preparation=None))
    except Defect:
        raise
    except (ValueError, TypeError) as reason:
        raise Defect(f"has a parameter that is out of range: {reason}") from None
    if parts.preparation is None:
        return model
    first = estimators.ToNumbers._restored(parts.preparation)
    _name_columns(first, parts.schema, parts.names_in)
    from sklearn.pipeline import make_pipeline

    return make_pipeline(first, model)


def _name_columns(model: Any, schema: Schema, names_in: bool) -> None:
    model.n_features_in_ = len(schema.names)
    if names_in:
        model.feature_names_in_ = np.array(schema.names, dtype=object)
