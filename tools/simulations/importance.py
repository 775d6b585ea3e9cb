"""Importance out of bag: do 95 % intervals of pure noise hold zero, and is noise zero on average once corrected?

Columns of noise have 2 values, 1,000 numbers, 30 and 1,000 words; two more are normal and go together (0.9), but not
with the target. What such a pair is worth to a forest is not exactly zero: a row with another row's cell in one of
the two is like no row of training. So intervals are also held against the truth: what the column is worth to this
very forest, on 1,000 fresh rows (whose own luck costs some points where there are as many rows to learn from).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow import RandomForestClassifier, RandomForestRegressor
from hedgerow.ensemble.flat import flat_of
from hedgerow.ensemble.importance import permutation
from simulations.population import share

NOISE = ("2 values", "1,000 numbers", "30 words", "1,000 words")
PAIR = ("normal", "its twin")
SIGNAL = ("step", "slope")
NAMES = (*NOISE, *PAIR, *SIGNAL)
SETTINGS = (
    ("classes", "step", "bootstrap", 200),
    ("classes", "both", "bootstrap", 200),
    ("classes", "both", "half", 200),
    ("classes", "both", "bootstrap", 1000),
    ("numbers", "step", "bootstrap", 200),
    ("numbers", "both", "bootstrap", 200),
    ("numbers", "step", "half", 200),
    ("numbers", "both", "bootstrap", 1000),
)


def rows(task: str, signal: str, n: int, random: np.random.Generator) -> tuple[dict[str, Any], np.ndarray]:
    normal, step, slope = random.normal(size=n), random.integers(0, 2, n).astype(float), random.normal(size=n)
    X = {
        "2 values": random.integers(0, 2, n).astype(float),
        "1,000 numbers": random.integers(0, 1000, n).astype(float),
        "30 words": [f"w{k}" for k in random.integers(0, 30, n)],
        "1,000 words": [f"w{k}" for k in random.integers(0, 1000, n)],
        "normal": normal,
        "its twin": 0.9 * normal + np.sqrt(0.19) * random.normal(size=n),
        "step": step,
        "slope": slope,
    }
    score = 2 * step - 1 + (slope if signal == "both" else 0.0)
    if task == "numbers":
        return X, score + random.normal(size=n)
    return X, (random.random(n) < 1 / (1 + np.exp(-1.5 * score))).astype(int)


def forest(task: str, how: str, trees: int, seed: int) -> Any:
    kind = RandomForestRegressor if task == "numbers" else RandomForestClassifier
    drawn = {"bootstrap": True} if how == "bootstrap" else {"bootstrap": False, "max_samples": 0.5}
    return kind(trees, random_state=seed, n_jobs=1, **drawn)


class Nobody:
    """Draws of fresh rows: no tree has seen any."""

    weight = None

    def __init__(self, n_rows: int) -> None:
        self.n_rows = n_rows

    def oob(self, tree: int) -> np.ndarray:
        return np.ones(self.n_rows, bool)


def worth(model: Any, X: dict[str, Any], y: np.ndarray) -> np.ndarray:
    """What each column is worth to the forest, on rows it has not seen."""
    fresh, _ = model._rows(X)
    return permutation(flat_of(model.forest_), fresh, model._known_target(y), Nobody(len(y))).rise


def one(
    task: str, signal: str, how: str, n: int, seed: int, random: np.random.Generator, trees: int = 100
) -> tuple[Any, Any, Any]:
    """Of one data set: the intervals, the corrected importances, the truth."""
    X, y = rows(task, signal, n, random)
    model = forest(task, how, trees, seed).fit(X, y)
    truth = worth(model, *rows(task, signal, 1000, random))
    return model.importance("permutation", random_state=seed), model.importance("corrected").value, truth


def table(part: float) -> Iterator[str]:
    yield "Holds zero, and in brackets: holds what the column is worth to this forest; in percent.\n"
    yield f"| target, signal, rows | | {' | '.join(NAMES)} |"
    yield "|---|---|" + "---|" * len(NAMES)
    means = []
    for task, signal, how, n in SETTINGS:
        repetitions = max(10, int((400 if n < 500 else 200) * part))
        random = np.random.default_rng(n)
        found = [one(task, signal, how, n, seed, random) for seed in range(repetitions)]
        zero = sum((f.low <= 0) & (f.high >= 0) for f, _, _ in found)
        true = sum((f.low <= truth) & (truth <= f.high) for f, _, truth in found)
        cells = [
            f"{share(z, repetitions)} ({100 * t / repetitions:.0f})" for z, t in zip(zero, true, strict=True)
        ]
        setting = f"| {task}, {signal}, {n} ({how}) | {repetitions} sets |"
        yield f"{setting} {' | '.join(cells)} |"
        mean = np.array([corrected for _, corrected, _ in found])
        error = mean.std(axis=0, ddof=1) / np.sqrt(repetitions)
        cells = [f"{m:.5f} ± {e:.5f}" for m, e in zip(mean.mean(axis=0), error, strict=True)]
        means.append(f"{setting} {' | '.join(cells)} |")
    yield "\nCorrected importance: the mean over the data sets.\n"
    yield f"| target, signal, rows | | {' | '.join(NAMES)} |"
    yield "|---|---|" + "---|" * len(NAMES)
    yield from means
