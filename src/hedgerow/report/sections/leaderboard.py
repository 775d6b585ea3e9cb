"""The candidates with their intervals and verdicts."""

from typing import TYPE_CHECKING, Any

from hedgerow.report import charts

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Models"
HEADING = "The models, compared"
ORDER = 20


def context(result: "StudyResult") -> dict[str, Any]:
    return {"range": charts.common_range(result)}
