"""How much of the target do columns explain?   In: columns, Data, the rows to look at.   Out: losses, on each row of
one half by what was learned from the other; what is explained of what the baseline does not.

A tree for each of ten thousand columns would take its time, so a look at the rows of each half first excludes columns
that cannot pass:

    rows by the column   1 1 1 2 3 4 4 5 6 6     a tree of 16 leaves answers in 17 runs at most (missing cells are one);
    their classes        a a b a a b b b b b     an error makes two runs more. More changes than that, and it fails
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import encode, matrix
from hedgerow.estimators.forest import RandomForestClassifier, RandomForestRegressor
from hedgerow.evaluation.data import Data
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Table
from hedgerow.tree import predict
from hedgerow.types import Count, Float

MAX_ROWS = 2000  # looked at
LEAVES = 16
FEWEST = 10  # rows of a class that count as much as those of any other
CHUNK = 256  # columns sorted together
RUN = 8  # rows; of numbers, what the means of such runs do not explain by a third, a small tree does not by 40 %
HOPE = 0.35


def draw_rows(data: Data) -> Count:
    return np.random.default_rng(0).permutation(data.n_rows)[:MAX_ROWS]


def baseline_losses(data: Data, rows: Count) -> Float:
    y, weight = data.y[rows], _weights(data, rows)
    found = []
    for train, test in _halves(data, rows):
        usual = y[train].mean() if data.classes is None else np.bincount(y[train], weight[train]).argmax()
        found.append(_losses_of(np.full(len(test), usual), test, data, rows))
    return np.concatenate(found)


def tree_losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small tree, on each row of the other half."""
    y, each, encoded = data.y[rows], _weights(data, rows), encode(table)
    cells = matrix(encoded.schema, table)
    least = max(2, len(rows) // 400)
    limits = Limits(1, max_leaves=LEAVES, min_rows_leaf=least, min_rows_split=2 * least)
    found = []
    for train, test in _halves(data, rows):
        weight = np.zeros(len(rows))
        weight[train] = each[train]
        target: Target
        if data.classes is None:
            target, criterion = Numbers(np.ascontiguousarray(y, np.float64), weight), "squared_error"
        else:
            target, criterion = Classes(y.astype(np.int32), len(data.classes), weight), "gini"
        values = predict.values(grow(encoded, target, criterion, limits), cells, 1)[test]
        predicted = values[:, 0] if data.classes is None else values.argmax(axis=1)
        found.append(_losses_of(predicted, test, data, rows))
    return np.concatenate(found)


def forest_losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small forest of all these columns, on each row of the other half."""
    y, weight = data.y[rows], _weights(data, rows)
    known: dict[str, Any] = {"n_estimators": 20, "min_samples_leaf": 3, "random_state": 0, "n_jobs": 1}
    kind = RandomForestRegressor if data.classes is None else RandomForestClassifier
    found = []
    for train, test in _halves(data, rows):
        if len(np.unique(y[train])) < 2:
            predicted = np.full(len(test), y[train][0])
        else:
            forest = kind(**known).fit(table.take(train), y[train], sample_weight=weight[train])
            predicted = forest.predict(table.take(test))
        found.append(_losses_of(predicted, test, data, rows))
    return np.concatenate(found)


def explained_share(losses: Float, baseline: Float) -> float:
    """1 - loss / loss of the baseline."""
    base = float(baseline.sum())
    return float(1 - losses.sum() / base) if base > 0 else 0.0


def find_possible(table: Table, data: Data, rows: Count, bars: Float) -> list[int]:
    """The columns by which a tree could explain as much as `bars` say, in their order; some of them turn out not to."""
    allowed = (1 - bars) * float(baseline_losses(data, rows).sum()) / float(_weights(data, rows).min())
    y = data.y[rows] if data.classes is not None else data.y[rows] / _unit(data, rows)
    halves = [(table.take(test), y[test]) for _, test in _halves(data, rows)]
    found = [
        j
        for j, column in enumerate(table.columns)
        if column.kind == "category"
        and sum(
            _least_loss(half.columns[j].values, truth, data.classes is not None) for half, truth in halves
        )
        <= allowed[j]
    ]
    others = [j for j, column in enumerate(table.columns) if column.kind != "category"]
    for start in range(0, len(others), CHUNK):
        some = others[start : start + CHUNK]
        ordered = [_order_by(half, some, truth) for half, truth in halves]
        if data.classes is None:
            passes = np.mean([_explained(one) for one in ordered], axis=0) >= HOPE
        else:
            changes = sum(np.count_nonzero(one[1:] != one[:-1], axis=0) for one in ordered)
            passes = changes <= len(halves) * LEAVES + 2 * allowed[some]
        found += [j for j, passed in zip(some, passes, strict=True) if passed]
    return sorted(found)


def _order_by(table: Table, columns: list[int], truth: NDArray[Any]) -> NDArray[Any]:
    """The truth in the order of each column: rows x columns."""
    cells = np.column_stack([table.columns[j].values for j in columns]).astype(np.float64)
    return np.asarray(truth[np.argsort(cells, axis=0, kind="stable")])


def _least_loss(levels: NDArray[Any], truth: NDArray[Any], classes: bool) -> float:
    """What is lost if each level has the best prediction there is for these very rows."""
    place = levels.astype(np.int64) + 1  # a missing cell is a level
    if classes:
        table = np.zeros((place.max() + 1, int(truth.max()) + 1))
        np.add.at(table, (place, truth), 1)
        return float(len(truth) - table.max(axis=1).sum())
    count = np.maximum(np.bincount(place), 1)
    return float(np.sum((truth - (np.bincount(place, truth) / count)[place]) ** 2))


def _explained(ordered: Float) -> Float:
    """Numbers in the order of each column (rows x columns) -> the share that runs of a few rows explain."""
    n_runs = max(2, len(ordered) // RUN)
    ends = np.linspace(0, len(ordered), n_runs + 1).astype(np.int64)
    sums = np.add.reduceat(ordered, ends[:-1], axis=0)
    mean = ordered.mean(axis=0)
    between = np.sum(sums**2 / np.diff(ends)[:, None], axis=0) - len(ordered) * mean**2
    whole = np.sum((ordered - mean) ** 2, axis=0)
    return np.asarray(np.where(whole > 0, between / np.where(whole > 0, whole, 1.0), 0.0))


def _halves(data: Data, rows: Count) -> tuple[tuple[Count, Count], ...]:
    """Places of the rows to learn from and of those to judge by, the second half first. Groups stay on one side: else
    what is the same in all rows of a group, and in no other, names it and seems to know the target."""
    is_first = np.arange(len(rows)) < len(rows) // 2
    if data.groups is not None:
        groups = np.unique(data.groups[rows], return_inverse=True)[1].reshape(-1)
        order = np.random.default_rng(0).permutation(groups.max() + 1)
        before = np.empty(len(order), np.int64)
        before[order] = np.cumsum(np.bincount(groups)[order])
        is_first = before[groups] <= max(len(rows) // 2, before.min())
    first, second = np.flatnonzero(is_first), np.flatnonzero(~is_first)
    return (first, second), (second, first)


def _losses_of(predicted: NDArray[Any], test: Count, data: Data, rows: Count) -> Float:
    """Of each of these rows: the squared error, or 1 for a mistake, by weight."""
    truth = data.y[rows][test]
    if data.classes is None:
        unit = _unit(data, rows)
        return np.asarray((truth / unit - predicted / unit) ** 2, np.float64)
    return np.asarray((predicted != truth) * _weights(data, rows)[test], np.float64)


def _unit(data: Data, rows: Count) -> float:
    """Of numbers: squares of the largest are finite."""
    return float(np.abs(data.y[rows]).max()) or 1.0


def _weights(data: Data, rows: Count) -> Float:
    """Of classes, so that each of them counts the same, but for those of a few rows."""
    if data.classes is None:
        return np.ones(len(rows))
    y = data.y[rows]
    count = np.maximum(np.bincount(y, minlength=len(data.classes)), FEWEST)
    return np.asarray(len(rows) / (len(data.classes) * count[y]))
