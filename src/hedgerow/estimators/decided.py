"""A fitted model with its decision.   In: a fitted estimator, a Decision.   Out: the same with calibrated
probabilities, classes by the operating point, or prediction intervals. What a study fits, and what its model file is
loaded as.
"""

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import ClassifierMixin, RegressorMixin, clone

from hedgerow.decision import Decision
from hedgerow.estimators.delegating import DelegatingEstimator
from hedgerow.estimators.exporting import ExportMixin
from hedgerow.estimators.with_features import model_inside
from hedgerow.svm.classes import two_sided
from hedgerow.types import Float


class DecidedModel(ExportMixin, DelegatingEstimator):
    """`estimator` is fitted already; `decision` was chosen on rows that its like had not seen."""

    FITTED = "estimator"

    def __init__(self, estimator: Any, decision: Decision) -> None:
        self.estimator = estimator
        self.decision = decision

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        """The estimator anew; the decision stays as it was chosen."""
        self.estimator.fit(X, y, **more)
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True


class CalibratedClassifier(ClassifierMixin, DecidedModel):  # type: ignore[misc]
    """predict_proba is calibrated; predict goes by `decision.point`, the operating point."""

    def predict_proba(self, X: Any) -> Float:
        calibrator = self.decision.calibrator
        if calibrator is None:
            return np.asarray(self.estimator.predict_proba(X))
        if calibrator.floor == 0:
            return calibrator.calibrate(two_sided(np.asarray(self.estimator.decision_function(X))))
        return calibrator.calibrate(np.asarray(self.estimator.predict_proba(X)))

    def predict(self, X: Any) -> NDArray[Any]:
        proba, point = self.predict_proba(X), self.decision.point
        codes = proba.argmax(axis=1) if point is None else point.decide(proba)
        return np.asarray(self.classes_[codes])


class SelfCalibrated(ClassifierMixin, DelegatingEstimator):  # type: ignore[misc]
    """A classifier without probabilities whose search leaves a `calibrator_` (GridSearchC), with the probabilities and
    classes that its model file has."""

    FITTED = "model_"

    def __init__(self, estimator: Any) -> None:
        self.estimator = estimator

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the estimator, and keep its calibrator."""
        weight = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.model_ = clone(self.estimator).fit(X, y, **weight)
        self.decided_ = decide_by(Decision(model_inside(self.model_).calibrator_), self.model_)
        return self

    def predict_proba(self, X: Any) -> Float:
        return np.asarray(self.decided_.predict_proba(X))

    def predict(self, X: Any) -> NDArray[Any]:
        return np.asarray(self.decided_.predict(X))


class IntervalRegressor(RegressorMixin, DecidedModel):  # type: ignore[misc]
    """predict_interval says between which numbers the truth lies, with so much coverage."""

    def predict_interval(self, X: Any, coverage: float = 0.9) -> tuple[Float, Float]:
        """Low and high ends."""
        if self.decision.intervals is None:
            raise ValueError("This model keeps no prediction intervals. Those of a study do.")
        return self.decision.intervals.interval(np.asarray(self.predict(X)), coverage)


def decide_by(decision: Decision, fitted: Any) -> DecidedModel:
    kind = CalibratedClassifier if hasattr(fitted, "classes_") else IntervalRegressor
    return kind(fitted, decision)
