"""accuracy: the proportion of rows whose class is predicted."""

from hedgerow.evaluation.metric import count_rows, weighted_proportion
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 10
title, task, needs, scale = "accuracy", "classification", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, True, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    return weighted_proportion(rows.y_true == rows.y_pred, rows.weight)[0]


def influence(rows: ScoringData) -> Float:
    right = (rows.y_true == rows.y_pred).astype(float)
    return right - right @ rows.normalized_weight  # type: ignore[no-any-return]


def proportions(rows: ScoringData) -> list[tuple[float, float]]:
    return [weighted_proportion(rows.y_true == rows.y_pred, rows.weight)]
