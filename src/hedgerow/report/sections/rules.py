"""The rules of a rule list."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Rules"
HEADING = "The rules"
ORDER = 60


def context(result: "StudyResult") -> dict[str, Any] | None:
    rules = result.explanation.rules
    return {"rules": rules} if rules else None
