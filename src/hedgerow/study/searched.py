"""Searched: a model that chooses one of its parameters for itself.   In: an estimator, values.   Out: an estimator.

Cross-validation inside the training rows; of equal scores the first value. scikit-learn's GridSearchCV does the same,
but wants rows it can index, which a Table is not.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold

from hedgerow.evaluate.data import take
from hedgerow.evaluate.fold import weights
from hedgerow.study.wrapped import Wrapped
from hedgerow.types import Count


class Searched(Wrapped):
    INSIDE = "best_estimator_"

    def __init__(
        self, estimator: Any, *, parameter: str, values: Sequence[Any], folds: int = 3, seed: int = 0
    ) -> None:
        self.estimator = estimator
        self.parameter = parameter
        self.values = values
        self.folds = folds
        self.seed = seed

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        y = np.asarray(y)
        splits = self._splits(y)
        scores = [
            np.mean([self._score(value, X, y, sample_weight, *split) for split in splits])
            for value in self.values
        ]
        best = self.values[int(np.argmax(scores))]
        self.best_params_ = {self.parameter: best}
        self.best_estimator_ = self._fitted(best, X, y, sample_weight)
        return self

    def _splits(self, y: Any) -> list[tuple[Count, Count]]:
        by_class = is_classifier(self.estimator) and np.unique(y, return_counts=True)[1].max() >= self.folds
        kind = StratifiedKFold if by_class else KFold
        with warnings.catch_warnings():  # a class with fewer rows than folds is in some of them
            warnings.simplefilter("ignore", UserWarning)
            return list(kind(self.folds, shuffle=True, random_state=self.seed).split(np.zeros(len(y)), y))

    def _score(self, value: Any, X: Any, y: Any, weight: Any, train: Count, test: Count) -> float:
        part = None if weight is None else np.asarray(weight)[train]
        model = self._fitted(value, take(X, train), y[train], part)
        rest = None if weight is None else np.asarray(weight)[test]
        return float(model.score(take(X, test), y[test], **({} if rest is None else {"sample_weight": rest})))

    def _fitted(self, value: Any, X: Any, y: Any, weight: Any) -> Any:
        model = clone(self.estimator).set_params(**{self.parameter: value})
        return model.fit(X, y, **weights(model, weight))
