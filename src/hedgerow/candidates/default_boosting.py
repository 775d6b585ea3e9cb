"""default_boosting: gradient boosting with the defaults that people have. Nothing is searched."""

from collections.abc import Mapping
from typing import Any

from hedgerow.candidate import BOTH, Option, TaskSpec
from hedgerow.candidates import gradient_boosting

TITLE = "default boosting"
ORDER = 72
TASKS = BOTH
IN_PANEL = True
HOW = (
    "Newton boosting on binned columns: 100 rounds, trees of at most 31 leaves, a tenth of a step at a time, all "
    "columns looked at, no penalty on leaf values (of several classes a penalty of 1). Nothing is searched, and no row "
    "is held out."
)
MULTIPLIES = (
    " Where a study compares by squared errors and every number is above zero, by the Poisson loss: its trees "
    "multiply the prediction, while those of gradient boosting add to it."
)
DESCRIPTION = {"classification": HOW, "regression": HOW + MULTIPLIES}
MAX_ROWS = None
OPTIONS: tuple[Option, ...] = gradient_boosting.OPTIONS
MAX_CLASSES = gradient_boosting.MAX_CLASSES
FOR_MEDIAN = gradient_boosting.FOR_MEDIAN
# No least hessian: hessians are in the numbers' unit.
FOR_POSITIVE: Mapping[str, Any] = {"loss": "poisson", "min_hessian_leaf": 0.0}


def make_estimator(spec: TaskSpec, options: Mapping[str, Any]) -> Any:
    # Without a penalty a class of a few rows can take the steps of several classes beyond all bounds.
    defaults = {"max_iter": 100, "l2_regularization": float(spec.n_classes > 2)}
    return gradient_boosting.make_estimator(spec, {**defaults, **options})


describe, facts = gradient_boosting.describe, gradient_boosting.facts
importances, draw = gradient_boosting.importances, gradient_boosting.draw
