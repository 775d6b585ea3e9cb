"""balanced_accuracy: the mean recall of the classes."""

from typing import Any

import numpy as np
from sklearn.metrics import recall_score

from hedgerow.evaluation.metric import class_recall, class_recall_influence, count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 20
title, task, needs, scale = "balanced accuracy", "classification", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, True, False
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    found: Any = recall_score(
        rows.y_true,
        rows.y_pred,
        labels=rows.true_classes,
        average=None,
        sample_weight=rows.weight,
        zero_division=0,
    )
    return float(np.mean(found))


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.true_classes, lambda c: class_recall_influence(rows, c))


def proportions(rows: ScoringData) -> list[tuple[float, float]]:
    return [class_recall(rows, c) for c in rows.true_classes]
