"""bagging: a hundred trees, each of its own bootstrap sample."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import RandomForestClassifier, RandomForestRegressor

NAME = "bagging"
TASKS = BOTH
HOW = alike(
    "Full trees of bootstrap samples, all columns tried in each node, their answers averaged. Nothing is searched."
)
OPTIONS: dict[str, Any] = {}
TREES = 100


def estimator(need: Need) -> Any:
    kind = RandomForestClassifier if need.task == "classification" else RandomForestRegressor
    return kind(n_estimators=TREES, max_features=None, random_state=need.seed)  # all columns: that is bagging


def words(fitted: Any) -> str:
    return f"{TREES} bagged trees"
