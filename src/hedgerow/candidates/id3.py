"""id3: a tree as ID3 grows it."""

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

TITLE = "ID3"
ORDER = 26
TASKS = named("id3").tasks
IN_PANEL = False
DESCRIPTION = {
    "classification": "A branch for each level, chosen by information gain, grown until pure (Quinlan 1986)."
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, *PRUNING)
PARAMETERS: Mapping[str, Any] = named("id3").parameters


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
