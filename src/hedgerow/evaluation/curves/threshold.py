"""Which probability is enough?   In: an Evaluation of two classes, the costs of the two mistakes.   Out: Threshold.

The threshold is the one with the least cost on rows the models had not seen. Its cost is cross-validated: that of each
fold comes from the threshold that the other folds choose. With one hold-out there is no other fold, and the cost is
that of the rows the threshold was chosen on, which the text says. Calibrated probabilities need no choice: from
false_positive / (false_positive + false_negative) on.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from hedgerow.display import Result
from hedgerow.display.numbers import figure, interval, percent
from hedgerow.evaluation.curves.bands import (
    error_factor,
    pool_scoring_data,
    positive_label,
    require_two_classes,
    scoring_data_by_split,
)
from hedgerow.evaluation.predictions import ScoringData, concat_scoring_data
from hedgerow.evaluation.score import t_quantile
from hedgerow.types import Count, Float
from hedgerow.words import show

if TYPE_CHECKING:
    from hedgerow.evaluation.evaluation import Evaluation


@dataclass(frozen=True, eq=False, repr=False)
class Threshold(Result):
    """The probability from which predicting the positive class is cheaper.

    Attributes
    ----------
    value :
        Predict "positive" from this probability on.
    theory :
        The same for perfectly calibrated probabilities.
    false_positive :
        Cost of a false positive.
    false_negative :
        Cost of a false negative.
    cost :
        A row, on rows the threshold was not chosen on.
    low :
        Lower end of the interval of the cost.
    high :
        Upper end of the interval of the cost.
    default_cost :
        At the threshold 0.5.
    is_cross_validated :
        False: one split, so the threshold was chosen on the rows it is scored on.
    thresholds :
        The whole curve.
    costs :
        Mean cost of a row at each threshold.

    See Also
    --------
    hedgerow.evaluate : Returns the evaluation that makes it.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier, datasets, evaluate
    >>> heart = datasets.heart()
    >>> found = evaluate(DecisionTreeClassifier(max_depth=2), heart.table, heart.target, cv=3, repeats=1)
    >>> round(found.threshold(false_negative=5.0).theory, 3)
    0.167
    """

    value: float
    theory: float
    false_positive: float
    false_negative: float
    cost: float
    low: float
    high: float
    default_cost: float
    is_cross_validated: bool
    thresholds: Float
    costs: Float
    confidence_level: float
    positive: str

    def tables(self) -> list[str]:
        optimism = (
            "" if self.is_cross_validated else " (chosen and scored on the same rows: somewhat too good)"
        )
        never = self.value >= self.thresholds[-1]
        place = "never" if never else f"from a probability of {figure(self.value)}"
        ends = f"{percent(self.confidence_level)}: {interval(self.low, self.high)}"
        return [
            f"predict {show(self.positive)} {place} (calibrated probabilities: from {figure(self.theory)})\n"
            f"costs {figure(self.cost)} a row ({ends}){optimism}; at 0.5: {figure(self.default_cost)}"
        ]

    def draw(self, ax: Any = None) -> Any:
        from hedgerow.draw.curves import draw_threshold

        return draw_threshold(self, ax=ax)


def choose_threshold(evaluation: "Evaluation", false_positive: float, false_negative: float) -> Threshold:
    require_two_classes(evaluation, "a threshold", "proba")
    _check_costs(false_positive, false_negative)
    costs = (float(false_positive), float(false_negative))
    parts = [rows for _, rows in scoring_data_by_split(evaluation)]
    rows, pooled = pool_scoring_data(evaluation)
    edges, curve = _cost_curve(pooled, *costs)
    best = _cheapest(edges, curve)
    losses = np.concatenate(
        [_losses(part, _other_folds_choice(parts, k, costs, best), *costs) for k, part in enumerate(parts)]
    )
    weight = pooled.normalized_weight
    cost = float(losses @ weight)
    half = _half_width(evaluation, rows, weight * (losses - cost))
    return Threshold(
        value=best,
        theory=costs[0] / sum(costs),
        false_positive=costs[0],
        false_negative=costs[1],
        cost=cost,
        low=max(0.0, cost - half),
        high=cost + half,
        default_cost=float(_losses(pooled, 0.5, *costs) @ weight),
        is_cross_validated=len(parts) > 1,
        thresholds=edges,
        costs=curve,
        confidence_level=evaluation.confidence_level,
        positive=positive_label(evaluation),
    )


def _check_costs(false_positive: float, false_negative: float) -> None:
    for name, cost in (("false_positive", false_positive), ("false_negative", false_negative)):
        if not (np.isfinite(cost) and cost >= 0):
            raise ValueError(f"{name}={cost!r} is no cost. Give a number of 0 or more.")
    if false_positive + false_negative == 0:
        raise ValueError("Both mistakes cost nothing: there is nothing to choose. Give a cost above 0.")


def _other_folds_choice(parts: list[ScoringData], k: int, costs: tuple[float, float], best: float) -> float:
    """The threshold that all folds but k choose; `best` where there is only one."""
    others = parts[:k] + parts[k + 1 :]
    return _cheapest(*_cost_curve(concat_scoring_data(others), *costs)) if others else best


def _half_width(evaluation: "Evaluation", rows: Count, contributions: Float) -> float:
    """Of the interval of the mean cost."""
    units = rows if evaluation.data.groups is None else evaluation.data.groups[rows]
    by_unit, n_units = np.bincount(units, contributions), len(np.unique(units))
    error = float(np.sqrt(np.sum(by_unit**2) * n_units / max(1, n_units - 1))) * error_factor(evaluation)
    return t_quantile(evaluation.confidence_level, n_units) * error


def _cost_curve(rows: ScoringData, false_positive: float, false_negative: float) -> tuple[Float, Float]:
    """Every threshold that makes a difference, rising, and its cost a row. The last one predicts no positive."""
    proba = rows.proba[:, 1]
    order = np.argsort(proba, kind="stable")
    values, first = np.unique(proba[order], return_index=True)
    positive = np.append(0.0, np.cumsum((rows.weight * (rows.y_true == 1))[order]))
    negative = np.append(0.0, np.cumsum((rows.weight * (rows.y_true == 0))[order]))
    places = np.append(first, len(order))
    cost = false_negative * positive[places] + false_positive * (negative[-1] - negative[places])
    between = np.append(values[0], (values[1:] + values[:-1]) / 2)
    return np.append(between, np.nextafter(values[-1], np.inf)), cost / rows.weight.sum()


def _cheapest(edges: Float, costs: Float) -> float:
    """The middle one of the equally cheap ones."""
    cheap = np.flatnonzero(costs <= costs.min() + 1e-12)
    return float(edges[cheap[len(cheap) // 2]])


def _losses(rows: ScoringData, threshold: float, false_positive: float, false_negative: float) -> Float:
    predicted = rows.proba[:, 1] >= threshold
    return np.where(
        predicted,
        np.where(rows.y_true == 1, 0.0, false_positive),
        np.where(rows.y_true == 1, false_negative, 0.0),
    )
