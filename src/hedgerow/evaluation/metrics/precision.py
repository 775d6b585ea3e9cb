"""precision: the share of the rows said to be positive that are; of more than two classes, their mean."""

import numpy as np
from sklearn.metrics import precision_score

from hedgerow.evaluation.metrics.metric import Judged, by_class, part
from hedgerow.types import Float

title, task, needs, scale = "precision", "classification", "values", "proportion"
higher_is_better, by_fold = True, False


def value(rows: Judged) -> float:
    return float(
        precision_score(
            rows.truth,
            rows.guess.values,
            labels=rows.asked_classes,
            average="macro",
            sample_weight=rows.weight,
            zero_division=0,
        )
    )


def mass(rows: Judged) -> float:
    """Rows that were said to be of a class."""
    return float(max(1, min(int(np.sum(rows.guess.values == c)) for c in rows.asked_classes)))


def parts(rows: Judged) -> list[tuple[float, float]]:
    said = [rows.guess.values == c for c in rows.asked_classes]
    return [part(rows.truth[s] == c, rows.weight[s]) for s, c in zip(said, rows.asked_classes, strict=True)]


def pulls(rows: Judged) -> Float:
    return by_class(rows, rows.asked_classes, lambda c: _pull(rows, c))


def _pull(rows: Judged, c: int) -> Float:
    said, share = (rows.guess.values == c).astype(float), rows.share
    mass_said = said @ share
    if mass_said == 0:
        return np.zeros(len(said))
    right = (rows.truth == c).astype(float)
    return said * (right - (said * right) @ share / mass_said) / mass_said  # type: ignore[no-any-return]
