"""f1: 2 TP / (2 TP + FP + FN) of the positive class; of more than two classes, their mean."""

import numpy as np
from sklearn.metrics import f1_score

from hedgerow.evaluation.metrics.metric import Judged, by_class, rarest
from hedgerow.types import Float

title, task, needs, scale = "F", "classification", "values", "share"
higher_is_better, by_fold = True, False
mass = rarest


def value(rows: Judged) -> float:
    return float(
        f1_score(
            rows.truth,
            rows.guess.values,
            labels=rows.asked_classes,
            average="macro",
            sample_weight=rows.weight,
            zero_division=0,
        )
    )


def pulls(rows: Judged) -> Float:
    return by_class(rows, rows.asked_classes, lambda c: _pull(rows, c))


def _pull(rows: Judged, c: int) -> Float:
    """F = 2a / (b + c): a, b, c the shares of rows that are and are said to be, are said to be, are of the class."""
    is_c, said, share = (rows.truth == c).astype(float), (rows.guess.values == c).astype(float), rows.share
    below = (is_c + said) @ share
    if below == 0:
        return np.zeros(len(is_c))
    f = 2 * (is_c * said) @ share / below
    return (2 * is_c * said - f * (is_c + said)) / below  # type: ignore[no-any-return]
