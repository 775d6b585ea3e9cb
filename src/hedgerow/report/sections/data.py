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
    shown = profile.columns[:MOST_COLUMNS]
    has_remarks = any(one.remark or not one.used for one in shown)
    return {"profile": profile, "shown": shown, "most": MOST_COLUMNS, "has_remarks": has_remarks}
