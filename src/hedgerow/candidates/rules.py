"""rules: an ordered list of if-then rules."""

from typing import Any

from hedgerow.candidates.entrant import CLASSES, Need, alike
from hedgerow.estimators import RuleListClassifier

NAME = "rules"
TASKS = CLASSES
HOW = alike(
    "One rule for each leaf of a full tree, each pruned on its own by its pessimistic error (C4.5rules)."
)
OPTIONS: dict[str, Any] = {"rows": 20_000}


def estimator(need: Need) -> Any:
    return RuleListClassifier(min_samples_leaf=2)


def words(fitted: Any) -> str:
    return f"a list of {len(fitted.rules_):,} rules"
