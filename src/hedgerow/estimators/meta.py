"""Meta-estimators: an estimator around another, which predicts with what it has fitted.

GridSearchC    a support vector machine that chooses its C by cross-validation
EarlyStopped   boosting that finds its rounds on rows held out inside, and then learns from all
Subsampled     a model that learns from so many rows at most
CostWeighted   a classifier to which a row counts as much as a mistake about it costs
"""

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from sklearn.base import clone, is_classifier
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from hedgerow.decision import ProbabilityCalibrator, fit_calibrator
from hedgerow.estimators.bag_members import fit_estimator, take_rows
from hedgerow.estimators.delegating import DelegatingEstimator
from hedgerow.estimators.svr import SVR
from hedgerow.stream import is_stream, to_stream
from hedgerow.svm.classes import two_sided
from hedgerow.svm.scale import ScaleWarning
from hedgerow.table import Table
from hedgerow.table.copies import find_copies
from hedgerow.table.split import hold_out, stratified_folds
from hedgerow.types import Count, Float

Splits = list[tuple[Count, Count]]  # training rows, test rows


class GridSearchC(DelegatingEstimator):
    """A support vector machine, or a pipeline of a preparation and one, with the best of some values of C.

        rows -> prepared once -> three folds x values of C -> the best C -> a model of all rows

    Cross-validation inside the training rows, by the log loss of calibrated decision values (of numbers: the squared
    error); of equal ones the first value. Values rise, and the search ends where the loss does: large ones take the
    longest, and are hardly ever best after a worse one. The preparation looks at no target, so one for all folds of the
    search is enough. scikit-learn's GridSearchCV prepares anew for each fold and value.

    With in_order rows are in the order of time, and each fold is tested by a model of the rows before it.

    Numbers to predict are measured in their standard deviation: C and epsilon times that deviation give the same
    model as the target divided by it, and nothing has to be undone when predicting.

    best_estimator_ : the pipeline.   best_params_ : C.   calibrator_ : of its decision values, for classes
    decision_scale_ : times decision values, log-odds but for a constant: of one size whatever C is
    """

    FITTED = "best_estimator_"

    def __init__(
        self,
        estimator: Any,
        *,
        values: Sequence[float],
        folds: int = 3,
        in_order: bool = False,
        random_state: int = 0,
    ) -> None:
        self.estimator = estimator
        self.values = values
        self.folds = folds
        self.in_order = in_order
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Choose C, then fit on all rows."""
        y, steps = np.asarray(y), getattr(self.estimator, "steps", None)
        self.unit_ = 1.0 if is_classifier(self.estimator) else float(np.std(y)) or 1.0
        weight = None if sample_weight is None else np.asarray(sample_weight)
        preparation = None if steps is None else clone(steps[0][1])
        rows = X if preparation is None else preparation.fit_transform(X)
        best = self._choose(X, rows, y, weight)
        self.best_params_ = {"C": best}
        model = self._fit_model(best, rows, y, weight, np.arange(len(y)))
        self.best_estimator_ = (
            model if steps is None else Pipeline([(steps[0][0], preparation), (steps[1][0], model)])
        )
        return self

    def _splits(self, X: Any, y: Any) -> Splits:
        """Copies of a row are kept together."""
        forward = self._forward_splits(y) if self.in_order else []
        if forward:
            return forward
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

    def _forward_splits(self, y: Any) -> Splits:
        """Blocks of rows, each tested by those before it, where these have all classes."""
        blocks = np.array_split(np.arange(len(y)), self.folds + 1)
        splits = [(np.concatenate(blocks[:k]), blocks[k]) for k in range(1, len(blocks))]
        n_classes = len(np.unique(y)) if is_classifier(self.estimator) else 0
        return [
            (train, test)
            for train, test in splits
            if len(train) and len(test) and (not n_classes or len(np.unique(y[train])) == n_classes)
        ]

    def _fit_model(self, value: float, rows: Float, y: Any, weight: Float | None, train: Count) -> Any:
        part = None if weight is None else weight[train]
        machine = self.estimator[-1] if hasattr(self.estimator, "steps") else self.estimator
        model = clone(machine).set_params(C=value * self.unit_)
        if not is_classifier(model):
            model.set_params(epsilon=model.epsilon * self.unit_)
        if isinstance(model, SVR):  # whose tolerance is in the units of the target
            model.set_params(tol=model.tol * self.unit_)
        with warnings.catch_warnings():
            # An outlier of another fold gave the column its scale
            warnings.simplefilter("ignore", ScaleWarning)
            return model.fit(rows[train], y[train], sample_weight=part)

    def _choose(self, X: Any, rows: Float, y: Any, weight: Float | None) -> float:
        """The value whose models have the least loss on rows they have not seen: the log loss of calibrated decision
        values; of numbers, the squared error."""
        splits = self._splits(X, y)
        if not is_classifier(self.estimator):
            return self._search(lambda value: (self._squared_error(value, splits, rows, y, weight), None))[0]
        classes, codes = np.unique(y, return_inverse=True)
        by_row = np.ones(len(y)) if weight is None else weight
        tested = np.concatenate([test for _, test in splits])
        tested = tested[by_row[tested] > 0]

        def judge(value: float) -> tuple[float, ProbabilityCalibrator]:
            decision = np.full((len(y), len(classes)), -np.inf)  # a class that a fold lacks stands far out
            for train, test in splits:
                model = self._fit_model(value, rows, y, weight, train)
                columns = np.searchsorted(classes, model.classes_)
                decision[np.ix_(test, columns)] = two_sided(model.decision_function(rows[test]))
            return _calibrate(decision[tested], codes[tested], by_row[tested])

        best, self.calibrator_ = self._search(judge)
        self.decision_scale_ = self.calibrator_.slope[0] / self.calibrator_.unit
        return best

    def _search(self, judge: Callable[[float], tuple[float, Any]]) -> tuple[float, Any]:
        """The best value, and what else `judge` found for it. Of rising values, until the loss rises."""
        best, least, found = self.values[0], *judge(self.values[0])
        for value in self.values[1:]:
            loss, other = judge(value)
            if loss > least:
                break
            if loss < least:
                best, least, found = value, loss, other
        return best, found

    def _squared_error(
        self, value: float, splits: Splits, rows: Float, y: Any, weight: Float | None
    ) -> float:
        total = 0.0
        for train, test in splits:
            predicted = self._fit_model(value, rows, y, weight, train).predict(rows[test])
            part = None if weight is None else weight[test]
            total += float(np.average((predicted - y[test]) ** 2, weights=part))
        return total


def _calibrate(decision: Float, codes: Count, weight: Float) -> tuple[float, ProbabilityCalibrator]:
    """The log loss after calibration, and the calibrator."""
    calibrator = fit_calibrator(decision, codes, weight, is_proba=False, form="platt")
    of_truth = calibrator.calibrate(decision)[np.arange(len(codes)), codes]
    loss = -np.average(np.log(np.maximum(of_truth, np.finfo(np.float64).tiny)), weights=weight)
    return float(loss), calibrator


class EarlyStopped(DelegatingEstimator):
    """Boosting with as many rounds as rows held out inside say; then fitted anew, with so many rounds, on all rows: the
    tenth that had to judge counts too. Of more than max_rows a tenth changes little: the first fit is kept. X may be a
    stream, and y the name of its target.

    With in_order rows are in the order of time, and the last tenth is held out; where the others lack a class of it,
    a tenth at random, as without.

    best_estimator_ : the fitted model.   validation_score_ : by round, on the rows that were held out
    """

    FITTED = "best_estimator_"

    def __init__(self, estimator: Any, *, max_rows: int = 20_000, in_order: bool = False) -> None:
        self.estimator = estimator
        self.max_rows = max_rows
        self.in_order = in_order

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the rounds, then fit on all rows."""
        if is_stream(X, y):
            X = to_stream(X)
            n_rows, model = X.count_rows(), clone(self.estimator).fit(X, y, sample_weight)
        else:
            n_rows, model = len(y), self._fit_first(X, np.asarray(y), sample_weight)
        self.validation_score_ = getattr(model, "validation_score_", np.empty(0))
        if n_rows <= self.max_rows:
            rounds = max(1, int(np.argmax(model.validation_score_)))  # the first score is that of no round
            model = clone(self.estimator).set_params(max_iter=rounds, early_stopping=False)
            model.fit(X, y, sample_weight=sample_weight)
        self.best_estimator_ = model
        return self

    def _fit_first(self, X: Any, y: Any, sample_weight: Any) -> Any:
        model = clone(self.estimator)
        cut = len(y) - max(1, round(model.validation_fraction * len(y)))
        if not self.in_order or cut < 2 or (is_classifier(model) and len(set(y[:cut])) < len(set(y))):
            return model.fit(X, y, sample_weight=sample_weight)
        first, last = (take_rows(X, rows) for rows in np.split(np.arange(len(y)), [cut]))
        weight = None if sample_weight is None else np.asarray(sample_weight)
        early = None if weight is None else weight[:cut]
        if has_fit_parameter(model, "validation"):
            return model.fit(first, y[:cut], sample_weight=early, validation=(last, y[cut:]))
        late = None if weight is None else weight[cut:]
        return model.fit(
            first, y[:cut], sample_weight=early, X_val=last, y_val=y[cut:], sample_weight_val=late
        )


class Subsampled(DelegatingEstimator):
    """A model that learns from at most so many rows, drawn by random_state; of each class its share.

    model_ : the fitted model.   n_rows_ : how many rows it has seen
    """

    FITTED = "model_"

    def __init__(self, estimator: Any, *, max_rows: int, random_state: int = 0) -> None:
        self.estimator = estimator
        self.max_rows = max_rows
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit on the rows that are drawn."""
        kept = np.arange(len(y))
        if len(y) > self.max_rows:
            kept = hold_out(self._strata(y), self.max_rows / len(y), self.random_state)[1]
        weight = {} if sample_weight is None else {"sample_weight": np.asarray(sample_weight)[kept]}
        self.n_rows_ = len(kept)
        rows = take_rows(X, kept)
        self.model_ = fit_estimator(clone(self.estimator), rows, np.asarray(y)[kept], **weight)
        return self

    def _strata(self, y: Any) -> Count:
        if is_classifier(self.estimator):
            return np.unique(y, return_inverse=True)[1].astype(np.int64)
        return np.zeros(len(y), np.int64)


class CostWeighted(DelegatingEstimator):
    """A classifier that learns from rows weighted by what a mistake about their class costs. What it chooses for itself
    (rounds, pruning, C) it chooses by these weights too; its probabilities want to be calibrated.

    costs : of each class.   model_ : the fitted model
    """

    FITTED = "model_"

    def __init__(self, estimator: Any, *, costs: Mapping[Any, float]) -> None:
        self.estimator = estimator
        self.costs = costs

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit with the weights of the rows times those of their classes."""
        weight = weigh_by_cost(np.asarray(y), self.costs, sample_weight)
        self.model_ = fit_estimator(clone(self.estimator), X, y, sample_weight=weight)
        return self


def weigh_by_cost(labels: Any, costs: Mapping[Any, float], weight: Any = None) -> Float:
    """Weights of rows, 1 on average where they were 1: those given times the cost of their class."""
    classes, codes = np.unique(labels, return_inverse=True)
    each = np.array([costs[label] for label in classes.tolist()])[codes]
    each = each / each.mean()
    return np.asarray(each if weight is None else each * np.asarray(weight))
