"""Searched: a model that chooses one of its parameters for itself.   In: an estimator, values.   Out: an estimator.

Cross-validation inside the training rows; of equal scores the first value. scikit-learn's GridSearchCV does the same,
but wants rows it can index, which a Table is not.
"""

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if

from hedgerow.evaluate.data import take
from hedgerow.types import Count


def _has(name: str) -> Any:
    return available_if(lambda self: hasattr(getattr(self, "best_estimator_", self.estimator), name))


class Searched(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
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
        import warnings

        with warnings.catch_warnings():  # a class with fewer rows than folds is in some of them
            warnings.simplefilter("ignore", UserWarning)
            return list(kind(self.folds, shuffle=True, random_state=self.seed).split(np.zeros(len(y)), y))

    def _score(self, value: Any, X: Any, y: Any, weight: Any, train: Count, test: Count) -> float:
        part = None if weight is None else np.asarray(weight)[train]
        model = self._fitted(value, take(X, train), y[train], part)
        rest = None if weight is None else np.asarray(weight)[test]
        return float(model.score(take(X, test), y[test], **({} if rest is None else {"sample_weight": rest})))

    def _fitted(self, value: Any, X: Any, y: Any, weight: Any) -> Any:
        from hedgerow.evaluate.fold import weights

        model = clone(self.estimator).set_params(**{self.parameter: value})
        return model.fit(X, y, **weights(model, weight))

    @property
    def classes_(self) -> Any:
        return self.best_estimator_.classes_

    def predict(self, X: Any) -> Any:
        return self.best_estimator_.predict(X)

    @_has("predict_proba")  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Any:
        return self.best_estimator_.predict_proba(X)

    @_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> Any:
        return self.best_estimator_.decision_function(X)

    def __sklearn_tags__(self) -> Any:
        return get_tags(self.estimator)
