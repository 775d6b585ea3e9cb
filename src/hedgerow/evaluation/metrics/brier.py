"""brier: the squared distance of the probabilities from what happened; of two classes, of the positive one's."""

import numpy as np

from hedgerow.evaluation.metric import count_rows
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float

ORDER = 90
title, task, needs, scale = "Brier score", "classification", "proba", "positive"
higher_is_better, is_percentage, by_fold = False, False, False
n_effective = count_rows


def value(rows: ScoringData) -> float:
    return float(losses(rows) @ rows.normalized_weight)


def influence(rows: ScoringData) -> Float:
    loss = losses(rows)
    return loss - loss @ rows.normalized_weight


def losses(rows: ScoringData) -> Float:
    if rows.n_classes == 2:
        return np.asarray((rows.y_true - rows.proba[:, 1]) ** 2)
    return ((np.eye(rows.n_classes)[rows.y_true] - rows.proba) ** 2).sum(axis=1)  # type: ignore[no-any-return]
