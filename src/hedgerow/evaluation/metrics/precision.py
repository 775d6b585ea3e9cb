"""precision: the proportion of the rows predicted positive that are; of more than two classes, the mean of theirs."""

import numpy as np

from hedgerow.evaluation.metric import mean_over_classes, weighted_proportion
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 30
title, task, needs, scale = "precision", "classification", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, False, False


def value(rows: ScoringData) -> float:
    return float(np.mean([precision for precision, _ in proportions(rows)]))


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.scored_classes, lambda c: _class_influence(rows, c))


def n_effective(rows: ScoringData) -> float:
    """Rows that are predicted to be of a class."""
    return float(max(1, min(int(np.sum(rows.y_pred == c)) for c in rows.scored_classes)))


def proportions(rows: ScoringData) -> list[tuple[float, float]]:
    predicted = [(rows.y_pred == c, c) for c in rows.scored_classes]
    return [weighted_proportion(rows.y_true[p] == c, rows.weight[p]) for p, c in predicted]


def _class_influence(rows: ScoringData, c: int) -> Float:
    predicted, weight = (rows.y_pred == c).astype(float), rows.normalized_weight
    weight_predicted = predicted @ weight
    if weight_predicted == 0:
        return np.zeros(len(predicted))
    right = (rows.y_true == c).astype(float)
    return predicted * (right - (predicted * right) @ weight / weight_predicted) / weight_predicted  # type: ignore[no-any-return]
