"""The judge: what models are compared by, and what the operating point is for.

In: the training rows' target, options.   Out: the deciding metric and why; the Aim.

    two classes      log loss of calibrated probabilities, the area under the ROC curve beside it
    several classes  log loss, balanced accuracy beside it
    numbers          root mean squared error; the mean absolute error where the tails are heavy: where the hundredth of
                     the rows farthest from the median has more than half of the sum of squares, few rows would decide;
                     not where half of the rows have one value (no claim, no visit): the absolute error is least where
                     that value is predicted always
"""

import numpy as np

from hedgerow.candidate import MANY_CLASSES
from hedgerow.decision import Aim
from hedgerow.decision.operating_point import check_aim
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.metric import metric_names, metrics
from hedgerow.types import Float

BESIDE = {"two": "roc_auc", "several": "balanced_accuracy"}  # shown next to the log loss
HEAVY = 0.5  # share of the sum of squares that the farthest rows have
FARTHEST = 0.01  # of the rows
ONE_VALUE = 0.5  # share of the rows
FEWEST = 10  # training rows of a rare class, of more than two: with fewer accuracy stays the aim
DECIDED_CLASSES = ("accuracy", "balanced_accuracy", "f1")  # metrics that are aims as well


def choose_scoring(given: str | None, data: Data) -> tuple[str, str]:
    """The metric that decides, and why."""
    if given is not None:
        return metric_names(given, data)[0], "as requested"
    if data.classes is not None:
        return "log_loss", "which judges the probability of every row; probabilities are calibrated"
    if tail_share(data.y) > HEAVY:
        if np.mean(data.y == np.median(data.y)) >= ONE_VALUE:
            return "rmse", (
                "although a few rows have most of the sum of squares: half of the rows or more have one value, and the "
                "mean absolute error is least where that is predicted always"
            )
        return "mae", (
            f"because the tails are heavy: the {FARTHEST:.0%} of the rows farthest from the median has more than half "
            "of the sum of squares"
        )
    return "rmse", "the usual one for numbers"


def tail_share(values: Float) -> float:
    """Of the sum of squared distances from the median: the share of the hundredth of the rows that is farthest."""
    squares = np.sort((values - np.median(values)) ** 2)[::-1]
    total = float(squares.sum())
    few = max(1, round(FARTHEST * len(values)))
    return float(squares[:few].sum()) / total if total > 0 else 0.0


def has_many_classes(data: Data) -> bool:
    return data.classes is not None and len(data.classes) > MANY_CLASSES


def order_scores(scoring: str, data: Data) -> list[str]:
    """All scores of the task: the deciding one, the one beside it, the others. With many classes none that ranks the
    rows for each class."""
    every = metric_names(None, data)
    if has_many_classes(data):
        every = [name for name in every if not metrics()[name].by_fold]
    beside = BESIDE["two" if data.is_binary else "several"] if scoring == "log_loss" else ""
    first = [scoring, *([beside] if beside in every else [])]
    return [*first, *(name for name in every if name not in first)]


def choose_aim(given: Aim | None, data: Data, scoring: str) -> Aim | None:
    """None for numbers. Where nothing is said: the deciding metric, if it judges classes; else what suits the shares
    of the classes."""
    if given is not None:
        check_aim(given, None if data.classes is None else data.classes.tolist())
        return given
    if data.classes is None:
        return None
    if scoring in DECIDED_CLASSES and (data.is_binary or scoring != "f1"):
        return Aim(scoring)
    fewest = np.bincount(data.y, minlength=len(data.classes)).min()
    if data.has_rare_class and (data.is_binary or fewest >= FEWEST):
        return Aim("balanced_accuracy")
    return Aim("accuracy")
