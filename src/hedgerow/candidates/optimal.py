"""optimal: the best tree of three levels, proved; OptimalTreeClassifier and OptimalTreeRegressor.

Not compared where nothing is said: the search takes seconds in every fold, where other small models take milliseconds.
"""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, MAX_DEPTH, MIN_SAMPLES_LEAF, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import draw_tree, feature_importances, tree_facts

TITLE = "optimal"
ORDER = 25
TASKS = BOTH
IN_PANEL = False
DESCRIPTION = same_for_both(
    "The tree of at most three levels with the least training error, found and proved by branch and bound over up to "
    "10 thresholds a column; a search that takes longer than 20 seconds ends with the best so far."
)
MAX_ROWS = 50_000
OPTIONS: tuple[Option, ...] = (
    MAX_DEPTH,
    Option("max_leaf_nodes", int, "Most leaves."),
    MIN_SAMPLES_LEAF,
    Option("ccp_alpha", float, "Price of a leaf, in units of the error.", "A"),
    Option("max_thresholds", int, "Most thresholds a column."),
    Option("time_limit", float, "Seconds after which the best tree so far is taken.", "S"),
)
SETTINGS: Mapping[str, Any] = {"max_depth": 3, "max_thresholds": 10, "time_limit": 20.0}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import OptimalTreeClassifier, OptimalTreeRegressor

    given = {**SETTINGS, **options}
    if "max_leaf_nodes" in options and "max_depth" not in options:
        given["max_depth"] = None
    kind = OptimalTreeClassifier if spec.is_classification else OptimalTreeRegressor
    return kind(**given, n_jobs=spec.n_jobs)


def describe(fitted: Any) -> str:
    from hedgerow.display.sentences import many

    proved = "an optimal" if fitted.certificate_.optimal else "a nearly optimal"
    return f"{proved} decision tree of {many(fitted.get_n_leaves(), 'leaf')}"


def facts(fitted: Any) -> list[tuple[str, str]]:
    return [*tree_facts(fitted), ("certificate", str(fitted.certificate_))]


importances, draw = feature_importances, draw_tree
