"""stump: a tree with one split."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, CRITERION, MIN_SAMPLES_LEAF, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import draw_tree, feature_importances, make_tree, tree_facts

TITLE = "stump"
ORDER = 10
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both("A tree with a single test, the best there is.")
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (CRITERION, MIN_SAMPLES_LEAF)
FOR_MEDIAN: Mapping[str, Any] = {"criterion": "absolute_error"}
PARAMETERS: Mapping[str, Any] = {"max_depth": 1}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


def describe(fitted: Any) -> str:
    return "a single question"


facts, importances, draw = tree_facts, feature_importances, draw_tree
