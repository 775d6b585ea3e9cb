"""leaking_column: a column that knows the target is found by how far it alone outdoes all the others together.

A small tree of that one column learns from half of the rows and is tested on the other half, and the other way round.
Suspected is a column that
    explains 95 % of what the baseline does not, unless all columns that do not do so reach nearly the same together;
    explains 65 %, and all other columns together leave more than twice as much unexplained, beyond doubt;
    explains 40 %, the others are as far behind, and it is named like what is known afterwards (outcome, closed).
Of the last two only what decides: a column that all together outdo threefold (the name of a stock, where its price
also needs the day) is one predictor among several.
The days between two dates count as a column: from the opening of a case to its end, which is not known before.
So one strong predictor among several (petals of an iris, a smell of mushrooms) is not accused. Every class counts the
same: of a class of a tenth of the rows, a column that is wrong for 3 % of all rows knows nearly everything.

A tree for each of ten thousand columns would take its time, so a look at the rows of each half first excludes columns
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
from hedgerow.features.dates import find_spans, make_span
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Column, Table
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
TOGETHER = 3.0  # times less loss by all columns together: the column alone does not decide
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
        part = _add_spans(replace(part, columns=tuple(one for one in part.columns if one.kind != "text")))
    losses = {
        j: _losses(Table((part.columns[j],), part.n_rows, True), data, rows)
        for j in _possible(part, data, rows)
        if splits.kind != "time" or not _follows_rows(part.columns[j], rows)
    }
    baseline = _baseline_losses(data, rows)
    skills = {j: _explained_share(loss, baseline) for j, loss in losses.items()}
    almost = {j for j, skill in skills.items() if skill >= ALMOST}
    dates = _dates_of_spans(part)
    return [
        _finding(name := part.columns[j].name, skill, dates.get(name, name))
        for j, skill in skills.items()
        if _is_suspect(j, skill, losses[j], almost, part, data, rows)
    ]


def _follows_rows(column: Column, rows: Count) -> bool:
    """The time of the rows itself, where they are in its order: it is known, and draws at random flatter it."""
    cells = column.values[np.argsort(rows)]
    return not column.is_coded and not column.missing.any() and bool((np.diff(cells) >= 0).all())


def _add_spans(part: Table) -> Table:
    """And the days between each two dates."""
    spans = [make_span(part.columns[a], part.columns[b]) for a, b in find_spans(part.columns)]
    return replace(part, columns=(*part.columns, *spans))


def _dates_of_spans(part: Table) -> dict[str, str]:
    """Of the days between two dates: which of these is the later one."""
    later = {}
    for a, b in find_spans(part.columns):
        first, second = part.columns[a], part.columns[b]
        span = make_span(first, second)
        known = span.values[~span.missing]
        later[span.name] = second.name if len(known) and np.median(known) > 0 else first.name
    return later


def _finding(name: str, skill: float, column: str) -> Finding:
    """`column`: the one to name; of the days between two dates, the later date."""
    words = f"{show(name)} alone explains {skill:.1%} of what the baseline does not: is it known before the target is?"
    return Finding("leaking_column", words, True, (column,))


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
    if other_losses.sum() <= BEHIND * losses.sum() or difference.sum() <= CLEARLY * error:
        return False
    together = Table(tuple(part.columns[k] for k in sorted([j, *others])), part.n_rows, True)
    return bool(TOGETHER * _forest_losses(together, data, rows).sum() > losses.sum())


def _least_skill(name: str) -> float:
    """Of a suspected column; less of one that is named like something known afterwards."""
    return ENOUGH if AFTERWARDS.search(name.lower()) is None else NAMED


def _halves(rows: Count) -> tuple[tuple[Count, Count], ...]:
    """Places of the rows to learn from and of those to judge by, the second half first."""
    first, second = np.array_split(np.arange(len(rows)), [len(rows) // 2])
    return (first, second), (second, first)


def _forest_losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small forest of all these columns, on each row of the other half."""
    y, weight = data.y[rows], _weights(data, rows)
    known: dict[str, Any] = {"n_estimators": 20, "min_samples_leaf": 3, "random_state": 0, "n_jobs": 1}
    kind = RandomForestRegressor if data.classes is None else RandomForestClassifier
    found = []
    for train, test in _halves(rows):
        if len(np.unique(y[train])) < 2:
            predicted = np.full(len(test), y[train][0])
        else:
            forest = kind(**known).fit(table.take(train), y[train], sample_weight=weight[train])
            predicted = forest.predict(table.take(test))
        found.append(_losses_of(predicted, test, data, rows))
    return np.concatenate(found)


def _possible(table: Table, data: Data, rows: Count) -> list[int]:
    """The columns that a tree could pass with, in their order; some of them turn out not to."""
    bars = np.array([_least_skill(column.name) for column in table.columns])
    allowed = (1 - bars) * float(_baseline_losses(data, rows).sum()) / float(_weights(data, rows).min())
    y = data.y[rows] if data.classes is not None else data.y[rows] / _unit(data, rows)
    halves = [(table.take(test), y[test]) for _, test in _halves(rows)]
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


def _explained_share(losses: Float, baseline: Float) -> float:
    """1 - loss / loss of the baseline."""
    base = float(baseline.sum())
    return float(1 - losses.sum() / base) if base > 0 else 0.0


def _baseline_losses(data: Data, rows: Count) -> Float:
    y, weight = data.y[rows], _weights(data, rows)
    found = []
    for train, test in _halves(rows):
        usual = y[train].mean() if data.classes is None else np.bincount(y[train], weight[train]).argmax()
        found.append(_losses_of(np.full(len(test), usual), test, data, rows))
    return np.concatenate(found)


def _losses(table: Table, data: Data, rows: Count) -> Float:
    """Of a small tree, on each row of the other half."""
    y, each, encoded = data.y[rows], _weights(data, rows), encode(table)
    cells = matrix(encoded.schema, table)
    least = max(2, len(rows) // 400)
    limits = Limits(1, max_leaves=LEAVES, min_rows_leaf=least, min_rows_split=2 * least)
    found = []
    for train, test in _halves(rows):
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
