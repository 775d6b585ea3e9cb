"""The blend of a study.   In: fold results of all models, calibrated.   Out: those of their weighted mean; and the
weights for the models of all rows.

    fold k:     the weights that are best on the other folds of its repeat
    the model:  those that are best on all folds; members that count little are left out

Nothing is fitted for it but, at the end, its members. The weights come with a certificate (ensemble/vote.py).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from hedgerow.candidate import BASELINE
from hedgerow.ensemble.vote import by_absolute_error, by_log_loss, by_squared_error
from hedgerow.estimators.decided import DecidedModel
from hedgerow.estimators.voting import WeightedVotingClassifier, WeightedVotingRegressor
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import best_constant, metrics
from hedgerow.evaluation.predictions import Predictions, ScoringData, concat_scoring_data, make_scoring_data
from hedgerow.evaluation.run import FoldResults
from hedgerow.evaluation.size import sum_sizes
from hedgerow.evaluation.splits import Splits
from hedgerow.types import Float

NAME = "blend"
LEAST = 0.05  # weight of a member


@dataclass(frozen=True, eq=False)
class Blend:
    results: tuple[FoldResult, ...]  # not calibrated yet
    weights: dict[str, float]  # of the members, by name


def blend_results(results: FoldResults, data: Data, splits: Splits, scoring: str) -> Blend | None:
    """Weights have the least log loss; of numbers the least squared error, or absolute error, if `scoring` is that.
    None where fewer than two models answered everywhere, or one of them has all the weight."""
    names = [
        name
        for name, some in results.items()
        if name != BASELINE and all(_is_complete(result, data) for result in some)
    ]
    if len(names) < 2:
        return None
    parts = [
        [make_scoring_data(data, part.test, _known(results[name][k])) for name in names]
        for k, part in enumerate(splits.parts)
    ]
    learn = partial(_learn, best_constant(metrics()[scoring]))
    final = _without_small(learn(parts))
    if np.count_nonzero(final) < 2:
        return None
    repeats = [part.repeat for part in splits.parts]
    out = []
    for k in range(len(parts)):
        others = [part for j, part in enumerate(parts) if j != k and repeats[j] == repeats[k]]
        out.append(_mix([results[name][k] for name in names], learn(others or [parts[k]])))
    return Blend(tuple(out), {name: float(w) for name, w in zip(names, final, strict=True) if w > 0})


def fit_blend(blend: Blend, fit_member: Callable[[str], DecidedModel], data: Data) -> Any:
    """`fit_member`: a model of all rows with its decision, by name."""
    members = [(name, fit_member(name)) for name in blend.weights]
    kind = WeightedVotingRegressor if data.classes is None else WeightedVotingClassifier
    model = kind(members, weights=list(blend.weights.values()), prefit=True)
    return model.fit(data.X, data.labels)


def _is_complete(result: FoldResult, data: Data) -> bool:
    found = result.predictions
    return found is not None and (data.classes is None or found.proba is not None)


def _known(result: FoldResult) -> Predictions:
    assert result.predictions is not None
    return result.predictions


def _learn(constant: str, parts: list[list[ScoringData]]) -> Float:
    """Weights of the members; `constant`: the best one by the metric; `parts`: by split, what each member says."""
    by_member = [concat_scoring_data(list(one)) for one in zip(*parts, strict=True)]
    first = by_member[0]
    if first.n_classes == 0:
        predicted = np.column_stack([one.y_pred for one in by_member])
        by_error = by_absolute_error if constant == "median" else by_squared_error
        return by_error(predicted, first.y_true, first.weight).weight
    rows = np.arange(len(first.y_true))
    return by_log_loss(
        np.column_stack([one.proba[rows, one.y_true] for one in by_member]), first.weight
    ).weight


def _without_small(weights: Float) -> Float:
    kept = np.where(weights >= min(LEAST, weights.max()), weights, 0.0)
    return np.asarray(kept / kept.sum())


def _mix(results: list[FoldResult], weights: Float) -> FoldResult:
    def mean(name: str) -> Predictions | None:
        given: list[Predictions | None] = [getattr(result, name) for result in results]
        some = [one for one in given if one is not None]
        if len(some) < len(given):
            return None
        if some[0].proba is None:
            return Predictions(np.asarray(sum(w * one.values for w, one in zip(weights, some, strict=True))))
        proba = np.asarray(sum(w * one.proba for w, one in zip(weights, some, strict=True)))
        return Predictions(proba.argmax(axis=1), proba, proba)

    fit, test = (sum(getattr(r, what) for r in results) for what in ("fit_seconds", "test_seconds"))
    size = sum_sizes([result.size for result, w in zip(results, weights, strict=True) if w > 0])
    return FoldResult(mean("predictions"), "", fit, test, size, mean("overlap_predictions"))


def member_models(models: Mapping[str, Any]) -> dict[str, Any]:
    """Models that are fitted in each fold: all but the blend."""
    return {name: model for name, model in models.items() if name != NAME}
