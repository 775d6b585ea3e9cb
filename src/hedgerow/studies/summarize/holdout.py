"""The hold-out, summarized.   In: an Evaluation of the chosen model on rows it has not seen.   Out: HoldoutResult, and
the permutation importance of the columns.

    importance: rows x shuffles below each other, one column mixed within each block -> one prediction for each column
"""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.decision import Aim
from hedgerow.estimators.decided import DecidedModel
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.evaluation import Evaluation
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.predictions import make_scoring_data, predict_all
from hedgerow.evaluation.score import t_quantile
from hedgerow.studies.attempts import Attempts
from hedgerow.studies.records import Curve, HoldoutResult, ImportanceRecord
from hedgerow.studies.summarize.models import record_score
from hedgerow.studies.summarize.operating_point import summarize_intervals, summarize_operating_point
from hedgerow.table import Column, Table
from hedgerow.types import Count, Float

MOST_POINTS = 1000
ROC_POINTS = 101
SHUFFLES = 6
MOST_ROWS = 500
MOST_COLUMNS = 40  # of more, those that a tree of the training rows uses most


def summarize_holdout(
    evaluation: Evaluation,
    model: DecidedModel,
    aim: Aim | None,
    random_state: int,
    attempts: Attempts,
    classes: NDArray[Any] | None,
) -> HoldoutResult:
    """`classes`: those of the training rows, in the order of the report."""
    predicted, data = evaluation.fold_results[0].predictions, evaluation.data
    if predicted is None:
        raise RuntimeError(f"The chosen model failed on the hold-out: {evaluation.fold_results[0].failure}")
    attempt, has_order = attempts.attempt, data.is_binary and predicted.decision is not None
    has_probabilities = data.is_binary and predicted.proba is not None
    return HoldoutResult(
        n_rows=data.n_rows,
        scores=tuple(record_score(score) for score in evaluation.scores if np.isfinite(score.value)),
        confusion=attempt("the confusion matrix", lambda: _confusion(evaluation, classes), ()),
        roc=attempt("the ROC curve", lambda: _roc(evaluation) if has_order else None, None),
        calibration=attempt(
            "the calibration curve", lambda: _calibration(evaluation) if has_probabilities else None, None
        ),
        residuals=attempt(
            "the residuals",
            lambda: _residuals(evaluation, random_state) if data.classes is None else None,
            None,
        ),
        operating_point=attempt(
            "the operating point", lambda: summarize_operating_point(evaluation, model, aim), None
        ),
        intervals=attempt("the prediction intervals", lambda: summarize_intervals(evaluation, model), ()),
    )


def _confusion(evaluation: Evaluation, classes: NDArray[Any] | None) -> tuple[tuple[int, ...], ...]:
    """Rows of a class that no training row has are left out."""
    if classes is None:
        return ()
    found = evaluation.confusion()
    place = {label: k for k, label in enumerate(found.classes.tolist())}
    at = [place[label] for label in classes.tolist()]
    return tuple(tuple(round(n) for n in row) for row in found.counts[np.ix_(at, at)].tolist())


def _roc(evaluation: Evaluation) -> Curve | None:
    if len(np.unique(evaluation.data.y)) < 2:
        return None
    roc = evaluation.roc()
    few = np.linspace(0, len(roc.false_positive_rate) - 1, ROC_POINTS).round().astype(int)
    lines = (roc.false_positive_rate, roc.true_positive_rate, roc.low, roc.high)
    return Curve(*(_floats(line[few]) for line in lines))


def _calibration(evaluation: Evaluation) -> Curve:
    found = evaluation.calibration(bins=max(2, min(10, evaluation.data.n_rows // 20)))
    return Curve(_floats(found.predicted), _floats(found.observed), _floats(found.low), _floats(found.high))


def _residuals(evaluation: Evaluation, random_state: int) -> Curve:
    predicted = evaluation.fold_results[0].predictions
    assert predicted is not None
    rows = np.sort(np.random.default_rng(random_state).permutation(evaluation.data.n_rows)[:MOST_POINTS])
    return Curve(_floats(predicted.values[rows]), _floats(evaluation.data.y[rows]))


def _floats(values: Float) -> tuple[float, ...]:
    return tuple(float(value) for value in values)


def measure_importance(
    model: Any, data: Data, table: Table, scoring: str, random_state: int, order: Count
) -> tuple[ImportanceRecord, ...]:
    """The most important first. `order`: of the columns, the most promising first."""
    random = np.random.default_rng(random_state)
    rows = np.sort(random.permutation(data.n_rows)[:MOST_ROWS])
    blocks = table.take(np.tile(rows, SHUFFLES))
    known = metrics()[scoring]
    sign = 1.0 if known.higher_is_better else -1.0

    def score_blocks(shuffled: Table, n_blocks: int) -> list[float]:
        predicted = predict_all(model, shuffled, data.classes, classify=known.needs == "values")
        parts = [predicted.take(np.arange(len(rows)) + k * len(rows)) for k in range(n_blocks)]
        return [sign * known.value(make_scoring_data(data, rows, part)) for part in parts]

    whole = score_blocks(table.take(rows), 1)[0]
    found = []
    for j in order[:MOST_COLUMNS]:
        falls = whole - np.array(score_blocks(_shuffle(blocks, int(j), random), SHUFFLES))
        middle = float(np.mean(falls))
        half = float(t_quantile(0.95, SHUFFLES) * np.std(falls, ddof=1) / np.sqrt(SHUFFLES))
        found.append(ImportanceRecord(table.columns[j].name, middle, middle - half, middle + half))
    return tuple(sorted(found, key=lambda one: -one.value))


def title_importance(scoring: str, n_columns: int) -> str:
    metric = metrics()[scoring]
    change = "falls" if metric.higher_is_better else "rises"
    words = f"How much the {metric.title} {change} when a column is shuffled, on the hold-out"
    if n_columns <= MOST_COLUMNS:
        return words
    return f"{words}; of {n_columns:,} columns the {MOST_COLUMNS} that a tree of the training rows uses most"


def _shuffle(blocks: Table, j: int, random: np.random.Generator) -> Table:
    column: Column = blocks.columns[j]
    values = random.permuted(column.values.reshape(SHUFFLES, -1), axis=1).reshape(-1)
    columns = (*blocks.columns[:j], replace(column, values=values), *blocks.columns[j + 1 :])
    return Table(columns, blocks.n_rows, blocks.named)
