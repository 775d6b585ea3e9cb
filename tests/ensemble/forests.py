"""Small forests for the tests here: (forest, rows, target)."""

import numpy as np

from hedgerow.encode import encode, matrix
from hedgerow.ensemble.draws import draws_of
from hedgerow.ensemble.forest import grow_forest
from hedgerow.grow import Classes, Limits, Numbers
from hedgerow.table import to_table


def table_of(n, seed, missing=0.1):
    rng = np.random.default_rng(seed)
    number, other = rng.normal(size=n), rng.integers(0, 6, n).astype(float)
    other[rng.random(n) < missing] = np.nan
    level = rng.integers(0, 5, n)
    words = np.array(["a", "b", "c", "d", "e"], object)[level]
    words[rng.random(n) < missing] = None
    signal = number + 0.5 * np.nan_to_num(other) + (level == 2)
    return to_table({"number": number, "few": other, "word": list(words)}), signal + rng.normal(size=n) * 0.7


def forest_of(n=83, n_trees=12, task="classes", seed=0, weight=None, **limits):
    table, signal = table_of(n, seed)
    rows = encode(table)
    if task == "classes":
        target = Classes(np.digitize(signal, np.quantile(signal, [0.3, 0.7])).astype(np.int32), 3)
        y, criterion = target.codes, "gini"
    else:
        target = Numbers(signal)
        y, criterion = signal, "squared_error"
    draws = draws_of(table, y, weight, how="bootstrap", seed=seed)
    forest = grow_forest(rows, target, criterion, Limits(max_features=2, **limits), draws, n_trees)
    return forest, matrix(rows.schema, table), target


def truth_of(target):
    return np.eye(target.n_classes)[target.codes] if isinstance(target, Classes) else target.values[:, None]
