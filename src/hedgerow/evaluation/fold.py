"""One fit and its test.   In: a model, training rows, test rows.   Out: a FoldResult: predictions, seconds, size; or
why the fit failed.

The baseline, which knows the target of the training rows and nothing else, is fitted here too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.dummy import DummyClassifier, DummyRegressor
from sklearn.utils.validation import has_fit_parameter

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.metric import Metric, best_constant
from hedgerow.evaluation.predictions import Predictions, predict_all
from hedgerow.evaluation.size import Size, measure_size
from hedgerow.evaluation.splits import Split, Splits
from hedgerow.types import Float
from hedgerow.words import show


@dataclass(frozen=True, eq=False)
class FoldResult:
    predictions: Predictions | None  # of the test rows; None: the fit failed
    failure: str  # "" or the reason
    fit_seconds: float
    test_seconds: float
    size: Size | None
    # Of the rows that the models of all folds predict: overlap.py
    overlap_predictions: Predictions | None = None


@dataclass(frozen=True, eq=False)
class FitJob:
    """All that one fit needs: small enough to be sent to another process."""

    model: Any
    training: Any
    target: NDArray[Any]
    weight: Float | None
    test: Any
    classes: NDArray[Any] | None
    overlap_rows: Any = None  # rows that the models of all folds predict
    fit: bool = True
    classify: bool = True  # False: classes are decided later, from the scores
    # None: as many as the model takes by itself; 1 where other fits run beside this one
    threads: int | None = None


def fit_and_predict(job: FitJob) -> FoldResult:
    begin = perf_counter()
    try:
        model = job.model
        if job.fit:
            model = clone(model)
            if job.threads is not None:
                model.set_params(**thread_params(model, job.threads))
            model.fit(job.training, job.target, **weight_params(model, job.weight))
        fitted = perf_counter()
        n_trained = len(job.target) if job.fit else None
        predictions = predict_all(model, job.test, job.classes, n_trained, classify=job.classify)
        tested = perf_counter()
        overlap = None
        if job.overlap_rows is not None:
            overlap = predict_all(model, job.overlap_rows, job.classes, n_trained, classify=job.classify)
        return FoldResult(predictions, "", fitted - begin, tested - fitted, measure_size(model), overlap)
    except Exception as error:  # whatever a model raises is a result about the model
        failure = f"{type(error).__name__}: {show(str(error), 200)}"
        return FoldResult(None, failure, perf_counter() - begin, 0.0, None)


def thread_params(model: Any, n_jobs: int) -> dict[str, int]:
    """n_jobs wherever the model and its parts leave it open. Estimators of scikit-learn use one thread then anyway, and
    some of them warn when they are given a number."""
    given = model.get_params(deep=True)
    unset = [name for name, value in given.items() if name.rpartition("__")[2] == "n_jobs" and value is None]
    owners = {name: given.get(name.rpartition("__")[0], model) for name in unset}
    return {
        name: n_jobs for name, owner in owners.items() if not type(owner).__module__.startswith("sklearn.")
    }


def weight_params(model: Any, weight: Float | None) -> dict[str, Any]:
    """The fit parameter by which this model takes weights; empty where it takes none."""
    if weight is None:
        return {}
    if has_fit_parameter(model, "sample_weight"):
        return {"sample_weight": weight}
    if hasattr(model, "steps") and has_fit_parameter(model.steps[-1][1], "sample_weight"):
        return {f"{model.steps[-1][0]}__sample_weight": weight}
    return {}


def accepts_weights(model: Any) -> bool:
    return bool(weight_params(model, np.ones(1)))


def baseline_model(data: Data, metric: Metric) -> Any:
    """Classes: their proportions in the training rows. Numbers: the constant that is best for the metric."""
    if data.classes is None:
        return DummyRegressor(strategy=best_constant(metric))
    return DummyClassifier(strategy="prior")


def describe_baseline(data: Data, splits: Splits, scored: Sequence[Metric]) -> str:
    """`scored`: the metrics that it stands beside."""
    is_unknown = splits.kind == "fitted" and data.learned is None
    rows = "these rows (the training rows are not at hand)" if is_unknown else "the training rows"
    if data.classes is not None:
        return f"always the most frequent class of {rows}, with their proportions as probabilities"
    constants = {metric.title: best_constant(metric) for metric in scored}
    if "mean" not in constants.values():
        return f"always the median of {rows}"
    others = [title for title, constant in constants.items() if constant == "median"]
    return f"always the mean of {rows}" + (f"; for the {', '.join(others)} their median" if others else "")


def baseline_results(
    data: Data, splits: Splits, results: tuple[FoldResult, ...], metric: Metric
) -> tuple[FoldResult, ...]:
    """On the splits where the model did not fail, so that both are scored on the same rows."""
    return tuple(
        result if result.predictions is None else _fit_baseline(data, part, splits.kind == "fitted", metric)
        for part, result in zip(splits.parts, results, strict=True)
    )


def _fit_baseline(data: Data, part: Split, is_fitted: bool, metric: Metric) -> FoldResult:
    """If it is not known what a model that is fitted already learned from, the baseline learns from the test rows."""
    if is_fitted and data.learned is not None:
        target, weight = data.learned
    else:
        train = part.test if is_fitted else part.train
        target, weight = data.labels[train], None if data.weight is None else data.weight[train]
    X = np.zeros((max(len(target), len(part.test)), 1))
    model = baseline_model(data, metric)
    return fit_and_predict(FitJob(model, X[: len(target)], target, weight, X[: len(part.test)], data.classes))
