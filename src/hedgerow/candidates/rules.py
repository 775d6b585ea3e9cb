"""rules: an ordered list of if-then rules."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import CLASSES, CRITERION, MAX_DEPTH, MIN_SAMPLES_LEAF, Option, TaskSpec

TITLE = "rules"
ORDER = 30
TASKS = CLASSES
IN_PANEL = True
DESCRIPTION = {
    CLASSES[
        0
    ]: "One rule for each leaf of a full tree, each pruned on its own by its pessimistic error (C4.5rules)."
}
MAX_ROWS = 20_000
OPTIONS: tuple[Option, ...] = (
    CRITERION,
    MAX_DEPTH,
    MIN_SAMPLES_LEAF,
    Option("max_rules", int, "Most rules; those with the fewest errors come first."),
)


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import RuleListClassifier

    return RuleListClassifier(**{"min_samples_leaf": 2, **options}, n_jobs=spec.n_jobs)


def describe(fitted: Any) -> str:
    from hedgerow.display.sentences import many

    return f"a list of {many(len(fitted.rules_), 'rule')}"


def facts(fitted: Any) -> list[tuple[str, str]]:
    return [("rules", f"{len(fitted.rules_):,}; the first that holds decides")]


def importances(fitted: Any) -> list[tuple[str, float]]:
    return []


def draw(fitted: Any, table: Any, labels: Any) -> Any:
    return "rules are to be read"
