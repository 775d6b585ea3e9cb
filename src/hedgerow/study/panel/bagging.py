"""bagging: a hundred trees, each of its own bootstrap sample."""

from typing import Any

from hedgerow.estimators import BaggingClassifier, BaggingRegressor
from hedgerow.study.panel.entrant import BOTH, Need

TASKS = BOTH
HOW = "Full trees of bootstrap samples, their answers averaged. Nothing is searched."
OPTIONS: dict[str, Any] = {}
TREES = 100


def estimator(need: Need) -> Any:
    kind = BaggingClassifier if need.task == "classification" else BaggingRegressor
    return kind(n_estimators=TREES, random_state=need.seed)


def words(fitted: Any) -> str:
    return f"{TREES} bagged trees"
