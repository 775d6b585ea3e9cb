"""Sampled: a model that learns from so many rows at most.   In: an estimator, a number of rows.   Out: an estimator.

Which rows, the seed says; of each class its share. What it predicts with is `model_`, and `n_rows_` says what it saw.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from hedgerow.evaluate.data import take
from hedgerow.study.intake.split import hold_out


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "model_", self.estimator), name))


class Sampled(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    def __init__(self, estimator: Any, *, rows: int, seed: int = 0) -> None:
        self.estimator = estimator
        self.rows = rows
        self.seed = seed

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        kept = np.arange(len(y))
        if len(y) > self.rows:
            strata = (
                np.unique(y, return_inverse=True)[1]
                if self._estimator_type == "classifier"
                else np.zeros(len(y), int)
            )
            kept = hold_out(strata.astype(np.int64), self.rows / len(y), self.seed)[1]
        parts = {name: value if value is None else np.asarray(value)[kept] for name, value in more.items()}
        self.n_rows_ = len(kept)
        self.model_ = clone(self.estimator).fit(take(X, kept), np.asarray(y)[kept], **parts)
        return self

    @property
    def _estimator_type(self) -> str:
        return str(get_tags(self.estimator).estimator_type)

    @property
    def classes_(self) -> Any:
        return self.model_.classes_

    def predict(self, X: Any) -> Any:
        return self.model_.predict(X)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        return self.model_.predict_proba(X)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        return self.model_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)


def inner(model: Any) -> Any:
    """What a model of the panel predicts with, out of its wrappings: what is saved and explained."""
    model = getattr(model, "model_", model)
    return getattr(model, "best_estimator_", model)
