"""The operating point.   In: calibrated probabilities of rows the model has not seen, an Aim.   Out: OperatingPoint,
which turns probabilities into classes.

With calibrated probabilities three aims need no search, and so have no luck in them:

    accuracy            the likeliest class; of two, from 1/2 on
    cost                the class of the least expected cost; of two, from c01 / (c01 + c10) on
    balanced_accuracy   the class whose probability is the largest multiple of its share of the rows

F1, a recall, a precision and the top share are searched for among the probabilities themselves, between two rows.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow.decision.aim import ANY_CLASSES, Aim, write_costs
from hedgerow.errors import ParameterError
from hedgerow.types import Count, Float


@dataclass(frozen=True)
class OperatingPoint:
    """Of two classes a threshold; of more, or where being right costs something, costs: truth x prediction."""

    aim: str  # "the least expected cost"
    positive: int  # of two classes
    threshold: float | None  # predict the positive class from this probability on
    costs: tuple[tuple[float, ...], ...] = ()

    def decide(self, proba: Float) -> Count:
        """Rows x classes -> class numbers."""
        if self.threshold is not None:
            is_positive = proba[:, self.positive] >= self.threshold
            return np.where(is_positive, self.positive, 1 - self.positive).astype(np.int64)
        if not self.costs:
            return np.asarray(np.argmax(proba, axis=1))
        return np.asarray(np.argmin(proba @ np.asarray(self.costs), axis=1))

    def reorder(self, order: Count) -> "OperatingPoint":
        """For classes in another order, or fewer of them."""
        places = [int(k) for k in order]
        costs = tuple(tuple(self.costs[j][k] for k in places) for j in places) if self.costs else ()
        if len(places) < 2:
            return OperatingPoint(self.aim, 0, None, costs)
        positive = places.index(self.positive) if self.threshold is not None else 0
        return OperatingPoint(self.aim, positive, self.threshold, costs)


def cost_matrix(aim: Aim, classes: Sequence[Any]) -> Float:
    """Truth x prediction. What was not named costs nothing."""
    names = [str(label) for label in classes]
    matrix = np.zeros((len(names), len(names)))
    for truth, prediction, value in aim.costs:
        for label in (truth, prediction):
            if label not in names:
                raise ParameterError(
                    "{cost} names the class {}, which the target does not have. Classes: {}.",
                    label,
                    ", ".join(names[:20]),
                    cost=write_costs(((truth, prediction, value),)),
                )
        matrix[names.index(truth), names.index(prediction)] = value
    return matrix


def class_costs(aim: Aim, classes: Sequence[Any]) -> dict[Any, float]:
    """What a mistake about a row of each class costs: the mean of the other predictions, above being right; at least a
    hundredth of the dearest, so that every class is learned."""
    matrix = cost_matrix(aim, classes)
    extra = (matrix - np.diag(matrix)[:, None]).sum(axis=1) / (len(classes) - 1)
    return dict(zip(classes, np.maximum(extra, extra.max() / 100).tolist(), strict=True))


def check_aim(aim: Aim, classes: Sequence[Any] | None) -> None:
    """Refuses an aim that does not fit the target."""
    if classes is None and aim.costs:
        raise ParameterError(
            "{cost} is for classes, but the target holds numbers. Leave it out.",
            cost=write_costs(aim.costs[:1]),
        )
    if classes is None:
        raise ParameterError(
            "{aim} is for classes, but the target holds numbers. Leave it out.", aim=aim.name
        )
    if len(classes) > 2 and aim.name not in ANY_CLASSES:
        raise ParameterError(
            "{aim} is for two classes, but the target has {}. For more: {}.",
            len(classes),
            ", ".join(ANY_CLASSES),
            aim=aim.name,
        )
    if aim.costs:
        cost_matrix(aim, classes)


def choose_operating_point(
    aim: Aim, proba: Float, codes: Count, weight: Float, classes: Sequence[Any]
) -> OperatingPoint:
    """Of two classes the second is the positive one."""
    n_classes = proba.shape[1]
    if aim.name == "cost":
        costs = cost_matrix(aim, classes)
    elif aim.name == "balanced_accuracy":
        share = np.bincount(codes, weight, n_classes) / weight.sum()
        costs = (1 - np.eye(n_classes)) / np.maximum(share, 1 / len(codes))[:, None]
    else:
        costs = 1 - np.eye(n_classes)
    if n_classes > 2:
        plain = aim.name == "accuracy"
        return OperatingPoint(
            aim.title, 0, None, () if plain else tuple(tuple(row) for row in costs.tolist())
        )
    if aim.name in ANY_CLASSES:
        return OperatingPoint(aim.title, 1, _break_even(costs))
    return OperatingPoint(aim.title, 1, _search(aim, proba[:, 1], codes == 1, weight))


def _break_even(costs: Float) -> float:
    """The probability from which on predicting the positive class costs no more than the other; 2: never."""
    false_alarm, missed = costs[0, 1] - costs[0, 0], costs[1, 0] - costs[1, 1]
    total = false_alarm + missed
    if total <= 0:
        return 0.0 if missed > false_alarm else 2.0
    return float(np.clip(false_alarm / total, 0.0, 2.0))


def _search(aim: Aim, proba: Float, is_positive: Any, weight: Float) -> float:
    """Among the thresholds that make a difference."""
    share = aim.share or 0.0
    order = np.argsort(-proba, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(proba[order])), len(order) - 1)
    found = np.cumsum((weight * is_positive)[order])[ends]
    alarms = np.cumsum(weight[order])[ends]
    precision, recall = found / alarms, found / max(found[-1], 1e-300)
    if aim.name == "f1":
        best = int(np.argmax(2 * found / (alarms + found[-1])))
    elif aim.name == "top":
        best = int(np.searchsorted(alarms, share * alarms[-1] - 1e-9))
    elif aim.name == "recall":
        best = int(np.searchsorted(recall, share - 1e-9))
    else:
        good = np.flatnonzero(precision >= share - 1e-12)
        if len(good) == 0:
            return float(np.nextafter(proba.max(), 2))  # no alarm is right that often: none is given
        best = int(good[-1])
    best = min(best, len(ends) - 1)
    values = proba[order][ends]
    return float(values[best] if best + 1 == len(values) else (values[best] + values[best + 1]) / 2)
