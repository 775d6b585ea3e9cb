"""Fits to a table of which a sample is in memory.   In: an estimator, the training rows of the sample, the others block
by block.   Out: which rows it has seen; the estimator is fitted to all of them by a stream.

Features (words, parts of dates, target rates) are learned from the sample, whose own rates are out of fold, and made of
the other rows with it. The rows that a stream reads are written to a temporary folder once.
"""

from collections.abc import Iterator
from typing import Any

from sklearn.base import clone

from hedgerow.estimators.forest_base import ForestBase
from hedgerow.estimators.gradient_base import HistGradientBoosting
from hedgerow.estimators.meta import EarlyStopped
from hedgerow.estimators.tree import DecisionTreeClassifier, DecisionTreeRegressor, validate
from hedgerow.estimators.with_features import WithFeatures
from hedgerow.features import class_outcome, learn_features, number_outcome
from hedgerow.intake import Samples, TargetData
from hedgerow.intake.large import to_frame
from hedgerow.store.training_rows import TrainingRows, TrainingRowsBuilder
from hedgerow.stream import TableStream
from hedgerow.table import Table

TARGET, WEIGHT = "\0target", "\0weight"  # columns of the stream: no column of a table is called so


def why_in_memory(model: Any) -> str:
    """Why the model learns from rows in memory only; "" where it can learn from a stream."""
    if isinstance(model, WithFeatures):
        return why_in_memory(model.estimator) if model.form == "columns" else "it reads all words of a text"
    if isinstance(model, EarlyStopped):
        return why_in_memory(model.estimator)
    if isinstance(model, HistGradientBoosting):
        return ""
    if isinstance(model, ForestBase):
        needed = next((name for name in ("oob_score", "stop") if getattr(model, name)), None)
        return "" if needed is None else f"its parameter {needed} looks at rows out of bag"
    if isinstance(model, DecisionTreeClassifier | DecisionTreeRegressor):
        method = validate(model).prune
        return "" if method is None or method.needs == "nothing" else "its pruning judges branches by rows"
    return "it learns from rows in memory"


def fit_large(
    model: Any, sample: Samples, others: Iterator[Samples], goal: TargetData, memory: int
) -> TrainingRows:
    """`sample`: its training rows; `memory`: bytes of codes to keep there. The estimator is left as `fit` of all rows
    leaves it."""
    seen = TrainingRowsBuilder(sample.table)
    if not isinstance(model, WithFeatures):
        _fit_stream(model, sample.table, sample, others, goal, memory, None, seen)
        return seen.finish()
    outcome = (
        number_outcome(sample.target) if goal.classes is None else class_outcome(sample.target, goal.classes)
    )
    learned = learn_features(sample.table, outcome, sample.weight, random_state=model.random_state)
    model.features_ = learned.features
    model.model_ = _fit_stream(
        clone(model.estimator), learned.table, sample, others, goal, memory, learned.features, seen
    )
    model._remember(sample.table)
    return seen.finish()


def _fit_stream(
    model: Any,
    table: Table,
    sample: Samples,
    others: Iterator[Samples],
    goal: TargetData,
    memory: int,
    features: Any,
    seen: TrainingRowsBuilder,
) -> Any:
    """`table`: of the sample, as the model reads it."""

    def blocks() -> Iterator[Any]:
        yield _with_target(table, sample, goal)
        for rows in others:
            seen.add(rows.table)
            if len(rows):
                yield _with_target(rows.table if features is None else features.make(rows.table), rows, goal)

    stream = TableStream(blocks(), memory=memory)
    weight = {} if sample.weight is None else {"sample_weight": WEIGHT}
    return model.fit(stream, TARGET, **weight)


def _with_target(table: Table, rows: Samples, goal: TargetData) -> Any:
    import polars as pl

    labels = rows.target if goal.classes is None else goal.classes[rows.target]
    more = {TARGET: labels} | ({} if rows.weight is None else {WEIGHT: rows.weight})
    return to_frame(table).with_columns(pl.Series(name, values) for name, values in more.items())
