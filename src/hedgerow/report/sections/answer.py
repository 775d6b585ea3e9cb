"""The answer in words, the score to quote, and what to mind."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Answer"
HEADING = "The answer"
ORDER = 10


def context(result: "StudyResult") -> dict[str, Any]:
    return {"score": result.holdout.scores[0]}
