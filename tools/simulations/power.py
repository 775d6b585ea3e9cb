"""A real difference of stated size: how often is it found?"""

from collections.abc import Iterator

import numpy as np

from hedgerow.evaluation.comparison_test import Pair, load_comparison_test
from hedgerow.evaluation.comparison_tests import mcnemar, rowwise_t
from simulations.equal_models import Cell, p_values, scoring_data
from simulations.models import Fixed, Linear
from simulations.population import share, twins

ALL = tuple(range(8))


def on_a_hold_out(n: int, offset: float, repetitions: int) -> tuple[float, float, int]:
    """True difference, power by formula, times found: the second model has its threshold in the wrong place."""
    random = np.random.default_rng(n)
    weights = (1.0, 0.5, 0.0, 0.0, 1.0, 0.5)
    models = (Fixed(weights), Fixed(weights, offset))
    X, y = twins(400_000, random)
    first, second = (model.predict(X) == y for model in models)
    one, two = float(np.mean(first & ~second)), float(np.mean(~first & second))
    found, test = 0, load_comparison_test("mcnemar")
    for _ in range(repetitions):
        X, y = twins(n, random)
        rows = [scoring_data(model, X, y) for model in models]
        found += test.compare(Pair(np.zeros(1), 0.0, *rows, None, 0.01, 0.95)).p_value <= 0.05
    return one - two, mcnemar.power(n, one, two), found


def shares(cell: Cell) -> tuple[float, float]:
    """The rows that only one of the two models of a cell gets right, trained on nine tenths of its rows."""
    random = np.random.default_rng(7)
    X, y = twins(50_000, random)
    found = np.zeros(2)
    for _ in range(100):
        rows, labels = twins(cell.n - cell.n // 10, random)
        one, two = (Linear().fit(rows[:, c], labels).predict(X[:, c]) == y for c in cell.columns)
        found += [np.mean(one & ~two), np.mean(~one & two)]
    return float(found[0]) / 100, float(found[1]) / 100


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(4000 * part))
    yield f"McNemar's test, {repetitions} repetitions.\n"
    yield "| rows held out | true difference | power by formula | found |"
    yield "|---|---|---|---|"
    for n, offset in ((300, 0.8), (300, 1.2), (1000, 0.8), (1000, 0.5)):
        size, formula, found = on_a_hold_out(n, offset, repetitions)
        yield f"| {n} | {size:.3f} | {100 * formula:.1f} | {share(found, repetitions)} |"
    repetitions = max(10, int(500 * part))
    yield f"\nOn 10 folds three times, linear models, {repetitions} repetitions.\n"
    yield "| rows | true difference | stated power of rowwise_t | rowwise_t | corrected_t |"
    yield "|---|---|---|---|---|"
    for n, known in ((200, 4), (500, 4), (1000, 4), (500, 5), (2000, 5)):
        cell = Cell("", twins, (list(ALL), list(range(known))), Linear(), n)
        one, two = shares(cell)
        found = [
            share(int(np.sum(p <= 0.05)), repetitions)
            for p in p_values(cell, repetitions, ("rowwise_t", "corrected_t"))
        ]
        stated = rowwise_t.power(n, one, two)
        yield f"| {n} | {one - two:.3f} | {100 * stated:.1f} | {found[0]} | {found[1]} |"
