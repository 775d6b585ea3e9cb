"""Two equal models: how often is one called better? At most 5 % of the time is wanted.

For tests on folds the two learn from columns that know equally much of the class. For tests on a hold-out, which speak
of two fitted models, the two are given and equally good.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hedgerow import DecisionTreeClassifier, RandomForestClassifier
from hedgerow.evaluate.compare import CAUTION
from hedgerow.evaluate.comparisons import Pair, comparison_named
from hedgerow.evaluate.data import Data
from hedgerow.evaluate.guess import Guess
from hedgerow.evaluate.metrics import Judged
from hedgerow.evaluate.splits import splits_of
from simulations.models import Fixed, Linear
from simulations.population import noisy, share, step_twins, twins

HALVES = ([0, 1, 2, 3], [4, 5, 6, 7])
NOISE = ([0, 1, 2, 3, 4], [0, 1, 5, 6, 7])
FOLDS = {"corrected_t": (10, 3), "five_two_f": (2, 5)}  # folds, repeats


@dataclass(frozen=True)
class Cell:
    words: str
    draw: Any
    columns: tuple[list[int], list[int]]
    model: Any
    n: int


def tree(leaves: int | None) -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_leaf_nodes=leaves, n_jobs=1)


TUNED_ON = (
    Cell("linear", twins, HALVES, Linear(), 200),
    Cell("trees of 2 leaves", twins, HALVES, tree(2), 200),
    Cell("trees of 6 leaves", twins, HALVES, tree(6), 200),
    Cell("full trees", twins, HALVES, tree(None), 200),
    Cell("trees of 6 leaves, other noise columns", noisy, NOISE, tree(6), 200),
)
OTHERS = (
    Cell("linear", step_twins, HALVES, Linear(), 100),
    Cell("trees of 3 leaves", step_twins, HALVES, tree(3), 100),
    Cell("trees of 4 leaves", step_twins, HALVES, tree(4), 300),
    Cell("trees of 12 leaves", step_twins, HALVES, tree(12), 300),
    Cell("forests of 5", step_twins, HALVES, RandomForestClassifier(5, random_state=0, n_jobs=1), 150),
)


def p_values(cell: Cell, repetitions: int, test: str, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng([cell.n, seed])
    tester = comparison_named(test)
    folds, repeats = FOLDS[test]
    found = []
    for k in range(repetitions):
        X, y = cell.draw(cell.n, random)
        data = Data(X, y, np.array([0, 1]), None, None, None)
        splits = splits_of(folds, data, repeats=repeats, random_state=k)
        halves = [np.ascontiguousarray(X[:, columns]) for columns in cell.columns]
        gaps = []
        for part in splits.parts:
            one, other = (
                np.mean(
                    cell.model.fit(half[part.train], y[part.train]).predict(half[part.test]) == y[part.test]
                )
                for half in halves
            )
            gaps.append(one - other)
        pair = Pair(np.array(gaps), CAUTION / (folds - 1), folds - 1, None, None, 0.01, 0.95)
        found.append(tester.compare(pair).p_value)
    return np.array(found)


def given(test: str, n: int, repetitions: int) -> int:
    """Two fitted models that are equally good."""
    random = np.random.default_rng(n)
    models = (Fixed((1.0,)), Fixed((0.0, 0.0, 0.0, 0.0, 1.0)))
    tester, alarms = comparison_named(test), 0
    for _ in range(repetitions):
        X, y = twins(n, random)
        rows = [judged(model, X, y) for model in models]
        outcome = tester.compare(Pair(np.zeros(1), 0.3, 1, rows[0], rows[1], 0.01, 0.95))
        alarms += outcome.p_value <= 0.05
    return alarms


def judged(model: Any, X: np.ndarray, y: np.ndarray) -> Judged:
    chances = model.predict_proba(X)
    return Judged(y, Guess(model.predict(X), chances, chances), np.ones(len(y)), 2)


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(300 * part))
    yield f"On folds, {repetitions} repetitions. The caution was chosen on the first rows, judged on the second.\n"
    yield "| test | models | rows | called different |"
    yield "|---|---|---|---|"
    for words, cells in (("first rows", TUNED_ON), ("second rows", OTHERS)):
        alarms = 0
        for cell in cells:
            here = int(np.sum(p_values(cell, repetitions, "corrected_t") <= 0.05))
            alarms += here
            yield f"| corrected_t | {cell.words} | {cell.n} | {share(here, repetitions)} |"
        yield f"| corrected_t | all of the {words} | | {share(alarms, repetitions * len(cells))} |"
    for cell in (TUNED_ON[0], TUNED_ON[2], OTHERS[2]):
        here = int(np.sum(p_values(cell, repetitions, "five_two_f") <= 0.05))
        yield f"| five_two_f | {cell.words} | {cell.n} | {share(here, repetitions)} |"
    times = max(10, int(4000 * part))
    yield f"\nOn a hold-out, two given models, {times} repetitions.\n"
    yield "| test | 100 rows | 200 rows | 1000 rows |"
    yield "|---|---|---|---|"
    for test in ("mcnemar", "delong"):
        yield (
            f"| {test} | " + " | ".join(share(given(test, n, times), times) for n in (100, 200, 1000)) + " |"
        )
