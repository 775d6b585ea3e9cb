"""Searched: a machine that chooses its C for itself.   In: a pipeline of a preparation and a machine, values of C.
Out: an estimator.

    rows -> prepared once -> three folds x every C -> the best C -> a machine of all rows

Cross-validation inside the training rows; of equal scores the first value. The preparation looks at no target, so one
for all folds of the search is enough. scikit-learn's GridSearchCV prepares anew for each fold and value.

Numbers to predict are measured in their standard deviation: C and epsilon times that deviation give the same machine
as the target divided by it, and nothing has to be undone when predicting.
"""

import warnings
from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import Pipeline

from hedgerow.estimators import SVR
from hedgerow.studies.wrapped import Wrapped
from hedgerow.types import Count, Float


class Searched(Wrapped):
    INSIDE = "best_estimator_"

    def __init__(
        self, estimator: Pipeline, *, values: Sequence[float], folds: int = 3, seed: int = 0
    ) -> None:
        self.estimator = estimator
        self.values = values
        self.folds = folds
        self.seed = seed

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        y, (first, last) = np.asarray(y), self.estimator.steps
        self.unit_ = 1.0 if is_classifier(self.estimator) else float(np.std(y)) or 1.0
        weight = None if sample_weight is None else np.asarray(sample_weight)
        preparation = clone(first[1])
        rows = preparation.fit_transform(X)
        scores = np.zeros(len(self.values))
        for train, test in self._splits(y):
            for k, value in enumerate(self.values):
                machine = self._machine(value, rows, y, weight, train)
                scores[k] += self._score(machine, rows, y, weight, test)
        best = self.values[int(np.argmax(scores))]
        self.best_params_ = {"C": best}
        machine = self._machine(best, rows, y, weight, np.arange(len(y)))
        self.best_estimator_ = Pipeline([(first[0], preparation), (last[0], machine)])
        return self

    def _splits(self, y: Any) -> list[tuple[Count, Count]]:
        by_class = is_classifier(self.estimator) and np.unique(y, return_counts=True)[1].max() >= self.folds
        kind = StratifiedKFold if by_class else KFold
        with warnings.catch_warnings():  # a class with fewer rows than folds is in some of them
            warnings.simplefilter("ignore", UserWarning)
            return list(kind(self.folds, shuffle=True, random_state=self.seed).split(np.zeros(len(y)), y))

    def _machine(self, value: float, rows: Float, y: Any, weight: Float | None, train: Count) -> Any:
        part = None if weight is None else weight[train]
        machine = clone(self.estimator[-1]).set_params(C=value * self.unit_)
        if not is_classifier(machine):
            machine.set_params(epsilon=machine.epsilon * self.unit_)
        if isinstance(machine, SVR):  # whose tolerance is in the units of the target
            machine.set_params(tol=machine.tol * self.unit_)
        return machine.fit(rows[train], y[train], sample_weight=part)

    def _score(self, machine: Any, rows: Float, y: Any, weight: Float | None, test: Count) -> float:
        """The share of rows it has right; of numbers, less the mean squared error."""
        guess, part = machine.predict(rows[test]), None if weight is None else weight[test]
        by_row = guess == y[test] if is_classifier(self.estimator) else -((guess - y[test]) ** 2)
        return float(np.average(by_row, weights=part))
