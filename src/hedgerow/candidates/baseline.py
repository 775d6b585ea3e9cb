"""baseline: always the most frequent class, or the mean. What every other model has to beat."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import DecisionTreeClassifier, DecisionTreeRegressor

NAME = "baseline"
TASKS = BOTH
HOW = alike("A tree that may not split: the shares of the classes, or the mean, of the training rows.")
OPTIONS: dict[str, Any] = {}
NEVER = 2**31 - 1  # rows in a node before it is split


def estimator(need: Need) -> Any:
    kind = DecisionTreeClassifier if need.task == "classification" else DecisionTreeRegressor
    return kind(min_samples_split=NEVER)


def words(fitted: Any) -> str:
    return "the baseline"
