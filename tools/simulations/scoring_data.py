"""Scoring data drawn from a population.   In: a kind, a number of rows, a generator.   Out: ScoringData; scores.

A hold-out interval sees only the true value of a row and its prediction, so the model itself need not be there.
"""

from collections.abc import Iterable

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import estimate_metric
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metric import metrics
from hedgerow.evaluation.predictions import Predictions, ScoringData
from hedgerow.evaluation.score import Score, make_score
from hedgerow.evaluation.splits import Split, Splits
from simulations.quick import quick

CLASSES = {  # shift, slope, noise of the model, results that are proba 0 and 1
    "even classes": (0.0, 1.5, 0.0, False),
    "one positive in eleven": (3.0, 1.5, 0.0, False),
    "even classes, sharp model": (0.0, 6.0, 0.0, False),
    "one in ten, full tree": (3.6, 2.5, 0.7, True),
    "one positive in fifty": (4.9, 1.5, 0.0, False),
}
NUMBERS = ("normal errors", "heavy tails", "skewed target", "skewed errors", "one error in fifty is large")


def draw(kind: str, n: int, random: np.random.Generator) -> ScoringData:
    return numbers(kind, n, random) if kind in NUMBERS else classes(kind, n, random)


def classes(kind: str, n: int, random: np.random.Generator) -> ScoringData:
    shift, slope, noise, is_sure = CLASSES[kind]
    x = random.normal(size=n)
    y = (random.random(n) < _logistic(slope * x - shift)).astype(int)
    positive = _logistic(slope * (x + noise * random.normal(size=n)) - shift)
    positive = np.round(positive) if is_sure else positive
    proba = np.column_stack([1 - positive, positive])
    return ScoringData(y, Predictions((positive > 0.5).astype(int), proba, proba), np.ones(n), 2)


def numbers(kind: str, n: int, random: np.random.Generator) -> ScoringData:
    x = random.normal(size=n)
    if kind == "skewed target":
        return ScoringData(
            np.exp(0.7 * x) + 0.5 * random.exponential(size=n),
            Predictions(np.exp(0.7 * x) + 0.5),
            np.ones(n),
            0,
        )
    if kind == "skewed errors":  # lognormal; their squares too, with twice the spread of the logarithm
        return ScoringData(x + np.exp(0.7 * random.normal(size=n)), Predictions(x), np.ones(n), 0)
    if kind == "one error in fifty is large":
        size = np.where(random.random(n) < 0.02, 12.0, 1.0)
        return ScoringData(x + size * random.normal(size=n), Predictions(x), np.ones(n), 0)
    error = random.normal(size=n) if kind == "normal errors" else random.standard_t(5, size=n)
    return ScoringData(x + 0.7 * error, Predictions(0.9 * x + 0.1), np.ones(n), 0)


def compute_scores(rows: ScoringData, names: Iterable[str]) -> dict[str, Score]:
    """As evaluate(cv="fitted") gives them."""
    n = len(rows.y_true)
    known = None if rows.n_classes == 0 else np.arange(rows.n_classes)
    data = Data(None, rows.y_true, known, None, None, None)
    splits = Splits((Split(np.arange(0), np.arange(n), 0),), "", "fitted")
    results = (FoldResult(rows.predictions, "", 0.0, 0.0, None),)
    return {
        name: make_score(name, quick(name), estimate_metric(quick(name), results, data, splits), "", 0.95)
        for name in names
    }


def names_for(kind: str) -> list[str]:
    task = "regression" if kind in NUMBERS else "classification"
    return [name for name, metric in metrics().items() if metric.task == task]


def _logistic(f: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-f))
