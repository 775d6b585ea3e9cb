"""95 % intervals of cross-validation: do they hold the true score of the models that were fitted in the folds (their
mean)? And that of all models trained on so many rows, whatever rows these are?
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, DecisionTreeRegressor, RandomForestClassifier
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.estimate import estimate_metric
from hedgerow.evaluation.fold import FoldResult
from hedgerow.evaluation.metrics.roc_auc import structural_components
from hedgerow.evaluation.overlap import overlap_rows
from hedgerow.evaluation.predictions import Predictions, predict_all
from hedgerow.evaluation.score import make_score
from hedgerow.evaluation.splits import make_splits
from simulations import population
from simulations.models import LeastSquares, Linear, Unstable
from simulations.quick import quick

# Rows on which the true score of a fitted model is taken; what y is there is known as a probability.
FRESH = 4000


@dataclass(frozen=True)
class Cell:
    words: str
    model: Any
    n: int
    folds: int = 10
    repeats: int = 1
    shift: float = 0.0
    numbers: bool = False
    steps: bool = False  # rows of another population, on which nothing was chosen
    ties: bool = False  # and of a third: columns of three values
    share: float = 1.0  # of the repetitions


def tree(leaves: int | None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_leaf_nodes=leaves, n_jobs=1)


def cells() -> list[Cell]:
    forest = RandomForestClassifier(10, random_state=0, n_jobs=1)
    return [
        Cell("linear", Linear(), 100),
        Cell("linear", Linear(), 200),
        Cell("linear", Linear(), 1000),
        Cell("linear, one in twelve", Linear(), 500, shift=3.0),
        Cell("tree, 2 leaves", tree(2), 200),
        Cell("tree, 4 leaves", tree(4), 100),
        Cell("tree, 4 leaves", tree(4), 200),
        Cell("tree, 4 leaves", tree(4), 1000, share=0.5),
        Cell("full tree", tree(None), 200),
        Cell("full tree, one in twelve", tree(None), 500, shift=3.0, share=0.5),
        Cell("forest of 10", forest, 200, share=0.5),
        Cell("linear", Linear(), 200, 5, 4),
        Cell("tree, 4 leaves", tree(4), 200, 5, 4, share=0.5),
        Cell("steps: linear", Linear(), 300, steps=True),
        Cell("steps: tree, 3 leaves", tree(3), 100, steps=True),
        Cell("steps: tree, 6 leaves", tree(6), 300, steps=True),
        Cell("steps: full tree", tree(None), 300, share=0.5, steps=True),
        Cell("steps: forest of 10", forest, 200, share=0.5, steps=True),
        Cell("linear, one in fifty", Linear(), 2000, 5, 2, shift=5.1, share=0.5),
        Cell("tree, 4 leaves, one in fifty", tree(4), 2000, 5, 2, shift=5.1, share=0.5),
        Cell("unstable", Unstable(), 500, 5, 2),
        Cell("unstable", Unstable(), 1000),
        Cell("unstable, one in twelve", Unstable(), 2000, 5, 2, shift=3.0),
        Cell("ties: stump", tree(2), 60, ties=True),
        Cell("ties: stump", tree(2), 200, ties=True),
        Cell("ties: stump", tree(2), 200, 5, 2, ties=True),
        Cell("ties: full tree", tree(None), 60, ties=True),
        Cell("ties: full tree", tree(None), 200, ties=True),
        Cell("ties: full tree", tree(None), 200, 5, 2, ties=True),
        Cell("full tree", tree(None), 60),
        Cell("least squares", LeastSquares(), 200, numbers=True),
        Cell("full regression tree", DecisionTreeRegressor(n_jobs=1), 60, numbers=True),
        Cell("full regression tree", DecisionTreeRegressor(n_jobs=1), 200, 5, 2, numbers=True),
        Cell(
            "regression tree, 8 leaves", DecisionTreeRegressor(max_leaf_nodes=8, n_jobs=1), 200, numbers=True
        ),
    ]


def coverage(cell: Cell, repetitions: int) -> dict[str, tuple[int, int]]:
    """Score -> how often the interval held the score of the fitted models, and of all models of this kind."""
    random = np.random.default_rng([cell.n, cell.folds, cell.repeats])
    names = ("rmse", "r2") if cell.numbers else ("accuracy", "roc_auc", "brier")
    unseen = np.random.default_rng(9)
    fresh = _drawn(replace(cell, n=FRESH), unseen)[0]
    found: dict[str, list[tuple[float, float, float]]] = {name: [] for name in names}
    for seed in range(repetitions):
        X, y = _drawn(cell, random)
        data = Data(X, y, None if cell.numbers else np.array([0, 1]), None, None, None)
        splits = make_splits(cell.folds, data, repeats=cell.repeats, random_state=seed)
        results, true, rows = [], [], overlap_rows(data, splits)
        for part in splits.parts:
            model = cell.model.fit(X[part.train], y[part.train])
            overlap = predict_all(model, X[rows], data.classes)
            results.append(
                FoldResult(predict_all(model, X[part.test], data.classes), "", 0.0, 0.0, None, overlap)
            )
            true.append(true_scores(predict_all(model, fresh, data.classes), fresh, cell))
        mean = np.mean(true, axis=0)
        for name in names:
            known = estimate_metric(quick(name), tuple(results), data, splits)
            score = make_score(name, quick(name), known, "", 0.95)
            found[name].append((score.low, score.high, true_score(name, mean, cell)))
    return {name: _hits(np.array(lines)) for name, lines in found.items()}


def _drawn(cell: Cell, random: np.random.Generator) -> population.Rows:
    if cell.numbers:
        return population.numbers(cell.n, random)
    if cell.steps:
        return population.step_twins(cell.n, random)
    if cell.ties:
        return population.tied_twins(cell.n, random)
    return population.classes(cell.n, random, cell.shift)


def true_scores(predictions: Predictions, fresh: np.ndarray, cell: Cell) -> np.ndarray:
    """Accuracy, area, Brier score; or the mean squared error alone."""
    if cell.numbers:
        spread = population.NOISE**2 * 8 / 6
        return np.array([np.mean((predictions.values - population.middle(fresh)) ** 2) + spread])
    p = _probability(cell, fresh)
    positive = predictions.proba[:, 1]
    right = np.mean(np.where(predictions.values == 1, p, 1 - p))
    above = structural_components(np.arange(2 * len(p)) < len(p), np.tile(positive, 2), np.append(p, 1 - p))[
        : len(p)
    ]
    area = above @ p / p.sum()  # each row is both, with its probabilities as weights
    return np.array([right, area, np.mean(p * (1 - positive) ** 2 + (1 - p) * positive**2)])


def _probability(cell: Cell, X: np.ndarray) -> np.ndarray:
    if cell.ties:
        return population.tied_probability(X)
    return population.step_probability(X) if cell.steps else population.probability(X, cell.shift)


def true_score(name: str, mean: np.ndarray, cell: Cell) -> float:
    if not cell.numbers:
        return float(mean[("accuracy", "roc_auc", "brier").index(name)])
    all_of_it = 1 + (1 - 2 / np.pi) + population.NOISE**2 * 8 / 6
    return float(np.sqrt(mean[0]) if name == "rmse" else 1 - mean[0] / all_of_it)


def _hits(lines: np.ndarray) -> tuple[int, int]:
    low, high, own = lines.T
    return int(np.sum((low <= own) & (own <= high))), int(np.sum((low <= own.mean()) & (own.mean() <= high)))


def table(part: float) -> Iterator[str]:
    yield "Each cell: of the fitted models; of all models of this kind.\n"
    for is_number in (False, True):
        titles = (
            ("root mean squared error", "R2") if is_number else ("accuracy", "area under ROC", "Brier score")
        )
        yield "| model | rows | folds | repetitions | " + " | ".join(titles) + " |"
        yield "|---|---|---|---|" + "---|" * len(titles)
        for cell in (one for one in cells() if one.numbers == is_number):
            repetitions = max(10, int(600 * cell.share * part))
            hits = coverage(cell, repetitions)
            line = [
                f"{population.share(a, repetitions)}; {population.share(b, repetitions)}"
                for a, b in hits.values()
            ]
            folds = f"{cell.folds}" + (f", {cell.repeats} times" if cell.repeats > 1 else "")
            yield f"| {cell.words} | {cell.n} | {folds} | {repetitions} | " + " | ".join(line) + " |"
        yield ""
