"""What a metric is.   In: ScoringData.   Out: the metric (scikit-learn's number) and its influence function.

The influence of a row is the derivative of the metric by the row's normalized weight: the metric of slightly other
weights is value + sum of (change of weight x influence). Influences have the weighted mean zero; their spread gives the
standard error (the delta method; for the area under the ROC curve this is DeLong's). tests/evaluation/test_metrics.py
checks every influence against the derivative of scikit-learn's metric by its sample_weight.

A new metric is one file in metrics/: copy metrics/mae.py.
"""

from collections.abc import Callable, Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np

from hedgerow import plugins
from hedgerow.errors import ParameterError
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.predictions import ScoringData
from hedgerow.types import Float, Mask
from hedgerow.words import did_you_mean, quote

METRICS = "hedgerow.evaluation.metrics"


@runtime_checkable
class Metric(Protocol):
    """A file of metrics/; its name is the metric's."""

    title: str  # as it is printed
    task: str  # "classification" or "regression"
    needs: str  # of the Predictions: "values", "proba" or "decision"
    scale: str  # "proportion", "share", "positive", "root" or "below_one": see score.py
    higher_is_better: bool
    is_percentage: bool  # printed as 81.2 % on pages for readers
    by_fold: bool  # it ranks rows, so it is computed within a fold; else over all rows of a repeat together
    ORDER: int  # its place in tables

    def value(self, rows: ScoringData) -> float:
        """NaN where it is not defined."""
        ...

    def influence(self, rows: ScoringData) -> Float:
        """One number a row."""
        ...

    def n_effective(self, rows: ScoringData) -> float:
        """The effective sample size: rows that could have made a difference."""
        ...


@runtime_checkable
class ByFold(Protocol):
    """A metric with by_fold = True: folds are averaged by their weight."""

    def fold_weight(self, rows: ScoringData) -> float:
        """0 where the metric is not defined."""
        ...

    def fold_weight_influence(self, rows: ScoringData) -> Float:
        """The derivative of fold_weight by each row's weight."""
        ...


@runtime_checkable
class Losses(Protocol):
    """A metric that is a mean of losses, one a row."""

    def losses(self, rows: ScoringData) -> Float: ...


@runtime_checkable
class Proportions(Protocol):
    """A metric with scale = "proportion": a mean of proportions of rows."""

    def proportions(self, rows: ScoringData) -> list[tuple[float, float]]:
        """Each proportion, and its effective sample size."""
        ...


# A metric of numbers that the mean is not the best constant for has BEST_CONSTANT = "median": the baseline beside it.


def best_constant(metric: Metric) -> str:
    """Of a target of numbers: "mean" or "median"."""
    return str(getattr(metric, "BEST_CONSTANT", "mean"))


def metrics() -> dict[str, Metric]:
    """All of them, in the order of tables."""
    return plugins.load_plugins(METRICS, Metric)  # type: ignore[type-abstract]


def load_metric(name: Any, task: str, parameter: str = "scoring") -> Metric:
    known = [other for other, metric in metrics().items() if metric.task == task]
    if name not in known:
        hint = did_you_mean(str(name), known)
        template = f"{{{parameter}}} is unknown for a {task}. Known: {{}}.{{}}"
        raise ParameterError(template, ", ".join(known), hint, **{parameter: name})
    return metrics()[name]


def metric_names(scoring: Sequence[str] | str | None, data: Data) -> list[str]:
    """The metrics of `scoring`, checked; all of the task if it is None."""
    if scoring is None:
        return [name for name, metric in metrics().items() if metric.task == data.task]
    if not isinstance(scoring, (str, list, tuple)):
        raise TypeError(f"scoring={quote(scoring)}: wanted a name such as 'accuracy', or a list of names.")
    names = [scoring] if isinstance(scoring, str) else list(dict.fromkeys(scoring))
    if not names:
        raise ParameterError("{scoring} is empty. Name at least one metric, or leave it out for all.")
    for name in names:
        load_metric(name, data.task)
    return names


def metric_name(scoring: Any, data: Data) -> str:
    """The one metric that decides: accuracy for classes and rmse for numbers if None."""
    if scoring is None:
        return default_scoring(data)
    if not isinstance(scoring, str):
        raise TypeError(f"scoring={quote(scoring)}: wanted the name of one metric, such as 'accuracy'.")
    return metric_names(scoring, data)[0]


def default_scoring(data: Data) -> str:
    return "rmse" if data.classes is None else "accuracy"


# for the files of metrics/


def count_rows(rows: ScoringData) -> float:
    """n_effective of a mean over all rows."""
    return float(len(rows.y_true))


def count_rarest(rows: ScoringData) -> float:
    """n_effective of a metric of one class against others: rows of the rarest class."""
    count = np.bincount(rows.y_true)
    return float(count[count > 0].min())


def mean_over_classes(classes: list[int], of_class: Callable[[int], Float]) -> Float:
    """The influence of a macro average."""
    return np.mean([of_class(c) for c in classes], axis=0)  # type: ignore[no-any-return]


def weighted_proportion(right: Mask, weight: Float) -> tuple[float, float]:
    """The proportion that is right, and its effective sample size (Kish): (sum of weights)^2 / sum of squares."""
    total = float(weight.sum())
    if total == 0:
        return 0.0, 0.0
    return float(right @ weight) / total, total**2 / float(weight @ weight)


def class_recall(rows: ScoringData, c: int) -> tuple[float, float]:
    of_c = rows.y_true == c
    return weighted_proportion(rows.y_pred[of_c] == c, rows.weight[of_c])


def class_recall_influence(rows: ScoringData, c: int) -> Float:
    is_c, weight = (rows.y_true == c).astype(float), rows.normalized_weight
    weight_c = is_c @ weight
    if weight_c == 0:
        return np.zeros(len(is_c))
    right = (rows.y_pred == c).astype(float)
    return is_c * (right - (is_c * right) @ weight / weight_c) / weight_c  # type: ignore[no-any-return]
