"""The hold-out: scores, confusion matrix, curves."""

from typing import TYPE_CHECKING, Any

from hedgerow.report.charts import find_mistakes

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Hold-out"
HEADING = "On rows the model has not seen"
ORDER = 30
MANY = 8  # classes; the confusion matrix of more takes the whole width


def context(result: "StudyResult") -> dict[str, Any]:
    classes = result.question.classes
    return {
        "h": result.holdout,
        "has_many_classes": len(classes) > MANY,
        "mistakes": find_mistakes(result.holdout.confusion, classes) if len(classes) > 2 else [],
    }
