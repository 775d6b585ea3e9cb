"""gradient_boosting: trees on binned columns, each fitted to the gradient of the loss."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import (
    BOTH,
    MANY_CLASSES,
    MAX_DEPTH,
    MAX_LEAF_NODES,
    MIN_SAMPLES_LEAF,
    Option,
    TaskSpec,
    same_for_both,
)
from hedgerow.candidate_kinds import feature_importances

TITLE = "gradient boosting"
ORDER = 75
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Newton boosting on binned columns: trees of at most 31 leaves, 0.07 of a step at a time, half of the columns "
    "drawn for each node; as many rounds as a tenth of the training rows, held out inside, say; then, of 20,000 rows "
    "at most, fitted anew on all of them. Of more than 28 classes, fewer rounds of larger steps."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (
    Option("max_iter", int, "Rounds of gradient boosting."),
    Option("learning_rate", float, "How much of each tree counts.", "X"),
    Option("loss", str, "Of the boosting, such as log_loss, squared_error or poisson.", "NAME"),
    MAX_DEPTH,
    MAX_LEAF_NODES,
    MIN_SAMPLES_LEAF,
    Option("l2_regularization", float, "Penalty on leaf values.", "X"),
    Option("subsample", float, "Share of the rows drawn for each round.", "S"),
)
ROWS_WITH_BANDS = 20_000  # an additive model of more is drawn without bands, which want refits
FOR_MEDIAN: Mapping[str, Any] = {"loss": "absolute_error"}
STOPPING: dict[str, Any] = {"max_iter": 700, "early_stopping": True, "n_iter_no_change": 28}
MOST_TREES = 20_000  # a round grows one for each class: of many classes, fewer rounds of larger steps
LARGEST_STEP = 0.3
MAX_CLASSES = MANY_CLASSES
STEPS: dict[str, Any] = {"learning_rate": 0.07, "max_features": 0.5}  # docs/study.md: what they gain and cost


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import HistGradientBoostingClassifier, HistGradientBoostingRegressor

    kind = HistGradientBoostingClassifier if spec.is_classification else HistGradientBoostingRegressor
    given = {**options, "random_state": spec.random_state, "n_jobs": spec.n_jobs}
    if "max_iter" in options:
        return kind(**given, early_stopping=False)
    from hedgerow.estimators.meta import EarlyStopped

    return EarlyStopped(
        kind(**{**STOPPING, **STEPS, **_few_rounds(spec.n_classes), **given}), in_order=spec.in_order
    )


def _few_rounds(n_classes: int) -> dict[str, Any]:
    most, step = STOPPING["max_iter"], STEPS["learning_rate"]
    rounds = min(most, MOST_TREES // max(1, n_classes))
    return (
        {"max_iter": rounds, "learning_rate": min(LARGEST_STEP, step * most / rounds)}
        if rounds < most
        else {}
    )


def describe(fitted: Any) -> str:
    from hedgerow.display.sentences import many
    from hedgerow.estimators.delegating import unwrap

    return f"{many(unwrap(fitted).n_iter_, 'round')} of gradient boosting"


def facts(fitted: Any) -> list[tuple[str, str]]:
    from hedgerow.estimators.delegating import unwrap

    model = unwrap(fitted)
    found = [("rounds", f"{model.n_iter_:,}; loss {model.loss}")]
    if len(fitted.validation_score_):
        found.append(("held-out loss", f"{-float(fitted.validation_score_.max()):.4g}"))
    return found


def importances(fitted: Any) -> list[tuple[str, float]]:
    from hedgerow.estimators.delegating import unwrap

    return feature_importances(unwrap(fitted))


def draw(fitted: Any, table: Any, labels: Any) -> Any:
    """Of an additive model its shapes; of others the loss by round and the gain of the columns."""
    from hedgerow.estimators.delegating import unwrap

    fitted = unwrap(fitted)
    if fitted.max_depth == 1:
        few = table.n_rows <= ROWS_WITH_BANDS
        return (fitted.additive(table, labels, n_refits=10) if few else fitted.additive()).draw()
    from hedgerow.draw.gradient import draw_rounds_and_gain

    losses = fitted.diagnose() if len(fitted.train_score_) else fitted.diagnose(table, labels)
    return draw_rounds_and_gain(losses, fitted.importance())
