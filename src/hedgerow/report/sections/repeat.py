"""What the study did, and the command that does it again."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Repeat it"
HEADING = "How it was done, and how to repeat it"
ORDER = 110


def context(result: "StudyResult") -> dict[str, Any]:
    return {"q": result.question}
