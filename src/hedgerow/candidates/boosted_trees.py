"""boosted_trees: trees that answer with confidence, boosted (confidence-rated AdaBoost); for numbers, deep ones."""

from typing import Any

from hedgerow.candidates.entrant import BOTH, Need
from hedgerow.estimators import AdaBoostClassifier, AdaBoostRegressor

NAME = "boosted trees"
TASKS = BOTH
HOW = {
    "classification": (
        "Confidence-rated AdaBoost: trees of three levels under the logistic loss, three tenths of a step at a time; "
        "as many rounds as a tenth of the training rows, held out inside, say."
    ),
    "regression": (
        "AdaBoost.R2 of fifty trees of ten levels, exponential loss, each fitted to the rows that those before it tell "
        "badly; the answer is their weighted median. Nothing is searched."
    ),
}
OPTIONS: dict[str, Any] = {}
ROUNDS = 300
DEPTH_FOR_NUMBERS = 10


def estimator(need: Need) -> Any:
    if need.task == "regression":
        return AdaBoostRegressor(max_depth=DEPTH_FOR_NUMBERS, loss="exponential", random_state=need.seed)
    return AdaBoostClassifier(
        "tree",
        n_estimators=ROUNDS,
        learning_rate=0.3,
        predictions="confident",
        loss="logistic",
        early_stopping=True,
        n_iter_no_change=30,
        random_state=need.seed,
    )


def words(fitted: Any) -> str:
    return f"{len(fitted.rounds_):,} boosted trees"
