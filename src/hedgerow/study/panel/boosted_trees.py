"""boosted_trees: small trees that answer with confidence, boosted."""

from typing import Any

from hedgerow.estimators import AdaBoostClassifier
from hedgerow.study.panel.entrant import CLASSES, Need

NAME = "boosted trees"
TASKS = CLASSES
HOW = (
    "Small confidence-rated trees under the logistic loss, a tenth of a step at a time; as many rounds as a tenth of "
    "the training rows, held out inside, say."
)
OPTIONS: dict[str, Any] = {}
ROUNDS = 300


def estimator(need: Need) -> Any:
    return AdaBoostClassifier(
        "tree",
        n_estimators=ROUNDS,
        learning_rate=0.1,
        predictions="confident",
        loss="logistic",
        early_stopping=True,
        n_iter_no_change=30,
        random_state=need.seed,
    )


def words(fitted: Any) -> str:
    return f"{len(fitted.rounds_):,} boosted trees"
