"""A support vector machine, summarized.   In: the fitted model (a step that makes numbers, the SVM), training rows.
Out: SVMRecord.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.intake.task import Goal
from hedgerow.studies.holdout import StudyRows
from hedgerow.studies.records import BinarySVMRecord, ColumnWeight, DecisionPlane, HardRow, SVMRecord
from hedgerow.table import Column, Table
from hedgerow.table.words import show
from hedgerow.tree.plain import number
from hedgerow.types import Count, Float

MOST_ROWS = 5_000  # looked at for the hard ones
MOST_HARD = 8
MOST_CELLS = 6
MOST_WEIGHTS = 20
MOST_POINTS = 400
ACROSS, UP = 60, 45  # cells of the picture


def summarize_svm(model: Any, train: StudyRows, goal: Goal) -> SVMRecord | None:
    machine = model[-1] if hasattr(model, "steps") else model
    if not hasattr(machine, "certificate_"):
        return None
    each = _certificates(machine.certificate_)
    margins = hasattr(machine, "kernel")  # a dual machine knows its support vectors
    return SVMRecord(
        kernel=_kernel(machine),
        n_support=len(machine.support_) if margins else int(max(one.n_support for _, one in each)),
        n_rows=int(each[0][1].n_rows),
        binary_svms=tuple(_record_machine(name, one) for name, one in each),
        hard_rows=_find_hard_rows(model, train, goal),
        weights=_weights(model, machine),
        plane=_plane(model, machine, train, goal),
    )


def _certificates(given: Any) -> list[tuple[str, Any]]:
    if not hasattr(given, "each"):
        return [("", given)]
    one = len(given.each) == 1
    return [("" if one else name.strip(), each) for name, each in zip(given.names, given.each, strict=True)]


def _kernel(machine: Any) -> str:
    if not hasattr(machine, "kernel"):
        return "linear: a weight for each column"
    gamma = getattr(machine, "_gamma", None)
    told = {"rbf": "radial: rows count by how near they are"}.get(str(machine.kernel), str(machine.kernel))
    return f"{told} (gamma {gamma:.3g})" if isinstance(gamma, float) else told


def _record_machine(name: str, one: Any) -> BinarySVMRecord:
    margin = float(one.margin)
    return BinarySVMRecord(
        name=name,
        n_support=int(one.n_support),
        n_misclassified=None if one.n_misclassified is None else int(one.n_misclassified),
        margin=margin if np.isfinite(margin) else None,
        relative_gap=float(max(0.0, one.relative_gap)),
    )


def _find_hard_rows(model: Any, train: StudyRows, goal: Goal) -> tuple[HardRow, ...]:
    """Those that pull hardest at the boundary: deepest on the wrong side."""
    kept = np.arange(min(MOST_ROWS, len(train.target)))
    table, truth = train.table.take(kept), train.target[kept]
    if goal.classes is None:
        guess = np.asarray(model.predict(table), np.float64)
        distance = -np.abs(truth - guess)
        told = [(number(float(truth[k])), number(float(guess[k]))) for k in kept]
        distance_told = -distance
    else:
        distance = distance_told = _distance(np.asarray(model.decision_function(table)), truth)
        answers = np.asarray(model.predict(table))
        told = [(str(goal.classes[truth[k]]), str(answers[k])) for k in kept]
    worst = np.argsort(distance, kind="stable")[:MOST_HARD]
    return tuple(
        HardRow(int(train.numbers[k]), told[k][0], told[k][1], float(distance_told[k]), _cells(table, int(k)))
        for k in worst
        if goal.classes is None or distance[k] < 1
    )


def _distance(scores: Float, truth: NDArray[Any]) -> Float:
    if scores.ndim == 1:
        return np.where(truth == 1, scores, -scores)
    own = scores[np.arange(len(truth)), truth]
    others = scores.copy()
    others[np.arange(len(truth)), truth] = -np.inf
    return np.asarray(own - others.max(axis=1))


def _cells(table: Table, row: int) -> str:
    some = ", ".join(f"{show(column.name, 24)} {_cell(column, row)}" for column in table.columns[:MOST_CELLS])
    return some + (", …" if len(table.columns) > MOST_CELLS else "")


def _cell(column: Column, row: int) -> str:
    value = column.values[row]
    if column.kind == "category":
        return "missing" if value < 0 else show(column.levels[value], 24)
    if np.isnan(value):
        return "missing"
    return ("no", "yes")[int(value)] if column.kind == "boolean" else number(float(value))


def _weights(model: Any, machine: Any) -> tuple[ColumnWeight, ...]:
    coef = (
        np.atleast_2d(getattr(machine, "coef_", np.empty((0, 0)))) if not hasattr(machine, "kernel") else None
    )
    if coef is None or len(coef) != 1 or not hasattr(model, "steps"):
        return ()
    names = model[0].preparation_.names
    order = np.argsort(-np.abs(coef[0]), kind="stable")[:MOST_WEIGHTS]
    return tuple(ColumnWeight(names[k], float(coef[0][k])) for k in order)


def _plane(model: Any, machine: Any, train: StudyRows, goal: Goal) -> DecisionPlane | None:
    """What the machine answers between two columns of numbers, if there are no others."""
    columns = train.table.columns
    if goal.classes is None or len(columns) != 2 or any(column.kind != "number" for column in columns):
        return None
    points = np.column_stack([column.values.astype(np.float64) for column in columns])
    known = np.flatnonzero(np.isfinite(points).all(axis=1))
    if len(known) < 2:
        return None
    x, y = (_ends(points[known, k]) for k in (0, 1))
    across, up = np.meshgrid(_middles(x, ACROSS), _middles(y, UP))
    cells = [across.reshape(-1), up.reshape(-1)]
    grid = Table(
        tuple(Column(column.name, "number", cell) for column, cell in zip(columns, cells, strict=True)),
        ACROSS * UP,
        train.table.named,
    )
    predicted = np.searchsorted(goal.classes, np.asarray(model.predict(grid))).reshape(UP, ACROSS)
    shown = known[np.unique(np.linspace(0, len(known) - 1, MOST_POINTS).round().astype(int))]
    return DecisionPlane(
        columns=(columns[0].name, columns[1].name),
        x=x,
        y=y,
        predictions=tuple(tuple(int(label) for label in line) for line in predicted),
        rows=tuple((float(points[k, 0]), float(points[k, 1]), int(train.target[k])) for k in shown),
        is_support=tuple(bool(flag) for flag in _is_support(model, machine, train, shown)),
    )


def _ends(values: Float) -> tuple[float, float]:
    room = 0.05 * float(values.max() - values.min()) or 0.5
    return float(values.min()) - room, float(values.max()) + room


def _middles(ends: tuple[float, float], count: int) -> Float:
    return ends[0] + (np.arange(count) + 0.5) / count * (ends[1] - ends[0])


def _is_support(model: Any, machine: Any, train: StudyRows, shown: Count) -> NDArray[np.bool_]:
    """On the margin or beyond it: those are the rows the boundary rests on."""
    scores = np.asarray(model.decision_function(train.table.take(shown)))
    return _distance(scores, train.target[shown]) <= 1 + 1e-3
