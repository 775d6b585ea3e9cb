"""recall: the proportion of the positive rows that is found; of more than two classes, the mean of theirs."""

import numpy as np

from hedgerow.evaluation.metric import class_recall, class_recall_influence, count_rarest, mean_over_classes
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 40
title, task, needs, scale = "recall", "classification", "values", "proportion"
higher_is_better, is_percentage, by_fold = True, False, False
n_effective = count_rarest


def value(rows: ScoringData) -> float:
    return float(np.mean([recall for recall, _ in proportions(rows)]))


def influence(rows: ScoringData) -> Float:
    return mean_over_classes(rows.scored_classes, lambda c: class_recall_influence(rows, c))


def proportions(rows: ScoringData) -> list[tuple[float, float]]:
    return [class_recall(rows, c) for c in rows.scored_classes]
