"""The operating point: from which probability on a class is predicted, and what that gives: lift, gain, cost."""

from typing import TYPE_CHECKING, Any

from hedgerow.report.words import cost_sentence, operating_point_sentence

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Operating point"
HEADING = "From probabilities to decisions"
ORDER = 32


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.holdout.operating_point
    is_decided = result.verdict.is_recommended and found is not None and found.threshold is not None
    if found is None or not (is_decided or found.cost):  # without costs, a guess has no threshold
        return None
    known = found.recall is not None and found.precision is not None
    return {
        "p": found,
        "sentence": operating_point_sentence(result),
        "cost_sentence": cost_sentence(result),
        "chosen": (found.recall, found.precision) if known else None,
    }
