"""The learning curve, carried on to twice and four times the rows: how near is it to the truth?

Curves that are nearly flat where they end (a few of 20 columns matter), that still rise (15 of 30 matter, and the rows
are few), and that rise steeply and unevenly (an exclusive or, which a tree finds or does not).
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, learning_curve
from hedgerow.types import Float
from simulations.models import Linear
from simulations.population import probability, share

Rows = Callable[
    [int, np.random.Generator], tuple[Float, Float]
]  # rows, and the probability of each to be positive
TIMES = (1, 2, 4)


def _few(n: int, random: np.random.Generator) -> tuple[Float, Float]:
    X = random.normal(size=(n, 20))
    return X, probability(X)


def _many(n: int, random: np.random.Generator) -> tuple[Float, Float]:
    X = random.normal(size=(n, 30))
    return X, 1 / (1 + np.exp(-0.35 * X[:, :15].sum(axis=1)))


def _either_or(n: int, random: np.random.Generator) -> tuple[Float, Float]:
    X = random.normal(size=(n, 6))
    return X, 1 / (1 + np.exp(-3 * np.sign(X[:, 0] * X[:, 1])))


TREE = DecisionTreeClassifier(min_samples_leaf=10, n_jobs=1)
CASES: dict[str, tuple[Any, Rows, int]] = {
    "linear, nearly flat": (Linear(), _few, 1000),
    "tree, nearly flat": (TREE, _few, 1000),
    "linear, many columns": (Linear(), _many, 150),
    "linear, many columns, more rows": (Linear(), _many, 500),
    "tree, many columns": (TREE, _many, 500),
    "tree, either-or": (TREE, _either_or, 1000),
}


def _table(rows: Rows, n: int, random: np.random.Generator) -> tuple[Float, Any]:
    X, p = rows(n, random)
    return X, (random.uniform(size=n) < p).astype(np.int64)


def truth(model: Any, rows: Rows, n: int, random: np.random.Generator, trials: int) -> float:
    fresh, p = rows(20_000, random)
    found = []
    for _ in range(trials):
        predictions = model.fit(*_table(rows, n, random)).predict(fresh)
        found.append(np.mean(np.where(predictions == 1, p, 1 - p)))
    return float(np.mean(found))


def table(part: float) -> Iterator[str]:
    repetitions = max(5, int(100 * part))
    yield f"{repetitions} repetitions, 5 folds, accuracy. Flat: the score at all rows, taken as it is.\n"
    yield "| model, curve | training rows | truth | law, mean | typical error | of flat | interval holds |"
    yield "|---|---|---|---|---|---|---|"
    for name, (model, rows, n) in CASES.items():
        random = np.random.default_rng(3)
        known = {k: truth(model, rows, k * 4 * n // 5, random, max(10, int(100 * part))) for k in TIMES}
        expected: dict[int, list[tuple[float, float, float]]] = {k: [] for k in TIMES}
        last = []
        for k in range(repetitions):
            X, y = _table(rows, n, random)
            curve = learning_curve(model, X, y, random_state=k, n_jobs=1, progress=False)
            last.append(curve.values[-1])
            for times in TIMES:
                expected[times].append(curve.at(times * int(curve.train_sizes[-1])))
        for times in TIMES:
            value, low, high = np.array(expected[times]).T
            held = int(np.sum((low <= known[times]) & (known[times] <= high)))
            off = float(np.sqrt(np.mean((value - known[times]) ** 2)))
            flat = float(np.sqrt(np.mean((np.array(last) - known[times]) ** 2)))
            line = f"{known[times]:.3f} | {value.mean():.3f} | {off:.3f} | {flat:.3f} | {share(held, repetitions)}"
            yield f"| {name} | {times * 4 * n // 5:,} | {line} |"
