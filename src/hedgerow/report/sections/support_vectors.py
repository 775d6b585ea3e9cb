"""A support vector machine: margin, certificate, weights, the rows that matter most."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Support vectors"
HEADING = "The margin, and the rows that hold it"
ORDER = 80


def context(result: "StudyResult") -> dict[str, Any] | None:
    svm = result.explanation.svm
    return {"s": svm, "gap": max(one.relative_gap for one in svm.binary_svms)} if svm else None
