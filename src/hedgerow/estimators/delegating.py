"""DelegatingEstimator: an estimator around another, which predicts with what it has fitted; unwrap, which gives that:
what is saved and explained; find_decision_scale.
"""

from typing import Any, ClassVar

from sklearn.base import BaseEstimator, MetaEstimatorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, self.FITTED, self.estimator), name))


class DelegatingEstimator(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    FITTED: ClassVar[str]  # the attribute that holds the estimator that was fitted
    estimator: Any

    @property
    def _fitted(self) -> Any:
        return getattr(self, self.FITTED)

    @property
    def classes_(self) -> Any:
        return self._fitted.classes_

    def predict(self, X: Any) -> Any:
        return self._fitted.predict(X)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        return self._fitted.predict_proba(X)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        return self._fitted.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)


def unwrap(model: Any) -> Any:
    """The fitted estimator inside, however often it is wrapped."""
    while isinstance(model, DelegatingEstimator):
        model = model._fitted
    return model


def find_decision_scale(model: Any) -> float:
    """What decision values are to be multiplied by before those of several fits are pooled: fits of a machine that
    searches C may choose different ones (GridSearchC). 1 for all others."""
    while hasattr(model, "model_"):
        model = model.model_
    return float(getattr(model, "decision_scale_", 1.0))
