"""adaboost: boosted stumps; for numbers, boosted small trees (R2)."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, MAX_DEPTH, N_ESTIMATORS, Option, TaskSpec
from hedgerow.candidate_kinds import boosting_facts, boosting_importances, draw_boosting, stop_boosting
from hedgerow.errors import ParameterError

TITLE = "AdaBoost"
ORDER = 60
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = {
    "classification": (
        "One question after another, each trained on the rows that earlier ones get wrong; as many rounds as a "
        "tenth of the training rows, held out inside, say."
    ),
    "regression": (
        "Fifty trees of three levels, each fitted to the rows that those before it predict poorly; the prediction is "
        "their weighted median (AdaBoost.R2). Nothing is searched."
    ),
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (
    N_ESTIMATORS,
    Option("estimator", str, "What is boosted, such as stump, tree or c45.", "NAME"),
    Option("predictions", str, "Of what is boosted: discrete, abstaining or confident.", "NAME"),
    Option("loss", str, "Of the boosting, such as exponential or logistic.", "NAME"),
    MAX_DEPTH,
)
READS_WORDS = {"classification": "presence"}
MOST_ROUNDS = 400  # where a held-out tenth says when to stop
PATIENCE = 40


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import AdaBoostClassifier, AdaBoostRegressor

    common: dict[str, Any] = {"random_state": spec.random_state, "n_jobs": spec.n_jobs}
    if spec.is_classification:
        _check_depth(options)
        stopping: dict[str, Any] = {
            "n_estimators": MOST_ROUNDS,
            "early_stopping": True,
            "n_iter_no_change": PATIENCE,
        }
        if "n_estimators" in options:
            return AdaBoostClassifier(**{"estimator": "stump", **options}, **common)
        return stop_boosting(
            AdaBoostClassifier(**{"estimator": "stump", **stopping, **options}, **common), spec
        )
    for name in ("estimator", "predictions", "loss"):
        if name in options:
            raise ParameterError(
                f"{{{name}}} is for classes, but the target holds numbers. Leave it out.",
                **{name: options[name]},
            )
    return AdaBoostRegressor(**options, **common)


def _check_depth(options: Mapping[str, Any]) -> None:
    base = options.get("estimator", "stump")
    if "max_depth" in options and base != "tree":
        raise ParameterError("{max_depth} goes with {estimator}, not with {}.", base, estimator="tree")


def describe(fitted: Any) -> str:
    from hedgerow.display.sentences import many
    from hedgerow.estimators.delegating import unwrap

    fitted = unwrap(fitted)
    base = fitted.estimator if hasattr(fitted, "classes_") else "small tree"
    return f"{many(len(fitted.rounds_), f'boosted {base}')} (AdaBoost)"


facts, importances, draw = boosting_facts, boosting_importances, draw_boosting
