"""Meta-estimators: an estimator around another, which predicts with what it has fitted.

GridSearchC    a support vector machine that chooses its C by cross-validation
Subsampled     a model that learns from so many rows at most
unwrap         what such an estimator predicts with: what is saved and explained
"""

import warnings
from collections.abc import Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.metaestimators import available_if

from hedgerow.estimators.bag_members import fit_estimator
from hedgerow.estimators.svr import SVR
from hedgerow.table import Table
from hedgerow.table.copies import find_copies
from hedgerow.table.split import hold_out, stratified_folds
from hedgerow.types import Count, Float


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


class GridSearchC(DelegatingEstimator):
    """A pipeline of a preparation and a support vector machine, with the best of some values of C.

        rows -> prepared once -> three folds x every C -> the best C -> a model of all rows

    Cross-validation inside the training rows; of equal scores the first value. The preparation looks at no target, so
    one for all folds of the search is enough. scikit-learn's GridSearchCV prepares anew for each fold and value.

    Numbers to predict are measured in their standard deviation: C and epsilon times that deviation give the same
    model as the target divided by it, and nothing has to be undone when predicting.
    """

    FITTED = "best_estimator_"

    def __init__(
        self, estimator: Pipeline, *, values: Sequence[float], folds: int = 3, random_state: int = 0
    ) -> None:
        self.estimator = estimator
        self.values = values
        self.folds = folds
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose C, then fit on all rows."""
        y, (first, last) = np.asarray(y), self.estimator.steps
        self.unit_ = 1.0 if is_classifier(self.estimator) else float(np.std(y)) or 1.0
        weight = None if sample_weight is None else np.asarray(sample_weight)
        preparation = clone(first[1])
        rows = preparation.fit_transform(X)
        scores = np.zeros(len(self.values))
        for train, test in self._splits(X, y):
            for k, value in enumerate(self.values):
                model = self._fit_model(value, rows, y, weight, train)
                scores[k] += self._score(model, rows, y, weight, test)
        best = self.values[int(np.argmax(scores))]
        self.best_params_ = {"C": best}
        model = self._fit_model(best, rows, y, weight, np.arange(len(y)))
        self.best_estimator_ = Pipeline([(first[0], preparation), (last[0], model)])
        return self

    def _splits(self, X: Any, y: Any) -> list[tuple[Count, Count]]:
        """Copies of a row are kept together."""
        sets = find_copies(X) if isinstance(X, Table) else None
        if sets is not None:
            strata = (
                np.unique(y, return_inverse=True)[1] if is_classifier(self.estimator) else np.zeros(len(y))
            )
            fold = stratified_folds(strata.astype(np.int64), self.folds, self.random_state, sets)
            return [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(self.folds)]
        by_class = is_classifier(self.estimator) and np.unique(y, return_counts=True)[1].max() >= self.folds
        kind = StratifiedKFold if by_class else KFold
        with warnings.catch_warnings():  # a class with fewer rows than folds is in some of them
            warnings.simplefilter("ignore", UserWarning)
            splitter = kind(self.folds, shuffle=True, random_state=self.random_state)
            return list(splitter.split(np.zeros(len(y)), y))

    def _fit_model(self, value: float, rows: Float, y: Any, weight: Float | None, train: Count) -> Any:
        part = None if weight is None else weight[train]
        model = clone(self.estimator[-1]).set_params(C=value * self.unit_)
        if not is_classifier(model):
            model.set_params(epsilon=model.epsilon * self.unit_)
        if isinstance(model, SVR):  # whose tolerance is in the units of the target
            model.set_params(tol=model.tol * self.unit_)
        return model.fit(rows[train], y[train], sample_weight=part)

    def _score(self, model: Any, rows: Float, y: Any, weight: Float | None, test: Count) -> float:
        """Accuracy; of numbers, minus the mean squared error."""
        predicted, part = model.predict(rows[test]), None if weight is None else weight[test]
        by_row = predicted == y[test] if is_classifier(self.estimator) else -((predicted - y[test]) ** 2)
        return float(np.average(by_row, weights=part))


class Subsampled(DelegatingEstimator):
    """A model that learns from at most so many rows, drawn by random_state; of each class its share.

    model_ : the fitted model.   n_rows_ : how many rows it has seen
    """

    FITTED = "model_"

    def __init__(self, estimator: Any, *, max_rows: int, random_state: int = 0) -> None:
        self.estimator = estimator
        self.max_rows = max_rows
        self.random_state = random_state

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        """Fit on the rows that are drawn."""
        kept = np.arange(len(y))
        if len(y) > self.max_rows:
            kept = hold_out(self._strata(y), self.max_rows / len(y), self.random_state)[1]
        parts = {name: value if value is None else np.asarray(value)[kept] for name, value in more.items()}
        self.n_rows_ = len(kept)
        rows = X.take(kept) if isinstance(X, Table) else _safe_indexing(X, kept)
        self.model_ = fit_estimator(clone(self.estimator), rows, np.asarray(y)[kept], **parts)
        return self

    def _strata(self, y: Any) -> Count:
        if is_classifier(self.estimator):
            return np.unique(y, return_inverse=True)[1].astype(np.int64)
        return np.zeros(len(y), np.int64)
