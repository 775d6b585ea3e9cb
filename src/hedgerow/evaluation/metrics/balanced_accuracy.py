"""balanced_accuracy: the mean over the classes of the share of their rows that was guessed."""

from typing import Any

import numpy as np
from sklearn.metrics import recall_score

from hedgerow.evaluation.metrics.metric import Judged, by_class, part, rarest
from hedgerow.types import Float

title, task, needs, scale = "balanced accuracy", "classification", "values", "proportion"
higher_is_better, by_fold = True, False
mass = rarest


def value(rows: Judged) -> float:
    found: Any = recall_score(
        rows.truth,
        rows.guess.values,
        labels=rows.true_classes,
        average=None,
        sample_weight=rows.weight,
        zero_division=0,
    )
    return float(np.mean(found))


def pulls(rows: Judged) -> Float:
    return by_class(rows, rows.true_classes, lambda c: recall_pull(rows, c))


def parts(rows: Judged) -> list[tuple[float, float]]:
    return [recall_part(rows, c) for c in rows.true_classes]


def recall_part(rows: Judged, c: int) -> tuple[float, float]:
    of_c = rows.truth == c
    return part(rows.guess.values[of_c] == c, rows.weight[of_c])


def recall_pull(rows: Judged, c: int) -> Float:
    """Of the share of class c that was guessed."""
    is_c, share = (rows.truth == c).astype(float), rows.share
    mass_c = is_c @ share
    if mass_c == 0:
        return np.zeros(len(is_c))
    right = (rows.guess.values == c).astype(float)
    return is_c * (right - (is_c * right) @ share / mass_c) / mass_c  # type: ignore[no-any-return]
