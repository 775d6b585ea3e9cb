"""Models for simulations: some of hedgerow, some made up so that the truth is known."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin


class Fixed(ClassifierMixin, BaseEstimator):
    """Knows its chances beforehand: a logistic function of a weighted sum."""

    def __init__(self, weights: tuple[float, ...] = (1.0,), offset: float = 0.0) -> None:
        self.weights, self.offset = weights, offset
        self.classes_ = np.array([0, 1])

    def fit(self, X: Any, y: Any) -> "Fixed":
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        p = 1 / (1 + np.exp(-(X[:, : len(self.weights)] @ np.array(self.weights) + self.offset)))
        return np.column_stack([1 - p, p])

    def predict(self, X: np.ndarray) -> np.ndarray:
        return (self.predict_proba(X)[:, 1] > 0.5).astype(int)


class FixedNumber(RegressorMixin, BaseEstimator):
    def fit(self, X: Any, y: Any) -> "FixedNumber":
        self.fitted_ = True
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return X[:, 0] + 0.8


class Columns(ClassifierMixin, BaseEstimator):
    """A model that sees only some of the columns."""

    def __init__(self, model: Any = None, first: int = 0, last: int = 1) -> None:
        self.model, self.first, self.last = model, first, last

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Columns":
        from sklearn.base import clone

        self.fitted_ = clone(self.model).fit(X[:, self.first : self.last], y)
        self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.fitted_.predict(X[:, self.first : self.last]))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.fitted_.predict_proba(X[:, self.first : self.last]))
