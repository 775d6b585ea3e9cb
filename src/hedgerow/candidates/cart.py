"""cart: a tree as CART grows and prunes it, with surrogate splits."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import (
    PRUNING,
    describe_tree,
    draw_tree,
    feature_importances,
    make_tree,
    tree_facts,
)
from hedgerow.recipe_book import named

TITLE = "CART"
ORDER = 28
TASKS = named("cart").tasks
IN_PANEL = False
DESCRIPTION = same_for_both(
    "Two-way splits by impurity, surrogates for missing cells, cross-validated cost-complexity pruning (Breiman et al. "
    "1984)."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, *PRUNING)
PARAMETERS: Mapping[str, Any] = named("cart").parameters


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, PARAMETERS, options)


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
