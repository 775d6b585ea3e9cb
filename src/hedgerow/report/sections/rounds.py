"""Boosting: error, bound and margins."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Rounds"
HEADING = "Boosting, round by round"
ORDER = 70


def context(result: "StudyResult") -> dict[str, Any] | None:
    rounds = result.explanation.rounds
    return {"b": rounds} if rounds else None
