"""The metrics, with values that are computed fast.   In: a metric's name.   Out: the metric, fast.

scikit-learn checks its input every time, which takes longer than all the rest of a simulation. These values are the
same (`hold_out` makes sure before it begins); influence and intervals are those of the metric itself.
"""

from collections.abc import Callable
from functools import cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.metrics.roc_auc import structural_components
from hedgerow.evaluation.predictions import ScoringData


def _f1(rows: ScoringData) -> float:
    is_one, predicted = rows.y_true == 1, rows.y_pred == 1
    below = is_one.sum() + predicted.sum()
    return float(2 * np.sum(is_one & predicted) / below) if below else 0.0


def _area(rows: ScoringData) -> float:
    positive = rows.y_true == 1
    return float(structural_components(positive, rows.decision[:, 1], rows.weight)[positive].mean())


def _average_precision(rows: ScoringData) -> float:
    order = np.argsort(-rows.decision[:, 1], kind="stable")
    score, y = rows.decision[order, 1], rows.y_true[order]
    last = np.append(np.flatnonzero(np.diff(score)), len(y) - 1)  # of each group of ties
    found = np.cumsum(y)[last]
    return float(np.diff(np.append(0, found)) @ (found / (last + 1)) / y.sum())


def _r2(rows: ScoringData) -> float:
    return float(1 - np.mean((rows.y_true - rows.y_pred) ** 2) / np.var(rows.y_true))


OWN: dict[str, Callable[[ScoringData], float]] = {
    "f1": _f1,
    "roc_auc": _area,
    "average_precision": _average_precision,
    "r2": _r2,
    "rmse": lambda rows: float(np.sqrt(np.mean((rows.y_true - rows.y_pred) ** 2))),
    "mae": lambda rows: float(np.mean(np.abs(rows.y_true - rows.y_pred))),
}


@cache
def quick(name: str) -> Any:
    metric: Any = metrics()[name]
    if name in OWN:
        value = OWN[name]
    elif hasattr(metric, "proportions"):
        value = lambda rows: float(np.mean([p for p, _ in metric.proportions(rows)]))  # noqa: E731
    else:
        value = lambda rows: float(metric.losses(rows).mean())  # noqa: E731
    return SimpleNamespace(**{**vars(metric), "value": value})
