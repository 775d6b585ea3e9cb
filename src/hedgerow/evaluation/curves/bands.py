"""Curves of an Evaluation and their confidence bands.   In: an Evaluation.   Out: its scoring data, split by split; a
curve averaged over the splits, with a band.

The curves of the splits are averaged at each place, by the weights of the folds. The band is a Bayesian bootstrap: rows
(or groups) get random weights, 200 times, and the quantiles are taken at each place. It is pointwise, not simultaneous.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.evaluation.estimate import missing_method
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.overlap import DEFAULT_INFLATION
from hedgerow.evaluation.predictions import ScoringData, concat_scoring_data, make_scoring_data
from hedgerow.types import Count, Float
from hedgerow.words import quote

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation

DRAWS = 200
Heights = Callable[
    [Float, Float, Count], Float
]  # y_true and weight from the highest score down, ends of ties


def scoring_data_by_split(evaluation: "Evaluation") -> list[tuple[Count, ScoringData]]:
    """Row numbers and scoring data of each split that did not fail."""
    return [
        (part.test, make_scoring_data(evaluation.data, part.test, result.predictions))
        for part, result in zip(evaluation.splits.parts, evaluation.fold_results, strict=True)
        if result.predictions is not None
    ]


def pool_scoring_data(evaluation: "Evaluation") -> tuple[Count, ScoringData]:
    """All splits together; a row tested in several repeats is there several times."""
    parts = scoring_data_by_split(evaluation)
    return np.concatenate([rows for rows, _ in parts]), concat_scoring_data([one for _, one in parts])


def positive_label(evaluation: "Evaluation") -> str:
    assert evaluation.data.classes is not None
    return str(evaluation.data.classes[1])


def require_two_classes(evaluation: "Evaluation", what: str, needs: str) -> None:
    if evaluation.data.classes is None:
        raise ValueError(f"{what} is for two classes, and this is a regression. See .residuals().")
    if not evaluation.data.is_binary:
        first = quote(evaluation.data.classes.tolist()[0])
        raise ValueError(f"{what} is for two classes. For one against the others: .against_rest({first}).")
    given = [result.predictions for result in evaluation.fold_results if result.predictions is not None]
    if any(getattr(predictions, needs) is None for predictions in given):
        wanted, model = missing_method(needs), type(evaluation.model).__name__
        raise ValueError(f"{what} needs a model with {wanted}; {model} has none.")


def require_classes(evaluation: "Evaluation", what: str) -> None:
    if evaluation.data.classes is None:
        raise ValueError(f"{what} is for classes, and this is a regression. See .residuals().")


def error_factor(evaluation: "Evaluation") -> float:
    """The standard error as a multiple of that of independent rows (overlap.py), whatever the metric."""
    return 1.0 if evaluation.splits.is_hold_out else float(np.sqrt(1 + DEFAULT_INFLATION))


def average_curve(evaluation: "Evaluation", scoring: str, heights: Heights) -> tuple[Float, Float, Float]:
    """Middle, lower and upper line; folds weigh as for the metric `scoring`."""
    metric: Any = metrics()[scoring]
    weights, units = _bootstrap_weights(evaluation)
    total = lines = np.zeros(0)
    weight_sum = 0.0
    for rows, scored in scoring_data_by_split(evaluation):
        fold_weight = metric.fold_weight(scored)
        if fold_weight == 0:
            continue
        y_true, weight, order, ends = _sort_by_decision(scored)
        line = fold_weight * heights(y_true, weight, ends)
        drawn = weights[:, units[rows][order]]
        many = fold_weight * np.array([heights(y_true, weight * w, ends) for w in drawn])
        total, lines = (total + line, lines + many) if weight_sum else (line, many)
        weight_sum += fold_weight
    if not weight_sum:
        raise ValueError("No split has test rows of both classes, so there is no curve. Hold out more rows.")
    middle, lines = total / weight_sum, lines / weight_sum
    tail = (1 - evaluation.confidence_level) / 2
    low, high = np.quantile(lines, [tail, 1 - tail], axis=0)
    factor = error_factor(evaluation)
    low = np.clip(middle - factor * (middle - low), 0, 1)
    high = np.clip(middle + factor * (high - middle), 0, 1)
    return middle, low, high


def _bootstrap_weights(evaluation: "Evaluation") -> tuple[Float, Count]:
    """Exponential weights of rows (or groups), draws x units, and the unit of each row."""
    data = evaluation.data
    units: Count = np.arange(data.n_rows) if data.groups is None else data.groups
    random = np.random.default_rng(0)
    return random.standard_exponential((DRAWS, int(units.max()) + 1)), units


def _sort_by_decision(rows: ScoringData) -> tuple[Float, Float, Count, Count]:
    """y_true and weight from the highest score down, the order, and the last place of each group of ties."""
    score = rows.decision[:, 1]
    order = np.argsort(-score, kind="stable")
    ends = np.append(np.flatnonzero(np.diff(score[order])), len(score) - 1)
    return (rows.y_true[order] == 1).astype(float), rows.weight[order], order, ends
