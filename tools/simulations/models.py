"""Models for simulations: some so simple that they fit in a moment, some given, so that the truth is known."""

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin


class Fixed(ClassifierMixin, BaseEstimator):
    """Knows its probabilities beforehand: a logistic function of a weighted sum."""

    def __init__(self, weights: tuple[float, ...] = (1.0,), offset: float = 0.0) -> None:
        self.weights, self.offset = weights, offset
        self.classes_ = np.array([0, 1])

    def fit(self, X: Any, y: Any) -> "Fixed":
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return both(X[:, : len(self.weights)] @ np.array(self.weights) + self.offset)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return (self.predict_proba(X)[:, 1] > 0.5).astype(int)


class FixedNumber(RegressorMixin, BaseEstimator):
    def fit(self, X: Any, y: Any) -> "FixedNumber":
        self.fitted_ = True
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return X[:, 0] + 0.8


class Unstable(Fixed):
    """Learns from the first column or from noise, as a detail of its training rows has it."""

    def fit(self, X: Any, y: Any) -> "Unstable":
        self.weights = (1.5,) if int(1e6 * abs(X.sum())) % 2 else (0.0,) * 7 + (1.5,)
        return self


class Linear(ClassifierMixin, BaseEstimator):
    """Fisher's linear discriminant, in closed form."""

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Linear":
        self.classes_ = np.array([0, 1])
        means = np.array([X[y == 0].mean(axis=0), X[y == 1].mean(axis=0)])
        away = X - means[y]
        self.weights_ = np.linalg.solve(
            away.T @ away / len(y) + 1e-9 * np.eye(X.shape[1]), means[1] - means[0]
        )
        share = y.mean()
        self.offset_ = np.log(share / (1 - share)) - self.weights_ @ means.sum(axis=0) / 2
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return both(X @ self.weights_ + self.offset_)

    def predict(self, X: np.ndarray) -> np.ndarray:
        return (X @ self.weights_ + self.offset_ > 0).astype(int)


class LeastSquares(RegressorMixin, BaseEstimator):
    def fit(self, X: np.ndarray, y: np.ndarray) -> "LeastSquares":
        wide = np.column_stack([X, np.ones(len(X))])
        self.weights_ = np.linalg.solve(wide.T @ wide + 1e-6 * np.eye(wide.shape[1]), wide.T @ y)
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(X @ self.weights_[:-1] + self.weights_[-1])


class Columns(ClassifierMixin, BaseEstimator):
    """A model that sees only some of the columns."""

    def __init__(self, model: Any = None, columns: tuple[int, ...] = (0,)) -> None:
        self.model, self.columns = model, columns

    def fit(self, X: np.ndarray, y: np.ndarray) -> "Columns":
        from sklearn.base import clone

        self.fitted_ = clone(self.model).fit(X[:, self.columns], y)
        self.classes_ = self.fitted_.classes_
        return self

    def predict(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.fitted_.predict(X[:, self.columns]))

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        return np.asarray(self.fitted_.predict_proba(X[:, self.columns]))


def both(f: np.ndarray) -> np.ndarray:
    p = 1 / (1 + np.exp(-f))
    return np.column_stack([1 - p, p])
