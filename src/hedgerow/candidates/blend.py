"""blend: other models together, each with a weight of its own."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, Option, TaskSpec, load_candidate, same_for_both

TITLE = "blend"
ORDER = 100
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "The weighted mean of other models' predictions; the weights, none negative, have the least log loss (of numbers: "
    "squared error, or absolute error where a study judges by it) on rows these have not seen. In a study, of all "
    "models compared; alone, of forest, gradient boosting and AdaBoost."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = ()
MEMBERS = ("forest", "adaboost", "gradient_boosting")  # where there is no study to take them from


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import WeightedVotingClassifier, WeightedVotingRegressor
    from hedgerow.estimators.delegating import DelegatingEstimator

    found = {name: load_candidate(name).make_estimator(spec, {}) for name in MEMBERS}
    members = [  # a model file keeps no wrappers
        (name, one.estimator if isinstance(one, DelegatingEstimator) else one) for name, one in found.items()
    ]
    kind = WeightedVotingClassifier if spec.is_classification else WeightedVotingRegressor
    return kind(members, n_jobs=spec.n_jobs)


def describe(fitted: Any) -> str:
    return f"a blend of {len(fitted.estimators_)} models"


def facts(fitted: Any) -> list[tuple[str, str]]:
    return [
        (str(name), f"weight {weight:.3f}")
        for (name, _), weight in zip(fitted.estimators, fitted.weights_, strict=True)
    ]


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []


def draw(fitted: Any, table: Any, labels: Any) -> Any:
    return "of a blend, each member has a picture of its own"
