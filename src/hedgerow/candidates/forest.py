"""forest: a random forest."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need, alike
from hedgerow.estimators import RandomForestClassifier, RandomForestRegressor

NAME = "forest"
TASKS = BOTH
HOW = alike(
    "Full trees of bootstrap samples; at each node the best of a random few columns (the square root of their number; "
    "a third for numbers). Nothing is searched."
)
OPTIONS: dict[str, Any] = {}
TREES = 200


def estimator(need: Need) -> Any:
    if need.task == "classification":
        return RandomForestClassifier(n_estimators=TREES, random_state=need.seed)
    return RandomForestRegressor(n_estimators=TREES, max_features=1 / 3, random_state=need.seed)


def words(fitted: Any) -> str:
    return f"a random forest of {len(fitted.forest_.trees):,} trees"
