"""id3: a tree as ID3 grows it."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import CLASSES, GROWING, Option, TaskSpec
from hedgerow.candidate_kinds import describe_tree, draw_tree, feature_importances, make_tree, tree_facts

TITLE = "ID3"
ORDER = 26
TASKS = CLASSES
IN_PANEL = False
DESCRIPTION = {
    CLASSES[0]: "A branch for each level, chosen by information gain, grown until pure (Quinlan 1986)."
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = GROWING


def tree_parameters(spec: TaskSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    from hedgerow.recipe_book import named

    return {**named("id3").parameters, **options}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, tree_parameters(spec, options))


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
