"""predict_proba for margins.   In: a classifier with scores.   Out: shares that agree with `predict`, from scores of
rows that each fold's model has not seen."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hedgerow.estimators.outputs import log_of
from hedgerow.svm.calibrator import Calibrator, fit_calibrator
from hedgerow.svm.folds import assign_folds_by_key, hash_rows
from hedgerow.svm.scale import ScaleWarning
from hedgerow.types import Float, Index

FOLDS = 5


def _has_probability(estimator: Any) -> bool:
    if estimator.probability:
        return True
    raise AttributeError(
        f"predict_proba is fitted only on request: {type(estimator).__name__}(probability=True)."
    )


def refuse_late_probability(model: Any) -> None:
    """A model that is to be saved has what its parameters say."""
    if getattr(model, "probability", False) and not hasattr(model, "calibrator_"):
        name = type(model).__name__
        raise ValueError(f"probability=True was set after {name} was fitted. Fit it again before saving.")


class ProbabilityMixin:
    """Mixed into a classifier with the parameter `probability`; its fit ends with `_fit_calibrator`."""

    probability: bool
    classes_: Any
    calibrator_: Calibrator

    def _fit_calibrator(self, X: Any, codes: Index, by_row: Float, weight: Float | None) -> None:
        """`by_row`: the weight of each row with its class's; rows of weight 0 take no part."""
        self.__dict__.pop("calibrator_", None)
        if not self.probability:
            return
        used = np.flatnonzero(by_row > 0)
        keys = used.astype(np.uint64) if _is_matrix(self) or X.ndim == 1 else hash_rows(X)[used]
        fold = assign_folds_by_key(codes[used], keys, FOLDS)
        by_row = np.ones(len(codes)) if weight is None else weight
        scores: Any = None
        for k in np.unique(fold[fold >= 0]):
            learn, held = used[fold != k], used[fold == k]
            model = clone(self).set_params(probability=False)
            if hasattr(self, "decision_function_shape"):
                model.set_params(decision_function_shape="ovr")
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ScaleWarning)  # warned once, of all rows
                model.fit(_take(model, X, learn, learn), self.classes_[codes[learn]], by_row[learn])
            found = model.decision_function(_take(model, X, held, learn))
            if scores is None:
                scores = np.zeros((len(codes), *found.shape[1:]))
            scores[held] = found
        scored = used[fold >= 0]
        if len(scored) == 0:  # a single row in each class: nothing can be left out
            me: Any = self
            scored = used
            scores = me._class_scores(X) if hasattr(self, "_class_scores") else me.decision_function(X)
        self.calibrator_ = fit_calibrator(scores[scored], codes[scored], by_row[scored])

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Float:
        """Predict the probability of each class; the largest is that of the class that `predict` gives."""
        check_is_fitted(self)
        if not hasattr(self, "calibrator_"):
            raise NotFittedError(
                "predict_proba is not available when fitted with probability=False: probability=True was set after the "
                f"fit. Fit this {type(self).__name__} again."
            )
        model: Any = self
        scores = model._class_scores(X) if hasattr(self, "_class_scores") else model.decision_function(X)
        predicted = np.searchsorted(self.classes_, model.predict(X))
        return self.calibrator_.probabilities(scores, predicted)

    @available_if(_has_probability)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Any:
        return log_of(self.predict_proba(X))


def _is_matrix(model: Any) -> bool:
    return bool(getattr(model, "kernel", None) == "precomputed")


def _take(model: Any, X: Any, rows: Any, columns: Any) -> Any:
    """Some rows; of a kernel matrix, against the rows that are learned from."""
    return X[np.ix_(rows, columns)] if _is_matrix(model) else X[rows]
