"""adaboost: boosted stumps; for numbers, boosted small trees (R2)."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need
from hedgerow.estimators import AdaBoostClassifier, AdaBoostRegressor

NAME = "AdaBoost"
TASKS = BOTH
HOW = {
    "classification": (
        "One question after the other, each asked of the rows that those before it have wrong; as many rounds as a "
        "tenth of the training rows, held out inside, say."
    ),
    "regression": (
        "Fifty trees of three levels, each fitted to the rows that those before it tell badly; the answer is their "
        "weighted median (AdaBoost.R2). Nothing is searched."
    ),
}
OPTIONS: dict[str, Any] = {}
ROUNDS = 400


def estimator(need: Need) -> Any:
    if need.task == "regression":
        return AdaBoostRegressor(random_state=need.seed)
    return AdaBoostClassifier(
        "stump", n_estimators=ROUNDS, early_stopping=True, n_iter_no_change=40, random_state=need.seed
    )


def words(fitted: Any) -> str:
    return f"{len(fitted.rounds_):,} boosted {'stumps' if hasattr(fitted, 'classes_') else 'small trees'} (AdaBoost)"
