"""A tree to explore: fold, zoom, cut back, follow a row; under each question, how stable it is."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult

TITLE = "Tree"
ORDER = 50
# the explorer shows the roots of squared errors, in the units of the target
SHOWN_AS = {"mean squared error": "root mean squared error"}


def context(result: "StudyResult") -> dict[str, Any] | None:
    e = result.explanation
    if e.tree is None:
        return None
    data = result.to_dict()["explanation"]["tree"]
    data |= {"classes": result.question.classes, "target": result.question.target}
    heading = "The tree, to explore" if e.tree_is_chosen else "A tree to read"
    error_title = SHOWN_AS.get(e.tree.error_title, e.tree.error_title)
    return {"heading": heading, "e": e, "data": data, "error_title": error_title}
