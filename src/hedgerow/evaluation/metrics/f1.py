"""f1: 2 TP / (2 TP + FP + FN) of the positive class; of more than two classes, the mean of theirs."""

import numpy as np
from sklearn.metrics import f1_score

from hedgerow.evaluation.metric import count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 50
title, task, needs, scale = "F", "classification", "values", "share"
higher_is_better, is_percentage, by_fold = True, False, False
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    return float(
        f1_score(
            rows.y_true,
            rows.y_pred,
            labels=rows.scored_classes,
            average="macro",
            sample_weight=rows.weight,
            zero_division=0,
        )
    )


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.scored_classes, lambda c: _class_influence(rows, c))


def _class_influence(rows: ScoringData, c: int) -> Float:
    """F = 2a / (b + c): the weights of rows that are both of the class and predicted so, predicted so, of the class."""
    is_c, predicted = (rows.y_true == c).astype(float), (rows.y_pred == c).astype(float)
    weight = rows.normalized_weight
    below = (is_c + predicted) @ weight
    if below == 0:
        return np.zeros(len(is_c))
    f = 2 * (is_c * predicted) @ weight / below
    return (2 * is_c * predicted - f * (is_c + predicted)) / below  # type: ignore[no-any-return]
