"""recall: the share of the positive rows that was found; of more than two classes, their mean."""

from sklearn.metrics import recall_score

from hedgerow.evaluation.metrics.balanced_accuracy import recall_part, recall_pull
from hedgerow.evaluation.metrics.metric import Judged, by_class, rarest
from hedgerow.types import Float

title, task, needs, scale = "recall", "classification", "values", "proportion"
higher_is_better, by_fold = True, False
mass = rarest


def value(rows: Judged) -> float:
    return float(
        recall_score(
            rows.truth,
            rows.guess.values,
            labels=rows.asked_classes,
            average="macro",
            sample_weight=rows.weight,
            zero_division=0,
        )
    )


def parts(rows: Judged) -> list[tuple[float, float]]:
    return [recall_part(rows, c) for c in rows.asked_classes]


def pulls(rows: Judged) -> Float:
    return by_class(rows, rows.asked_classes, lambda c: recall_pull(rows, c))
