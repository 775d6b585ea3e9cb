"""Permutation importance of the columns, on the hold-out."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Columns"
HEADING = "Columns that matter"
ORDER = 40


def context(result: "StudyResult") -> dict[str, Any] | None:
    e = result.explanation
    return {"e": e} if e.importance and result.verdict.is_recommended else None  # a guess uses no column
