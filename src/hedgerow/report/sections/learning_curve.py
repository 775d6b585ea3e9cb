"""The learning curve of the chosen model."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "More rows"
HEADING = "Would more rows help?"
ORDER = 90


def context(result: "StudyResult") -> dict[str, Any] | None:
    curve = result.explanation.learning_curve
    return {"curve": curve} if curve else None
