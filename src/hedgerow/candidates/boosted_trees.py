"""boosted_trees: trees of confident outputs, boosted (confidence-rated AdaBoost); for numbers, deep ones."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, MAX_DEPTH, N_ESTIMATORS, Option, TaskSpec
from hedgerow.candidate_kinds import boosting_facts, boosting_importances, draw_boosting, stop_boosting

TITLE = "boosted trees"
ORDER = 70
TASKS = BOTH
IN_PANEL = False
DESCRIPTION = {
    "classification": (
        "Confidence-rated AdaBoost: trees of three levels under the logistic loss, three tenths of a step at a time; "
        "as many rounds as a tenth of the training rows, held out inside, say."
    ),
    "regression": (
        "AdaBoost.R2 of fifty trees of ten levels, exponential loss, each fitted to the rows that those before it "
        "predict poorly; the prediction is their weighted median. Nothing is searched."
    ),
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (N_ESTIMATORS, MAX_DEPTH)
CLASSIFIER: dict[str, Any] = {
    "estimator": "tree",
    "learning_rate": 0.3,
    "predictions": "confident",
    "loss": "logistic",
}
STOPPING: dict[str, Any] = {"n_estimators": 300, "early_stopping": True, "n_iter_no_change": 30}
REGRESSOR: dict[str, Any] = {"max_depth": 10, "loss": "exponential"}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import AdaBoostClassifier, AdaBoostRegressor

    common: dict[str, Any] = {"random_state": spec.random_state, "n_jobs": spec.n_jobs}
    if not spec.is_classification:
        return AdaBoostRegressor(**{**REGRESSOR, **options}, **common)
    if "n_estimators" in options:
        return AdaBoostClassifier(**{**CLASSIFIER, **options}, **common)
    return stop_boosting(AdaBoostClassifier(**{**CLASSIFIER, **STOPPING, **options}, **common), spec)


def describe(fitted: Any) -> str:
    from hedgerow.estimators.delegating import unwrap

    return f"{len(unwrap(fitted).rounds_):,} boosted trees"


facts, importances, draw = boosting_facts, boosting_importances, draw_boosting
