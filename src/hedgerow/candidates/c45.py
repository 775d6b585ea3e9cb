"""c45: a tree as C4.5 grows and prunes it."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, Option, TaskSpec
from hedgerow.candidate_kinds import (
    PRUNING,
    describe_tree,
    draw_tree,
    feature_importances,
    make_tree,
    tree_facts,
)
from hedgerow.recipe_book import named

TITLE = "C4.5"
ORDER = 27
TASKS = named("c45").tasks
IN_PANEL = False
DESCRIPTION = {
    "classification": "Gain ratio, missing cells shared out, pessimistic pruning (Quinlan 1993). Nothing is searched."
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, *PRUNING)
PARAMETERS: Mapping[str, Any] = named("c45").parameters


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
