"""tree: one tree, pruned by cross-validation of its log loss; of numbers, of its squared error."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, GROWING, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import (
    PRUNING,
    describe_tree,
    draw_tree,
    feature_importances,
    make_tree,
    tree_facts,
)

TITLE = "tree"
ORDER = 20
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Grown to the end (CART), then pruned to the size of the least log loss (of numbers: squared error, or absolute "
    "error where a study judges by it), by ten-fold "
    "cross-validation of the cost-complexity path inside the training rows."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (*GROWING, *PRUNING)
FOR_MEDIAN: Mapping[str, Any] = {"criterion": "absolute_error"}
PARAMETERS: Mapping[str, Any] = {"prune": {"method": "cost_complexity", "risk": "log_loss", "choose": "min"}}


BY_COSTS: Mapping[str, Any] = {"prune": {**PARAMETERS["prune"], "risk": "impurity"}}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    """Weighted by costs, a few heavy rows in leaves of others would rule the log loss; impurity is bounded."""
    return make_tree(spec, BY_COSTS if spec.has_costs else PARAMETERS, options)


describe, facts, importances, draw = describe_tree, tree_facts, feature_importances, draw_tree
