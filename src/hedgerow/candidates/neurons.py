"""neurons: a network with one hidden layer, boosted unit by unit."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import CLASSES, N_ESTIMATORS, Option, TaskSpec

TITLE = "neurons"
ORDER = 75
TASKS = CLASSES
IN_PANEL = False
DESCRIPTION = {
    CLASSES[0]: "A network with one hidden layer, boosted unit by unit: fifty rounds. Nothing is searched."
}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (N_ESTIMATORS,)


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import BoostedNeuronsClassifier

    parameters: dict[str, Any] = {"n_estimators": 50, **options}
    return BoostedNeuronsClassifier(**parameters, random_state=spec.random_state, n_jobs=spec.n_jobs)


def describe(fitted: Any) -> str:
    return f"a network of {fitted.network_.n_units:,} boosted neurons"


def facts(fitted: Any) -> list[tuple[str, str]]:
    network, last = fitted.network_, fitted.rounds_.rounds[-1]
    return [
        ("network", f"{len(network.inputs.names):,} inputs, {network.n_units:,} units {network.activation}"),
        ("rounds", f"{len(fitted.rounds_):,}; {fitted.rounds_.stopped}"),
        ("training error", f"{last.error:.2%}, at most {fitted.diagnostics_.bound[-1]:.2%} by the bound"),
    ]


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []


def draw(fitted: Any, table: Any, labels: Any) -> Any:
    """Training error and its bound over the rounds."""
    return fitted.diagnostics_.draw().figure
