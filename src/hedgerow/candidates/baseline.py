"""baseline: always the most frequent class, or the mean. What every other model has to beat."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import draw_tree, feature_importances, make_tree, tree_facts

TITLE = "baseline"
ORDER = 0
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "A tree that may not split: the shares of the classes, or the mean (for absolute errors the median), of the "
    "training rows."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = ()
NEVER = 2**31 - 1  # rows in a node before it is split
FOR_MEDIAN: Mapping[str, Any] = {"criterion": "absolute_error"}
PARAMETERS: Mapping[str, Any] = {"min_samples_split": NEVER}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


def describe(fitted: Any) -> str:
    return "the baseline"


facts, importances, draw = tree_facts, feature_importances, draw_tree
