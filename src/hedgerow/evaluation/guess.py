"""What a model says of rows.   In: a fitted model, rows.   Out: a Guess: classes as numbers, chances, an order."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.evaluation.data import count_rows
from hedgerow.types import Count, Float

LEAST = float(np.finfo(np.float64).min)  # the order of a class that the training rows did not have


@dataclass(frozen=True, eq=False)
class Guess:
    values: NDArray[Any]  # class numbers (-1: a label that is no class), or numbers
    chances: Float | None = None  # rows x classes
    order: Float | None = (
        None  # rows x classes: larger = more likely of the class; chances where there are some
    )

    def take(self, rows: Count) -> "Guess":
        return replace(
            self,
            values=self.values[rows],
            chances=None if self.chances is None else self.chances[rows],
            order=None if self.order is None else self.order[rows],
        )


def guess_of(model: Any, rows: Any, classes: NDArray[Any] | None) -> Guess:
    said = np.asarray(model.predict(rows))
    _one_a_row(said, count_rows(rows), "predict")
    if classes is None:
        return Guess(_finite(said.reshape(-1).astype(np.float64), "predict"))
    values = _numbers(said.reshape(-1), classes)
    if hasattr(model, "predict_proba"):
        given = np.asarray(model.predict_proba(rows), np.float64)
        _one_a_row(given, len(values), "predict_proba")
        chances = _all_classes(given, model, classes, 0.0)
        return Guess(values, _finite(chances, "predict_proba"), chances)
    if hasattr(model, "decision_function"):
        order = np.asarray(model.decision_function(rows), np.float64)
        _one_a_row(order, len(values), "decision_function")
        if order.ndim == 1:
            order = np.column_stack([-order, order])
        return Guess(values, None, _finite(_all_classes(order, model, classes, LEAST), "decision_function"))
    return Guess(values)


def _numbers(said: NDArray[Any], classes: NDArray[Any]) -> Count:
    """Labels as places in `classes`."""
    if said.dtype.kind == classes.dtype.kind and said.dtype.kind in "iufbU":
        order = np.argsort(classes)
        place = order[np.minimum(np.searchsorted(classes, said, sorter=order), len(classes) - 1)]
        return np.where(classes[place] == said, place, -1)
    number = {label: k for k, label in enumerate(classes.tolist())}
    return np.array([number.get(label, -1) for label in said.tolist()], np.int64)


def _all_classes(given: Float, model: Any, classes: NDArray[Any], absent: float) -> Float:
    """Columns in the order of `classes`; a class the training rows did not have gets `absent`."""
    known = getattr(model, "classes_", classes)
    if given.shape[1] == 2 and len(known) == 1:
        given = given[:, :1]
    place = _numbers(np.asarray(known), classes)
    out = np.full((len(given), len(classes)), absent)
    out[:, place[place >= 0]] = given[:, place >= 0]
    return out


def _one_a_row(given: NDArray[Any], n_rows: int, method: str) -> None:
    if given.ndim == 0 or len(given) != n_rows:
        raise ValueError(f"{method} answered with shape {given.shape} for {n_rows} rows")


def _finite(given: Float, method: str) -> Float:
    if not np.isfinite(given).all():
        wrong = int(np.count_nonzero(~np.isfinite(given).reshape(len(given), -1).all(axis=1)))
        raise ValueError(f"{method} answered NaN or infinity for {wrong} of {len(given)} rows")
    return given
