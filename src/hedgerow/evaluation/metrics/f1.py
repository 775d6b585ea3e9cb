"""f1: 2 TP / (2 TP + FP + FN) of the positive class; of more than two classes, the mean of theirs."""

import numpy as np

from hedgerow.evaluation.metric import count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 50
title, task, needs, scale = "F", "classification", "values", "share"
higher_is_better, is_percentage, by_fold = True, False, False
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    return float(np.mean([_of_class(rows, c)[0] for c in rows.scored_classes]))


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.scored_classes, lambda c: _class_influence(rows, c))


def _of_class(rows: ScoringData, c: int) -> tuple[float, float]:
    """F = 2a / (b + c): the weights of rows that are both of the class and predicted so, predicted so, of the class;
    and b + c."""
    is_c, predicted, weight = rows.y_true == c, rows.y_pred == c, rows.normalized_weight
    below = float(weight[is_c].sum() + weight[predicted].sum())
    return (2 * float(weight[is_c & predicted].sum()) / below if below > 0 else 0.0), below


def _class_influence(rows: ScoringData, c: int) -> Float:
    is_c, predicted = (rows.y_true == c).astype(float), (rows.y_pred == c).astype(float)
    f, below = _of_class(rows, c)
    if below == 0:
        return np.zeros(len(is_c))
    return (2 * is_c * predicted - f * (is_c + predicted)) / below  # type: ignore[no-any-return]
