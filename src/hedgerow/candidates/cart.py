"""cart: a tree as CART grows and prunes it, with surrogate splits."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, GROWING, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import describe_tree, draw_tree, feature_importances, make_tree, tree_facts

TITLE = "CART"
ORDER = 28
TASKS = BOTH
IN_PANEL = False
DESCRIPTION = same_for_both(
    "Two-way splits by impurity, surrogates for missing cells, cross-validated cost-complexity pruning (Breiman et al. "
    "1984)."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = GROWING


def tree_parameters(spec: TaskSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    from hedgerow.recipe_book import named

    return {
        **{name: value for name, value in named("cart").parameters.items() if name != "criterion"},
        **options,
    }


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, tree_parameters(spec, options))


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
