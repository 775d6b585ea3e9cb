"""ModelState: all there is to a fitted model, as plain values.

    estimator <--estimators/saving.py--> ModelState <--file.py--> bytes

It knows nothing of scikit-learn, so that a model can be read, shown and used to predict without it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from numpy.typing import NDArray

from hedgerow.decision import Decision
from hedgerow.encode import Preparation, Schema, matrix, numbers
from hedgerow.features import Features
from hedgerow.store.training_rows import TrainingRows
from hedgerow.table import Kind, Table
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.types import FloatAny

Outputs = tuple[NDArray[Any] | None, ...]


@dataclass(frozen=True, eq=False)
class ModelState:
    model: str  # a tag that a file of store/kinds knows: "tree classifier"
    body: Any  # what the model's kind works with: a Tree
    schema: Schema
    classes: NDArray[Any] | None  # None: regression, or several targets
    target: str = ""  # name of the target column, if known
    missing: frozenset[int] | None = None  # columns with missing cells in training, if known
    names_in: bool = True  # has feature_names_in_
    parameters: Mapping[str, Any] = field(default_factory=dict)
    preparation: Preparation | None = None  # how the table becomes numbers, for a model that needs them
    training_rows: TrainingRows | None = None  # fingerprints of the rows it was trained on, if kept
    decision: Decision | None = None  # calibrator, operating point, prediction intervals, if chosen
    version: str = ""  # of the library that wrote the file; "" before there is a file
    outputs: Outputs = ()  # of several targets: the classes of each, None for a number
    # How text, dates and large categories become columns, where there are such
    features: Features | None = None

    @cached_property
    def without_features(self) -> "ModelState":
        """The model of the columns that features make."""
        if self.features is None:
            return self
        return replace(self, features=None, schema=self.features.inner, missing=None, training_rows=None)

    @property
    def inner(self) -> Schema:
        """The columns the model itself sees."""
        if self.features is not None:
            return self.without_features.inner
        return self.schema if self.preparation is None else prepared_schema(self.preparation)

    def rows(self, table: Table) -> FloatAny:
        """A table as the matrix the model itself reads."""
        return matrix(self.schema, table) if self.preparation is None else numbers(self.preparation, table)

    @property
    def labels(self) -> Labels:
        schema = self.without_features.schema
        return labels_of(
            schema.names,
            schema.kinds,
            schema.levels,
            [] if self.classes is None else self.classes.tolist(),
            criterion=str(self.parameters.get("criterion", "")),
            target=self.target,
            missing=self.without_features.missing,
        )


def prepared_schema(preparation: Preparation) -> Schema:
    names = preparation.names
    number: Kind = "number"
    kinds = (number,) * len(names)
    return Schema(names, kinds, ((),) * len(names), named=False)
