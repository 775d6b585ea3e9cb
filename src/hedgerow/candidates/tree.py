"""tree: one tree, cut back by cross-validation."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor

NAME = "tree"
TASKS = BOTH
HOW = alike(
    "Grown to the end (CART), then cut back to the smallest tree within one standard error of the best, by "
    "ten-fold cross-validation of the cost-complexity path inside the training rows."
)
OPTIONS: dict[str, Any] = {}


def estimator(need: Need) -> Any:
    kind = DecisionTreeClassifier if need.task == "classification" else DecisionTreeRegressor
    return kind(prune="cost_complexity")


def words(fitted: Any) -> str:
    leaves = fitted.get_n_leaves()
    return f"a decision tree of {leaves:,} {'leaf' if leaves == 1 else 'leaves'}"
