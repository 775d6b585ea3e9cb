"""Greedy, pruned and optimal trees of the same questions, where an optimal tree is among the models."""

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from hedgerow.studies.result import StudyResult
    from hedgerow.studies.train import Trained

TITLE = "Greedy or optimal"
HEADING = "Is the best tree better than the greedy one?"
ORDER = 55
SIZES = (2, 3, 4, 5, 6, 8)
SECONDS = 5.0  # for each size
MOST_ROWS = 20_000


def summarize(trained: "Trained") -> dict[str, Any] | None:
    from sklearn.base import clone

    from hedgerow.estimators.growth import compare_growth

    model = _find_optimal(trained.benchmark.models)
    if model is None:
        return None
    rows, goal = trained.tree_rows, trained.loaded.goal
    if len(rows) > MOST_ROWS:
        drawn = np.random.default_rng(0).choice(len(rows), MOST_ROWS, replace=False)
        rows = rows.take(np.sort(drawn))
    y = rows.target if goal.classes is None else goal.classes[rows.target]
    limit = SECONDS if model.time_limit is None else min(SECONDS, model.time_limit)
    quick = clone(model).set_params(time_limit=limit)
    found = compare_growth(quick, rows.table, y, rows.weight, sizes=SIZES).to_dict()
    return found | {"chosen": _describe_chosen(trained.estimator)}


def _describe_chosen(model: Any) -> dict[str, str] | None:
    """The recommended model, where it is an optimal tree."""
    if not hasattr(model, "certificate_") or not hasattr(model, "to_text"):
        return None
    return {"certificate": str(model.certificate_), "text": model.to_text()}


def _find_optimal(models: dict[str, Any]) -> Any:
    from hedgerow.estimators import OptimalTreeClassifier, OptimalTreeRegressor
    from hedgerow.estimators.delegating import DelegatingEstimator
    from hedgerow.estimators.with_features import WithFeatures

    for model in models.values():
        while isinstance(model, (DelegatingEstimator, WithFeatures)):
            model = model.estimator
        if isinstance(model, (OptimalTreeClassifier, OptimalTreeRegressor)):
            return model
    return None


def context(result: "StudyResult") -> dict[str, Any] | None:
    found = result.extra.get("growth")
    return None if found is None else {"g": found, "methods": _methods(found)}


def _methods(found: dict[str, Any]) -> list[str]:
    return list(dict.fromkeys(point["method"] for point in found["points"]))
