"""metrics: one file each; the file's name is the metric's."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import Any

from hedgerow.evaluation.metrics.metric import ByFold, Judged, Losses, Metric, Shares
from hedgerow.table.words import did_you_mean, quote

__all__ = ["ByFold", "Judged", "Losses", "Metric", "Shares", "metric_named", "metrics"]

ORDER = (  # as they are printed; others after these
    "accuracy", "balanced_accuracy", "precision", "recall", "f1", "roc_auc", "average_precision", "log_loss", "brier",
    "r2", "rmse", "mae",
)  # fmt: skip


@cache
def metrics() -> dict[str, Metric]:
    names = [found.name for found in pkgutil.iter_modules(__path__) if found.name != "metric"]
    names.sort(key=lambda name: ORDER.index(name) if name in ORDER else len(ORDER))
    loaded: dict[str, Any] = {name: import_module(f"{__name__}.{name}") for name in names}
    return loaded


def metric_named(name: str, task: str) -> Metric:
    known = [other for other, metric in metrics().items() if metric.task == task]
    if name not in known:
        hint = did_you_mean(str(name), known)
        raise ValueError(f"score {quote(name)} is unknown for a {task}. Known: {', '.join(known)}.{hint}")
    return metrics()[name]
