"""full_tree: one tree, grown to the end and not pruned."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, GROWING, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import describe_tree, draw_tree, feature_importances, make_tree, tree_facts

TITLE = "full tree"
ORDER = 25
TASKS = BOTH
IN_PANEL = False
DESCRIPTION = same_for_both("Grown to the end (CART); nothing is pruned, nothing is searched.")
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = GROWING
PARAMETERS: Mapping[str, Any] = {}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
