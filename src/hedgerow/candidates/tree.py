"""tree: one tree, pruned by cross-validation; DecisionTreeClassifier(prune="cost_complexity")."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, GROWING, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import describe_tree, draw_tree, feature_importances, make_tree, tree_facts
from hedgerow.plugins import plugin_names

TITLE = "tree"
ORDER = 20
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Grown to the end (CART), then pruned to the smallest tree within one standard error of the best, by "
    "ten-fold cross-validation of the cost-complexity path inside the training rows."
)
MAX_ROWS = None
PRUNINGS = ", ".join(plugin_names("hedgerow.prune.methods"))
OPTIONS: tuple[Option, ...] = (
    *GROWING,
    Option("prune", str, f"{PRUNINGS}; none keeps the full tree.  [default: cost_complexity]", "NAME"),
    Option("ccp_alpha", float, "Prune at this cost of a leaf, instead; 0 keeps the full tree.", "A"),
)


def tree_parameters(spec: TaskSpec, options: Mapping[str, Any]) -> dict[str, Any]:
    pruning = {} if "ccp_alpha" in options or "prune" in options else {"prune": "cost_complexity"}
    given = {name: None if value == "none" else value for name, value in options.items()}
    return {**pruning, **given}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    return make_tree(spec, tree_parameters(spec, options))


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
