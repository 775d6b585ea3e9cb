"""accuracy: the share of rows whose class was guessed."""

from sklearn.metrics import accuracy_score

from hedgerow.evaluation.metrics.metric import Judged, part
from hedgerow.types import Float

title, task, needs, scale = "accuracy", "classification", "values", "proportion"
higher_is_better, by_fold = True, False


def value(rows: Judged) -> float:
    return float(accuracy_score(rows.truth, rows.guess.values, sample_weight=rows.weight))


def pulls(rows: Judged) -> Float:
    right = (rows.truth == rows.guess.values).astype(float)
    return right - right @ rows.share  # type: ignore[no-any-return]


def parts(rows: Judged) -> list[tuple[float, float]]:
    return [part(rows.truth == rows.guess.values, rows.weight)]


def mass(rows: Judged) -> float:
    return float(len(rows.truth))
