"""Prediction intervals of numbers, and how often the truth lay within them."""

from typing import TYPE_CHECKING, Any

from hedgerow.report.words import interval_sentence

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Prediction intervals"
HEADING = "How far off a prediction is"
ORDER = 33


def context(result: "StudyResult") -> dict[str, Any] | None:
    if not result.holdout.intervals:
        return None
    return {"intervals": result.holdout.intervals, "sentence": interval_sentence(result)}
