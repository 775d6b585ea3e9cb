"""brier: the squared distance of the chances from what happened; for two classes, of the chance of the positive."""

import numpy as np
from sklearn.metrics import brier_score_loss

from hedgerow.evaluation.metrics.metric import Judged
from hedgerow.types import Float

title, task, needs, scale = "Brier score", "classification", "chances", "positive"
higher_is_better, by_fold = False, False


def mass(rows: Judged) -> float:
    return float(len(rows.truth))


def value(rows: Judged) -> float:
    if rows.n_classes == 2:
        return float(
            brier_score_loss(rows.truth, _chances(rows)[:, 1], sample_weight=rows.weight, pos_label=1)
        )
    return float(losses(rows) @ rows.share)


def pulls(rows: Judged) -> Float:
    loss = losses(rows)
    return loss - loss @ rows.share


def losses(rows: Judged) -> Float:
    chances = _chances(rows)
    if rows.n_classes == 2:
        return (rows.truth - chances[:, 1]) ** 2
    return ((np.eye(rows.n_classes)[rows.truth] - chances) ** 2).sum(axis=1)  # type: ignore[no-any-return]


def _chances(rows: Judged) -> Float:
    assert rows.guess.chances is not None
    return rows.guess.chances
