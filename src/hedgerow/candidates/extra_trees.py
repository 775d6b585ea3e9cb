"""extra_trees: extremely randomised trees."""

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

TITLE = "extra trees"
ORDER = 55
TASKS = BOTH
IN_PANEL = True
DESCRIPTION = same_for_both(
    "Full trees of all rows; at each node the best of some columns, each with a threshold drawn at random. Nothing is "
    "searched."
)
MAX_ROWS = 20_000  # every tree has all of them: of more rows, they take more memory than a forest
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
    from hedgerow.estimators import ExtraTreesClassifier, ExtraTreesRegressor

    bootstrap = {"bootstrap": True} if "stop" in options else {}  # a curve needs rows out of bag
    usual: dict[str, Any] = {"n_estimators": TREES, **bootstrap}
    return make_forest(ExtraTreesClassifier, ExtraTreesRegressor, spec, usual, options)


def describe(fitted: Any) -> str:
    return f"{len(fitted.forest_.trees):,} extra trees"


facts, importances, draw = forest_facts, forest_importances, draw_forest
