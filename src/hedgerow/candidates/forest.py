"""forest: a random forest."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import (
    BOTH,
    GROWING,
    N_ESTIMATORS,
    Option,
    TaskSpec,
    parse_number_or_word,
    same_for_both,
)
from hedgerow.candidate_kinds import draw_forest, forest_facts, forest_importances, make_forest

TITLE = "forest"
ORDER = 50
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Full trees of bootstrap samples; at each node the best of a random few columns (the square root of their number; "
    "a third for numbers). Nothing is searched."
)
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = (
    *GROWING,
    N_ESTIMATORS,
    Option(
        "max_features",
        parse_number_or_word,
        "Columns looked at in each node: a number, a share, sqrt, log2 or all.",
        "M",
    ),
    Option("stop", str, "End when the out-of-bag curve is flat; n_estimators is the most.", "oob"),
)
TREES = 200


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    from hedgerow.estimators import RandomForestClassifier, RandomForestRegressor

    columns = {} if spec.is_classification else {"max_features": 1 / 3}
    usual: dict[str, Any] = {"n_estimators": TREES, **columns}
    return make_forest(RandomForestClassifier, RandomForestRegressor, spec, usual, options)


def describe(fitted: Any) -> str:
    return f"a random forest of {len(fitted.forest_.trees):,} trees"


facts, importances, draw = forest_facts, forest_importances, draw_forest
