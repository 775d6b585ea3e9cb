"""Sampled: a model that learns from so many rows at most.   In: an estimator, a number of rows.   Out: an estimator.

Which rows, the seed says; of each class its share. What it predicts with is `model_`, and `n_rows_` says what it saw.
"""

from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier

from hedgerow.evaluation.data import take_rows
from hedgerow.intake.split import hold_out
from hedgerow.studies.wrapped import Wrapped


class Sampled(Wrapped):
    INSIDE = "model_"

    def __init__(self, estimator: Any, *, rows: int, seed: int = 0) -> None:
        self.estimator = estimator
        self.rows = rows
        self.seed = seed

    def fit(self, X: Any, y: Any, **more: Any) -> Self:
        kept = np.arange(len(y))
        if len(y) > self.rows:
            strata = (
                np.unique(y, return_inverse=True)[1]
                if is_classifier(self.estimator)
                else np.zeros(len(y), int)
            )
            kept = hold_out(strata.astype(np.int64), self.rows / len(y), self.seed)[1]
        parts = {name: value if value is None else np.asarray(value)[kept] for name, value in more.items()}
        self.n_rows_ = len(kept)
        self.model_ = clone(self.estimator).fit(take_rows(X, kept), np.asarray(y)[kept], **parts)
        return self
