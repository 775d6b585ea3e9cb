"""Two equal models: how often is one called better? At most 5 % of the time is wanted.

For tests on folds the two learn from halves of the columns that know equally much. For tests on a hold-out, which
speak of two fitted models, the two are given and equally good.
"""

from collections.abc import Iterator

import numpy as np
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from hedgerow import DecisionTreeClassifier, compare
from simulations.models import Columns, Fixed
from simulations.population import share, twins


def false_alarms(test: str, kind: str, n: int, repetitions: int) -> int:
    random = np.random.default_rng(n)
    tree = DecisionTreeClassifier(max_leaf_nodes=6, n_jobs=1)
    base = tree if kind == "tree" else LinearDiscriminantAnalysis()
    models = {"first": Columns(base, 0, 4), "second": Columns(base, 4, 8)}
    options: dict[str, object] = {}
    if kind == "given":
        models = {"first": Fixed((1.0,)), "second": Fixed((0.0, 0.0, 0.0, 0.0, 1.0))}
        options = {"cv": "fitted"}
    alarms = 0
    for k in range(repetitions):
        X, y = twins(n, random)
        found = compare(models, X, y, test=test, random_state=k, n_jobs=1, progress=False, **options)
        alarms += found.pairs[0].is_decided
    return alarms


CELLS = (
    ("corrected_t", "linear"),
    ("corrected_t", "tree"),
    ("bayes", "tree"),
    ("five_two_f", "tree"),
    ("mcnemar", "given"),
    ("delong", "given"),
)


def table(part: float) -> Iterator[str]:
    repetitions = max(10, int(400 * part))
    yield f"{repetitions} repetitions (ten times as many for given models).\n"
    yield "| test | models | 200 rows |"
    yield "|---|---|---|"
    for test, kind in CELLS:
        times = repetitions * (10 if kind == "given" else 1)
        yield f"| {test} | {kind} | {share(false_alarms(test, kind, 200, times), times)} |"
