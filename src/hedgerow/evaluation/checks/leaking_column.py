"""leaking_column: a column that alone predicts almost perfectly is suspected of knowing the target.

A small tree of that one column learns from half of the rows and is tested on the other half. A tree for each of ten
thousand columns would take its time, so a test of the other half alone first excludes columns that cannot pass:

    rows by the column   1 1 1 2 3 4 4 5 6 6     a tree of 16 leaves answers in 17 runs at most (missing cells are one);
    their classes        a a b a a b b b b b     an error makes two runs more. More changes than that, and it fails
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import encode, matrix
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Table
from hedgerow.tree import predict
from hedgerow.types import Count, Float
from hedgerow.words import show

ALMOST = 0.95  # of what the baseline leaves unexplained
MAX_ROWS = 2000  # checked
MIN_ROWS = 20  # fewer show nothing
LEAVES = 16
CHUNK = 256  # columns sorted together
RUN = 8  # rows; of numbers, what the means of such runs do not explain by half, a small tree does not by 95 %
HOPE = 0.5


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is None or data.n_rows < MIN_ROWS or len(data.table.columns) == 1:
        return []
    random = np.random.default_rng(0)
    rows = random.permutation(data.n_rows)[:MAX_ROWS]
    part = data.table.take(rows)
    suspects = [
        (part.columns[j].name, skill)
        for j in _possible(part, data, rows)
        if (skill := _skill(Table((part.columns[j],), part.n_rows, True), data, rows)) >= ALMOST
    ]
    return [
        Finding(
            "leaking_column",
            f"{show(name)} alone explains {skill:.1%} of what the baseline does not: is it known before the target is?",
            True,
            (name,),
        )
        for name, skill in suspects
    ]


def _possible(table: Table, data: Data, rows: Count) -> list[int]:
    """The columns that a tree could pass with, in their order; some of them turn out not to."""
    half = len(rows) // 2
    later, y = table.take(np.arange(half, len(rows))), data.y[rows]
    truth = y[half:]
    if data.classes is None:
        truth = truth / (float(np.abs(y).max()) or 1.0)
        allowed = (1 - ALMOST) * float(
            np.sum((truth - (y[:half] / (float(np.abs(y).max()) or 1.0)).mean()) ** 2)
        )
    else:
        allowed = (1 - ALMOST) * np.count_nonzero(truth != np.bincount(y[:half]).argmax())
    texts = [j for j, column in enumerate(later.columns) if column.kind == "category"]
    found = [
        j for j in texts if _least_loss(later.columns[j].values, truth, data.classes is not None) <= allowed
    ]
    others = [j for j, column in enumerate(later.columns) if column.kind != "category"]
    for start in range(0, len(others), CHUNK):
        some = others[start : start + CHUNK]
        cells = np.column_stack([later.columns[j].values for j in some]).astype(np.float64)
        ordered = truth[np.argsort(cells, axis=0, kind="stable")]
        if data.classes is None:
            passes = _explained(ordered) >= HOPE
        else:
            passes = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0) <= LEAVES + 2 * allowed
        found += [j for j, passed in zip(some, passes, strict=True) if passed]
    return sorted(found)


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


def _skill(table: Table, data: Data, rows: Count) -> float:
    """1 - loss / loss of the baseline, on the second half of the rows."""
    half = len(rows) // 2
    weight = np.where(np.arange(len(rows)) < half, 1.0, 0.0)
    encoded = encode(table)
    y = data.y[rows]
    target: Target
    if data.classes is None:
        target, criterion = Numbers(np.ascontiguousarray(y, np.float64), weight), "squared_error"
    else:
        target, criterion = Classes(y.astype(np.int32), len(data.classes), weight), "gini"
    least = max(2, half // 200)
    tree = grow(
        encoded,
        target,
        criterion,
        Limits(1, max_leaves=LEAVES, min_rows_leaf=least, min_rows_split=2 * least),
    )
    predicted = predict.values(tree, matrix(encoded.schema, table.take(np.arange(half, len(rows)))), 1)
    truth = y[half:]
    if data.classes is None:
        unit = float(np.abs(y).max()) or 1.0
        loss = float(np.sum((truth / unit - predicted[:, 0] / unit) ** 2))
        base = float(np.sum((truth / unit - (y[:half] / unit).mean()) ** 2))
    else:
        usual = np.bincount(y[:half]).argmax()
        loss = float(np.count_nonzero(predicted.argmax(axis=1) != truth))
        base = float(np.count_nonzero(truth != usual))
    return float(1 - loss / base) if base > 0 else 0.0
