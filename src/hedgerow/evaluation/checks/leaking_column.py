"""leaking_column: a column that knows the target is found by how far it alone outdoes all the others together.

A small tree of that one column learns from half of the rows and is tested on the other half. Suspected is a column that
    explains 95 % of what the baseline does not, unless all columns that do not do so reach nearly the same together;
    explains 65 %, and all other columns together leave more than twice as much unexplained, beyond doubt;
    explains 40 %, the others are as far behind, and it is named like what is known afterwards (outcome, closed).
So one strong predictor among several (petals of an iris, a smell of mushrooms) is not accused. Every class counts the
same: of a class of a tenth of the rows, a column that is wrong for 3 % of all rows knows nearly everything.

A tree for each of ten thousand columns would take its time, so a test of the other half alone first excludes columns
that cannot pass:

    rows by the column   1 1 1 2 3 4 4 5 6 6     a tree of 16 leaves answers in 17 runs at most (missing cells are one);
    their classes        a a b a a b b b b b     an error makes two runs more. More changes than that, and it fails
"""

import re
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.encode import encode, matrix
from hedgerow.estimators.forest import RandomForestClassifier, RandomForestRegressor
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Table
from hedgerow.table.sparse import SparseTable
from hedgerow.tree import predict
from hedgerow.types import Count, Float
from hedgerow.words import show

ALMOST = 0.95  # of what the baseline leaves unexplained: a leak, unless the other columns reach it too
ENOUGH = 0.65  # a leak, if the others are far behind
NAMED = 0.4  # the same for a column that is named like something known afterwards
AFTERWARDS = re.compile(
    r"(^|[^a-z])(outcomes?|results?|verdict|decision|resol(ved|ution)|closed|closing|settle(d|ment)|refund(ed)?|"
    r"recover(ed|y|ies)|charged?.?off|discharged?|cancell?(ed|ation)|terminat(ed|ion)|final|payout|after|post)([^a-z]|$)"
)
BEHIND = 2.25  # times the loss of the one column
CLEARLY = 4.0  # standard errors of the difference
NEARLY = 1.5  # times the loss: the others do as well
MOST_OTHERS = 200  # columns at most that stand for all others
MAX_ROWS = 2000  # checked
MIN_ROWS = 20  # fewer show nothing
LEAVES = 16
FEWEST = 10  # rows of a class that count as much as those of any other
CHUNK = 256  # columns sorted together
RUN = 8  # rows; of numbers, what the means of such runs do not explain by a third, a small tree does not by 40 %
HOPE = 0.35


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind == "fitted":  # nothing is learned from these rows, by no check either
        return []
    if data.table is None or data.n_rows < MIN_ROWS or len(data.table.columns) == 1:
        return []
    random = np.random.default_rng(0)
    rows = random.permutation(data.n_rows)[:MAX_ROWS]
    part = data.table.take(rows)
    if not isinstance(part, SparseTable):
        part = replace(part, columns=tuple(one for one in part.columns if one.kind != "text"))
    losses = {
        j: _losses(Table((part.columns[j],), part.n_rows, True), data, rows)
        for j in _possible(part, data, rows)
    }
    baseline = _baseline_losses(data, rows)
    skills = {j: _explained_share(loss, baseline) for j, loss in losses.items()}
    almost = {j for j, skill in skills.items() if skill >= ALMOST}
    return [
        _finding(part.columns[j].name, skill)
        for j, skill in skills.items()
        if _is_suspect(j, skill, losses[j], almost, part, data, rows)
    ]


def _finding(name: str, skill: float) -> Finding:
    words = f"{show(name)} alone explains {skill:.1%} of what the baseline does not: is it known before the target is?"
    return Finding("leaking_column", words, True, (name,))


def _is_suspect(
    j: int, skill: float, losses: Float, almost: set[int], part: Table, data: Data, rows: Count
) -> bool:
    if skill < _least_skill(part.columns[j].name):
        return False
    left_out = almost | {j} if skill >= ALMOST else {j}
    others = [k for k in range(len(part.columns)) if k not in left_out][:MOST_OTHERS]
    if not others:
        return skill >= ALMOST
    other_losses = _forest_losses(
        Table(tuple(part.columns[k] for k in others), part.n_rows, True), data, rows
    )
    if skill >= ALMOST:
        return float(other_losses.sum()) > NEARLY * float(losses.sum()) + 1e-12
    difference = other_losses - losses
    error = float(np.std(difference)) * np.sqrt(len(difference))
    return bool(other_losses.sum() > BEHIND * losses.sum() and difference.sum() > CLEARLY * error)


def _least_skill(name: str) -> float:
    """Of a suspected column; less of one that is named like something known afterwards."""
    return ENOUGH if AFTERWARDS.search(name.lower()) is None else NAMED


def _forest_losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small forest of all these columns, on the second half of the rows."""
    half, y = len(rows) // 2, data.y[rows]
    known: dict[str, Any] = {"n_estimators": 20, "min_samples_leaf": 3, "random_state": 0, "n_jobs": 1}
    train, test = table.take(np.arange(half)), table.take(np.arange(half, len(rows)))
    if data.classes is None:
        unit = float(np.abs(y).max()) or 1.0
        predicted = RandomForestRegressor(**known).fit(train, y[:half]).predict(test)
        return np.asarray(((y[half:] - predicted) / unit) ** 2, np.float64)
    if len(np.unique(y[:half])) < 2:
        return _baseline_losses(data, rows)
    weight = _weights(data, rows)
    forest = RandomForestClassifier(**known).fit(train, y[:half], sample_weight=weight[:half])
    return np.asarray((forest.predict(test) != y[half:]) * weight[half:], np.float64)


def _possible(table: Table, data: Data, rows: Count) -> list[int]:
    """The columns that a tree could pass with, in their order; some of them turn out not to."""
    half = len(rows) // 2
    later, y = table.take(np.arange(half, len(rows))), data.y[rows]
    truth = y[half:] if data.classes is not None else y[half:] / (float(np.abs(y).max()) or 1.0)
    bars = np.array([_least_skill(column.name) for column in later.columns])
    allowed = (1 - bars) * float(_baseline_losses(data, rows).sum()) / float(_weights(data, rows).min())
    texts = [j for j, column in enumerate(later.columns) if column.kind == "category"]
    found = [
        j
        for j in texts
        if _least_loss(later.columns[j].values, truth, data.classes is not None) <= allowed[j]
    ]
    others = [j for j, column in enumerate(later.columns) if column.kind != "category"]
    for start in range(0, len(others), CHUNK):
        some = others[start : start + CHUNK]
        cells = np.column_stack([later.columns[j].values for j in some]).astype(np.float64)
        ordered = truth[np.argsort(cells, axis=0, kind="stable")]
        if data.classes is None:
            passes = _explained(ordered) >= HOPE
        else:
            passes = np.count_nonzero(ordered[1:] != ordered[:-1], axis=0) <= LEAVES + 2 * allowed[some]
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


def _explained_share(losses: Float, baseline: Float) -> float:
    """1 - loss / loss of the baseline."""
    base = float(baseline.sum())
    return float(1 - losses.sum() / base) if base > 0 else 0.0


def _baseline_losses(data: Data, rows: Count) -> Float:
    half, y = len(rows) // 2, data.y[rows]
    if data.classes is None:
        unit = float(np.abs(y).max()) or 1.0
        return np.asarray((y[half:] / unit - (y[:half] / unit).mean()) ** 2, np.float64)
    weight = _weights(data, rows)
    most = np.bincount(y[:half], weight[:half]).argmax()
    return np.asarray((y[half:] != most) * weight[half:], np.float64)


def _losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small tree, on each row of the second half."""
    half = len(rows) // 2
    each = _weights(data, rows)
    weight = np.where(np.arange(len(rows)) < half, each, 0.0)
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
        return np.asarray((truth / unit - predicted[:, 0] / unit) ** 2, np.float64)
    return np.asarray((predicted.argmax(axis=1) != truth) * each[half:], np.float64)


def _weights(data: Data, rows: Count) -> Float:
    """Of classes, so that each of them counts the same, but for those of a few rows."""
    if data.classes is None:
        return np.ones(len(rows))
    y = data.y[rows]
    count = np.maximum(np.bincount(y, minlength=len(data.classes)), FEWEST)
    return np.asarray(len(rows) / (len(data.classes) * count[y]))
