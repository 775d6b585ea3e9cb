"""additive: gradient boosting of trees with one split each: a curve for each column, and their sum."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, MAX_DEPTH, MAX_LEAF_NODES, Option, TaskSpec, same_for_both
from hedgerow.candidates import gradient_boosting

TITLE = "additive"
ORDER = 71
TASKS = BOTH
IN_PANEL = False
DESCRIPTION = same_for_both(
    "Newton boosting of trees with a single split: the sum of a curve for each column, drawn with its band; as many "
    "rounds as a tenth of the training rows, held out inside, say."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = tuple(
    one for one in gradient_boosting.OPTIONS if one not in (MAX_DEPTH, MAX_LEAF_NODES)
)
MAX_CLASSES = gradient_boosting.MAX_CLASSES
FOR_MEDIAN = gradient_boosting.FOR_MEDIAN


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return gradient_boosting.make_estimator(spec, {**options, "max_depth": 1})


def describe(fitted: Any) -> str:
    from hedgerow.display.sentences import many
    from hedgerow.estimators.delegating import unwrap

    return f"an additive model of {many(unwrap(fitted).n_iter_, 'round')}"


facts = gradient_boosting.facts
importances, draw = gradient_boosting.importances, gradient_boosting.draw
