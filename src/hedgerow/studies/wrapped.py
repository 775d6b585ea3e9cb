"""Wrapped: an estimator around another, which predicts with what it has fitted.   Sampled and Searched are such."""

from typing import Any, ClassVar

from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, self.INSIDE, self.estimator), name))


class Wrapped(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    INSIDE: ClassVar[str]  # the attribute that holds what was fitted
    estimator: Any

    @property
    def _inside(self) -> Any:
        return getattr(self, self.INSIDE)

    @property
    def classes_(self) -> Any:
        return self._inside.classes_

    def predict(self, X: Any) -> Any:
        return self._inside.predict(X)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        return self._inside.predict_proba(X)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        return self._inside.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)


def inner(model: Any) -> Any:
    """What a model of the panel predicts with, out of its wrappings: what is saved and explained."""
    while isinstance(model, Wrapped):
        model = model._inside
    return model
