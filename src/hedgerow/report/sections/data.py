"""The columns, what was made of them, and what was left out."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Data"
HEADING = "The data, as it was read"
ORDER = 100
MOST_COLUMNS = 500


def context(result: "StudyResult") -> dict[str, Any]:
    profile = result.profile
    return {"profile": profile, "shown": profile.columns[:MOST_COLUMNS], "most": MOST_COLUMNS}
