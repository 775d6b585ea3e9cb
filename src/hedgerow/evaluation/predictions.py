"""Predictions of one model, and what a metric is given.   In: a fitted model, rows.   Out: Predictions; ScoringData.

Predictions hold class numbers (places in the order of Data.classes), probabilities and decision values where the model
has them; ScoringData adds the true values and the weights.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.estimators.delegating import find_decision_scale
from hedgerow.evaluation.data import Data, count_rows
from hedgerow.types import Count, Float, Mask

LOWEST = float(np.finfo(np.float64).min)  # the decision value of a class that the training rows did not have


@dataclass(frozen=True, eq=False)
class Predictions:
    values: NDArray[Any]  # class numbers (-1: a label that is no class), or numbers
    proba: Float | None = None  # rows x classes
    # Rows x classes, larger = more likely; the probabilities where there are some
    decision: Float | None = None

    def take(self, rows: Count) -> "Predictions":
        return replace(
            self,
            values=self.values[rows],
            proba=None if self.proba is None else self.proba[rows],
            decision=None if self.decision is None else self.decision[rows],
        )


@dataclass(frozen=True, eq=False)
class ScoringData:
    """Rows with their true values and what a model predicts for them."""

    y_true: NDArray[Any]  # class numbers, or numbers
    predictions: Predictions
    weight: Float
    n_classes: int  # 0: a regression

    def take(self, rows: Count) -> "ScoringData":
        return ScoringData(self.y_true[rows], self.predictions.take(rows), self.weight[rows], self.n_classes)

    @property
    def y_pred(self) -> NDArray[Any]:
        return self.predictions.values

    @property
    def proba(self) -> Float:
        assert self.predictions.proba is not None
        return self.predictions.proba

    @property
    def decision(self) -> Float:
        assert self.predictions.decision is not None
        return self.predictions.decision

    @property
    def normalized_weight(self) -> Float:
        """Weights that sum to one."""
        return np.asarray(self.weight / self.weight.sum())

    @property
    def scored_classes(self) -> list[int]:
        """Whose precision and recall count: the positive class, or of more than two all that occur."""
        if self.n_classes == 2:
            return [1]
        return np.union1d(self.y_true, self.y_pred[self.y_pred >= 0]).tolist()  # type: ignore[no-any-return]

    @property
    def true_classes(self) -> list[int]:
        return np.unique(self.y_true).tolist()  # type: ignore[no-any-return]


def make_scoring_data(data: Data, rows: Count, predictions: Predictions) -> ScoringData:
    weight = np.ones(len(rows)) if data.weight is None else data.weight[rows]
    return ScoringData(data.y[rows], predictions, weight, 0 if data.classes is None else len(data.classes))


def concat_scoring_data(parts: list[ScoringData]) -> ScoringData:
    def joined(name: str) -> Any:
        found = [getattr(part.predictions, name) for part in parts]
        return None if any(one is None for one in found) else np.concatenate(found)

    return ScoringData(
        np.concatenate([part.y_true for part in parts]),
        Predictions(joined("values"), joined("proba"), joined("decision")),
        np.concatenate([part.weight for part in parts]),
        parts[0].n_classes,
    )


def predict_all(
    model: Any,
    rows: Any,
    classes: NDArray[Any] | None,
    n_trained: int | None = None,
    *,
    classify: bool = True,
) -> Predictions:
    """`n_trained`: rows that it was fitted on; if not known, as many as these. `classify`: False where scores are all
    that counts; of a model that has them, the class is then the one of the largest, and `predict` is not called."""
    if classes is None:
        return Predictions(_check_finite(_predict(model, rows).astype(np.float64), "predict"))
    values = _class_numbers(_predict(model, rows), classes) if classify else None
    proba, decision = _score_classes(model, rows, classes, n_trained)
    if values is None:
        values = (
            _class_numbers(_predict(model, rows), classes) if decision is None else decision.argmax(axis=1)
        )
    return Predictions(values, proba, decision)


def _predict(model: Any, rows: Any) -> NDArray[Any]:
    predicted = np.asarray(model.predict(rows))
    _check_length(predicted, count_rows(rows), "predict")
    return predicted.reshape(-1)


def _score_classes(
    model: Any, rows: Any, classes: NDArray[Any], n_trained: int | None
) -> tuple[Float | None, Float | None]:
    """Probabilities and decision values, as far as the model has them."""
    n_rows = count_rows(rows)
    if hasattr(model, "predict_proba"):
        given = np.asarray(model.predict_proba(rows), np.float64)
        _check_length(given, n_rows, "predict_proba")
        proba, is_known = _all_classes(given, model, classes, 0.0)
        proba = give_unseen(proba, is_known, n_rows if n_trained is None else n_trained)
        return _check_finite(proba, "predict_proba"), proba
    if hasattr(model, "decision_function"):
        given = np.asarray(model.decision_function(rows), np.float64)
        _check_length(given, n_rows, "decision_function")
        if given.ndim == 1:
            given = np.column_stack([-given, given])
        decision, _ = _all_classes(given * find_decision_scale(model), model, classes, LOWEST)
        return None, _check_finite(decision, "decision_function")
    return None, None


def _class_numbers(labels: NDArray[Any], classes: NDArray[Any]) -> Count:
    """Labels as places in `classes`; -1 for a label that is not among them."""
    if labels.dtype.kind == classes.dtype.kind and labels.dtype.kind in "iufbU":
        order = np.argsort(classes)
        place = order[np.minimum(np.searchsorted(classes, labels, sorter=order), len(classes) - 1)]
        return np.where(classes[place] == labels, place, -1)
    number = {label: k for k, label in enumerate(classes.tolist())}
    return np.array([number.get(label, -1) for label in labels.tolist()], np.int64)


def give_unseen(proba: Float, is_known: Mask, n_trained: int) -> Float:
    """A class that none of n training rows had gets 1 / (n + 2), by Laplace's rule (one of several: a little less),
    from every model: no model can know it, and a probability of 0 would let one such row decide."""
    unseen = np.count_nonzero(~is_known)
    if not unseen:
        return proba
    least = 1 / (n_trained + 1 + unseen)
    total = proba[:, is_known].sum(axis=1, keepdims=True)
    scaled = proba / np.where(total > 0, total, 1.0) * (1 - unseen * least)
    return np.where(is_known, scaled, least)


def _all_classes(given: Float, model: Any, classes: NDArray[Any], absent: float) -> tuple[Float, Mask]:
    """Columns in the order of `classes`, and which of these the training rows had; others get `absent`."""
    known = getattr(model, "classes_", classes)
    if given.shape[1] == 2 and len(known) == 1:
        given = given[:, :1]
    place = _class_numbers(np.asarray(known), classes)
    out = np.full((len(given), len(classes)), absent)
    out[:, place[place >= 0]] = given[:, place >= 0]
    return out, np.isin(np.arange(len(classes)), place)


def _check_length(given: NDArray[Any], n_rows: int, method: str) -> None:
    if given.ndim == 0 or len(given) != n_rows:
        raise ValueError(f"{method} answered with shape {given.shape} for {n_rows} rows")


def _check_finite(given: Float, method: str) -> Float:
    if not np.isfinite(given).all():
        wrong = int(np.count_nonzero(~np.isfinite(given).reshape(len(given), -1).all(axis=1)))
        raise ValueError(f"{method} answered NaN or infinity for {wrong} of {len(given)} rows")
    return given
