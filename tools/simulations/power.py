"""A real difference of stated size: how often is it found?"""

from collections.abc import Iterator

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hedgerow import compare, evaluate
from hedgerow.evaluate.comparisons.mcnemar import power
from simulations.models import Columns, Fixed
from simulations.population import share, twins


def mcnemar(n: int, offset: float, repetitions: int) -> tuple[float, float, int]:
    """True difference, power by formula, times found: the second model has its threshold in the wrong place."""
    random = np.random.default_rng(n)
    models = {
        "first": Fixed((1.0, 0.5, 0.0, 0.0, 1.0, 0.5)),
        "second": Fixed((1.0, 0.5, 0.0, 0.0, 1.0, 0.5), offset),
    }
    X, y = twins(400_000, random)
    right = {name: model.predict(X) == y for name, model in models.items()}
    one = float(np.mean(right["first"] & ~right["second"]))
    two = float(np.mean(~right["first"] & right["second"]))
    found = 0
    for _ in range(repetitions):
        X, y = twins(n, random)
        found += compare(models, X, y, test="mcnemar", cv="fitted", progress=False).pairs[0].is_decided
    return one - two, power(n, one, two), found


def folds(n: int, columns: int, repetitions: int) -> tuple[float, int]:
    """True difference, times found: the first model sees all eight columns, the second only so many."""
    random = np.random.default_rng(n)
    linear = LinearDiscriminantAnalysis()
    models = {"first": Columns(linear, 0, 8), "second": Columns(linear, 0, columns)}
    gap, trials, found = 0.0, 100, 0
    for _ in range(trials):
        X, y = twins(n - n // 10, random)
        fresh = twins(4000, random)
        a, b = (
            evaluate(m.fit(X, y), *fresh, cv="fitted", scores="accuracy").scores[0].value
            for m in models.values()
        )
        gap += (a - b) / trials
    for k in range(repetitions):
        X, y = twins(n, random)
        found += compare(models, X, y, random_state=k, n_jobs=1, progress=False).pairs[0].is_decided
    return gap, found


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(2000 * part))
    yield f"McNemar's test, {repetitions} repetitions.\n"
    yield "| rows held out | true difference | power by formula | found |"
    yield "|---|---|---|---|"
    for n, offset in ((300, 0.8), (300, 1.2), (1000, 0.8), (1000, 0.5)):
        gap, formula, found = mcnemar(n, offset, repetitions)
        yield f"| {n} | {gap:.3f} | {100 * formula:.1f} | {share(found, repetitions)} |"
    repetitions = max(10, int(300 * part))
    yield f"\nThe corrected resampled t-test on 10 folds three times, {repetitions} repetitions.\n"
    yield "| rows | true difference | found |"
    yield "|---|---|---|"
    for n, columns in ((200, 4), (500, 4), (1000, 4), (500, 5)):
        gap, found = folds(n, columns, repetitions)
        yield f"| {n} | {gap:.3f} | {share(found, repetitions)} |"
