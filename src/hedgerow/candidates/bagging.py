"""bagging: trees, each of its own bootstrap sample."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, GROWING, N_ESTIMATORS, Option, TaskSpec, same_for_both
from hedgerow.candidate_kinds import draw_forest, forest_facts, forest_importances, make_forest

TITLE = "bagging"
ORDER = 40
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Full trees of bootstrap samples, all columns tried in each node, their predictions averaged. Nothing is searched."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (*GROWING, N_ESTIMATORS)
DEFAULTS = {"n_estimators": 100, "max_features": None}  # all columns: that is bagging


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import RandomForestClassifier, RandomForestRegressor

    return make_forest(RandomForestClassifier, RandomForestRegressor, spec, DEFAULTS, options)


def describe(fitted: Any) -> str:
    return f"{len(fitted.forest_.trees):,} bagged trees"


facts, importances, draw = forest_facts, forest_importances, draw_forest
