"""predict_proba for margins.   In: a classifier with scores.   Out: shares that agree with `predict`, from scores of
rows that each fold's machine has not seen."""

import warnings
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from hedgerow.svm.folds import deal
from hedgerow.svm.probability import Odds, odds_of
from hedgerow.svm.scale import ScaleWarning
from hedgerow.types import Float, Index

FOLDS = 5


def _asked_for(estimator: Any) -> bool:
    if estimator.probability:
        return True
    raise AttributeError(
        f"predict_proba is learned only when asked for: {type(estimator).__name__}(probability=True)."
    )


class Probability:
    """Mixed into a classifier with the parameter `probability`; its fit ends with `_learn_odds`."""

    probability: bool
    classes_: Any
    odds_: Odds

    def _learn_odds(self, X: Any, codes: Index, by_row: Float, weight: Float | None) -> None:
        """`by_row`: the weight of each row with its class's; rows of weight 0 take no part."""
        self.__dict__.pop("odds_", None)
        if not self.probability:
            return
        used = np.flatnonzero(by_row > 0)
        fold = _folds(codes, used, self.classes_)
        scores: Any = None
        for k in range(int(fold.max()) + 1):
            learn, held = used[fold != k], used[fold == k]
            model = clone(self).set_params(probability=False)
            if hasattr(self, "decision_function_shape"):
                model.set_params(decision_function_shape="ovr")
            some = None if weight is None else weight[learn]
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ScaleWarning)  # said once, of all rows
                model.fit(_taken(model, X, learn, learn), self.classes_[codes[learn]], some)
            found = model.decision_function(_taken(model, X, held, learn))
            if scores is None:
                scores = np.zeros((len(codes), *found.shape[1:]))
            scores[held] = found
        plain = np.ones(len(used)) if weight is None else weight[used]
        self.odds_ = odds_of(scores[used], codes[used], plain)

    @available_if(_asked_for)  # type: ignore[untyped-decorator]
    def predict_proba(self, X: Any) -> Float:
        """Shares of the classes; the largest is that of the class that `predict` gives."""
        check_is_fitted(self)
        model: Any = self
        scores = model._class_scores(X) if hasattr(self, "_class_scores") else model.decision_function(X)
        predicted = np.searchsorted(self.classes_, model.predict(X))
        return self.odds_.shares(scores, predicted)

    @available_if(_asked_for)  # type: ignore[untyped-decorator]
    def predict_log_proba(self, X: Any) -> Float:
        with np.errstate(divide="ignore"):
            return np.log(np.asarray(self.predict_proba(X), np.float64))


def _taken(model: Any, X: Any, rows: Any, columns: Any) -> Any:
    """Some rows; of a kernel matrix, against the rows that are learned from."""
    return X[np.ix_(rows, columns)] if getattr(model, "kernel", None) == "precomputed" else X[rows]


def _folds(codes: Index, used: Any, classes: Any) -> Any:
    """The fold of each used row; the rows of a class are dealt out in turn."""
    counts = np.bincount(codes[used], minlength=len(classes))
    least = int(counts.min())
    if least < 2:
        name = classes.tolist()[int(np.argmin(counts))]
        raise ValueError(
            f"probability=True learns from rows that a fold leaves out, so each class needs two rows; class {name!r} "
            f"has {least}. Use probability=False, or give more rows."
        )
    return deal(codes[used], min(FOLDS, least))
