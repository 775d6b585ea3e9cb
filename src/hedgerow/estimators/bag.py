"""What both ways of bagging (bag_trees.py, bag_any.py) know of their estimator."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.ensemble.columns import columns_of
from hedgerow.ensemble.draws import Draws
from hedgerow.estimators.bagging_params import validate_bagging
from hedgerow.estimators.forest_inspection import ForestInspectionMixin
from hedgerow.grow import Classes, ManyClasses, Outputs, Target
from hedgerow.types import Count


class Bag(ForestInspectionMixin):
    estimator: Any
    bootstrap_features: bool
    stop: str | None
    n_jobs: int | None
    draws_: Draws
    classes_: Any
    n_classes_: Any
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    n_outputs_: int = 1
    _tree_type: Any  # our own tree for the task
    _missing: frozenset[int]

    def _columns(self, t: int, n_columns: int) -> Count:
        size = validate_bagging(self).columns_a_member(n_columns)
        return columns_of(self.draws_.seed, t, n_columns, size, repeat=bool(self.bootstrap_features))

    def _drawn(self) -> Draws:
        return self.draws_

    def _classes(self) -> NDArray[Any] | None:
        return getattr(self, "classes_", None)

    def _n_outputs(self, target: Target) -> int:
        return target.n_classes if isinstance(target, Classes) else 1

    def _labels_of(self, target: Target | Outputs) -> NDArray[Any]:
        if isinstance(target, ManyClasses):
            columns = [classes[codes] for classes, codes in zip(self.classes_, target.codes.T, strict=True)]
            return np.column_stack(columns)
        if isinstance(target, Classes):
            return self.classes_[target.codes]  # type: ignore[no-any-return]
        return target.values
