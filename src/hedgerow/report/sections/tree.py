"""A tree to explore: fold, zoom, cut back, follow a row; under each question, how stable it is."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Tree"
ORDER = 50


def summarize(trained: "Trained") -> dict[str, Any] | None:
    from hedgerow.studies.summarize.stability import summarize_stability

    return summarize_stability(trained.tree, trained.rows, trained.loaded.goal)


def context(result: "StudyResult") -> dict[str, Any] | None:
    e = result.explanation
    if e.tree is None:
        return None
    data = result.to_dict()["explanation"]["tree"]
    stability = result.extra.get("tree")
    data |= {
        "classes": result.question.classes,
        "target": result.question.target,
        "stability": stability,
    }
    heading = "The tree, to explore" if e.tree_is_chosen else "A tree to read"
    return {"heading": heading, "e": e, "data": data, "stability": stability}
