"""stump: one question."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor

NAME = "stump"
TASKS = BOTH
HOW = alike("A tree with a single test, the best there is.")
OPTIONS: dict[str, Any] = {}


def estimator(need: Need) -> Any:
    kind = DecisionTreeClassifier if need.task == "classification" else DecisionTreeRegressor
    return kind(max_depth=1)


def words(fitted: Any) -> str:
    return "a single question"
