"""balanced_accuracy: the mean recall of the classes."""

import numpy as np

from hedgerow.evaluation.metric import class_recall, class_recall_influence, count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 20
title, task, needs, scale = "balanced accuracy", "classification", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, True, False
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    return float(np.mean([recall for recall, _ in proportions(rows)]))


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.true_classes, lambda c: class_recall_influence(rows, c))


def proportions(rows: ScoringData) -> list[tuple[float, float]]:
    return [class_recall(rows, c) for c in rows.true_classes]
