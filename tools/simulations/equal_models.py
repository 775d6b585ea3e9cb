"""Two equal models: how often is one called better? At most 5 % of the time is wanted.

For tests on folds the two learn from columns that are equally informative. For tests on a hold-out, which are about
two fitted models, the two are given and equally good.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, RandomForestClassifier
from hedgerow.evaluation.comparison_test import Pair, load_comparison_test
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.overlap import overlap_rows
from hedgerow.evaluation.paired import make_pair, score_model
from hedgerow.evaluation.predictions import Predictions, ScoringData, predict_all
from hedgerow.evaluation.splits import Splits, make_splits
from simulations.models import Fixed, Linear
from simulations.population import noisy, share, step_twins, tied_twins, twins
from simulations.quick import quick

HALVES = ([0, 1, 2, 3], [4, 5, 6, 7])
NOISE = ([0, 1, 2, 3, 4], [0, 1, 5, 6, 7])
FOLDS = {"rowwise_t": (10, 3), "combined_5x2cv_f": (2, 5)}  # folds, repeats


@dataclass(frozen=True)
class Cell:
    words: str
    draw: Any
    columns: tuple[list[int], list[int]]
    model: Any
    n: int


def tree(leaves: int | None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_leaf_nodes=leaves, n_jobs=1)


FIRST = (
    Cell("linear", twins, HALVES, Linear(), 200),
    Cell("trees of 2 leaves", twins, HALVES, tree(2), 200),
    Cell("trees of 6 leaves", twins, HALVES, tree(6), 200),
    Cell("full trees", twins, HALVES, tree(None), 200),
    Cell("trees of 6 leaves", twins, HALVES, tree(6), 2000),
    Cell("trees of 6 leaves, other noise columns", noisy, NOISE, tree(6), 200),
)
SECOND = (
    Cell("linear", step_twins, HALVES, Linear(), 100),
    Cell("trees of 3 leaves", step_twins, HALVES, tree(3), 100),
    Cell("trees of 4 leaves", step_twins, HALVES, tree(4), 300),
    Cell("trees of 12 leaves", step_twins, HALVES, tree(12), 300),
    Cell("full trees", step_twins, HALVES, tree(None), 1000),
    Cell("forests of 5", step_twins, HALVES, RandomForestClassifier(5, random_state=0, n_jobs=1), 150),
)
TIED = (
    Cell("stumps", tied_twins, HALVES, tree(2), 60),
    Cell("stumps", tied_twins, HALVES, tree(2), 200),
    Cell("full trees", tied_twins, HALVES, tree(None), 60),
    Cell("full trees", tied_twins, HALVES, tree(None), 200),
)


def p_values(
    cell: Cell, repetitions: int, tests: tuple[str, ...], scoring: str = "accuracy", random_state: int = 0
) -> np.ndarray:
    """A line a test. All of them on the same folds."""
    random = np.random.default_rng([cell.n, random_state])
    folds, repeats = FOLDS[tests[0]]
    found = np.empty((len(tests), repetitions))
    metric = quick(scoring)
    for k in range(repetitions):
        X, y = cell.draw(cell.n, random)
        data = Data(X, y, np.array([0, 1]), None, None, None)
        splits = make_splits(folds, data, repeats=repeats, random_state=k)
        scored = [
            score_model(metric, _results(cell.model, X[:, columns], y, splits, data), data, splits)
            for columns in cell.columns
        ]
        pair = make_pair(*scored, metric, data, splits, 0.01, 0.95)
        found[:, k] = [load_comparison_test(test).compare(pair).p_value for test in tests]
    return found


def _results(model: Any, X: np.ndarray, y: np.ndarray, splits: Splits, data: Data) -> tuple[FoldResult, ...]:
    X, rows = np.ascontiguousarray(X), overlap_rows(data, splits)
    results = []
    for part in splits.parts:
        predictions = predict_all(model.fit(X[part.train], y[part.train]), X, data.classes)
        overlap = None if rows is None else predictions.take(rows)
        results.append(FoldResult(predictions.take(part.test), "", 0.0, 0.0, None, overlap))
    return tuple(results)


def count_false_alarms(test: str, n: int, repetitions: int) -> int:
    """Two fitted models that are equally good."""
    random = np.random.default_rng(n)
    models = (Fixed((1.0,)), Fixed((0.0, 0.0, 0.0, 0.0, 1.0)))
    tester, alarms = load_comparison_test(test), 0
    for _ in range(repetitions):
        X, y = twins(n, random)
        rows = [scoring_data(model, X, y) for model in models]
        outcome = tester.compare(Pair(np.zeros(1), 0.3, *rows, None, 0.01, 0.95))
        alarms += outcome.p_value <= 0.05
    return alarms


def scoring_data(model: Any, X: np.ndarray, y: np.ndarray) -> ScoringData:
    proba = model.predict_proba(X)
    return ScoringData(y, Predictions(model.predict(X), proba, proba), np.ones(len(y)), 2)


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(300 * part))
    yield f"On folds, {repetitions} repetitions.\n"
    yield "| models | rows | rowwise_t | corrected_t, as published |"
    yield "|---|---|---|---|"
    for words, cells in (("first rows", FIRST), ("second rows", SECOND), ("rows with ties", TIED)):
        alarms = np.zeros(2)
        for cell in cells:
            here = np.sum(p_values(cell, repetitions, ("rowwise_t", "corrected_t")) <= 0.05, axis=1)
            alarms += here
            line = " | ".join(share(int(n), repetitions) for n in here)
            yield f"| {cell.words} | {cell.n} | {line} |"
        line = " | ".join(share(int(n), repetitions * len(cells)) for n in alarms)
        yield f"| all of the {words} | | {line} |"
    yield "\n| rowwise_t, other scores | rows | area under ROC | Brier score | balanced accuracy |"
    yield "|---|---|---|---|---|"
    for cell in (FIRST[0], FIRST[2], SECOND[1], SECOND[3]):
        alarms = [
            int(np.sum(p_values(cell, repetitions, ("rowwise_t",), score) <= 0.05))
            for score in ("roc_auc", "brier", "balanced_accuracy")
        ]
        line = " | ".join(share(n, repetitions) for n in alarms)
        yield f"| {cell.words} | {cell.n} | {line} |"
    yield "\n| models | rows | combined_5x2cv_f |"
    yield "|---|---|---|"
    for cell in (FIRST[0], FIRST[2], SECOND[2]):
        here = int(np.sum(p_values(cell, repetitions, ("combined_5x2cv_f",)) <= 0.05))
        yield f"| {cell.words} | {cell.n} | {share(here, repetitions)} |"
    times = max(10, int(4000 * part))
    yield f"\nOn a hold-out, two given models, {times} repetitions.\n"
    yield "| test | 100 rows | 200 rows | 1000 rows |"
    yield "|---|---|---|---|"
    for test in ("mcnemar", "delong"):
        yield (
            f"| {test} | "
            + " | ".join(share(count_false_alarms(test, n, times), times) for n in (100, 200, 1000))
            + " |"
        )
