"""The learning curve, carried on to twice and four times the rows: how near is it to the truth?"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, learning_curve
from simulations.models import Linear
from simulations.population import chance, classes, share

MODELS: dict[str, Any] = {
    "linear": Linear(),
    "tree, at least 10 a leaf": DecisionTreeClassifier(min_samples_leaf=10, n_jobs=1),
}
COLUMNS = 20
TIMES = (1, 2, 4)


def truth(model: Any, n: int, random: np.random.Generator, trials: int) -> float:
    fresh = random.normal(size=(20_000, COLUMNS))
    p = chance(fresh)
    found = []
    for _ in range(trials):
        guess = model.fit(*classes(n, random, columns=COLUMNS)).predict(fresh)
        found.append(np.mean(np.where(guess == 1, p, 1 - p)))
    return float(np.mean(found))


def table(part: float) -> Iterator[str]:
    repetitions = max(5, int(100 * part))
    n = 1000
    yield f"{repetitions} repetitions, {n} rows, 5 folds, accuracy. Flat: the score at all rows, taken as it is.\n"
    yield "| model | training rows | truth | law, mean | law, typical error | flat, typical error | interval holds |"
    yield "|---|---|---|---|---|---|---|"
    for name, model in MODELS.items():
        random = np.random.default_rng(3)
        known = {k: truth(model, k * 4 * n // 5, random, max(10, int(100 * part))) for k in TIMES}
        said: dict[int, list[tuple[float, float, float]]] = {k: [] for k in TIMES}
        last = []
        for k in range(repetitions):
            X, y = classes(n, random, columns=COLUMNS)
            curve = learning_curve(model, X, y, random_state=k, n_jobs=1, progress=False)
            last.append(curve.values[-1])
            for times in TIMES:
                said[times].append(curve.at(times * int(curve.sizes[-1])))
        for times in TIMES:
            value, low, high = np.array(said[times]).T
            held = int(np.sum((low <= known[times]) & (known[times] <= high)))
            off = float(np.sqrt(np.mean((value - known[times]) ** 2)))
            flat = float(np.sqrt(np.mean((np.array(last) - known[times]) ** 2)))
            told = f"{known[times]:.3f} | {value.mean():.3f} | {off:.3f} | {flat:.3f} | {share(held, repetitions)}"
            yield f"| {name} | {times * 4 * n // 5:,} | {told} |"
