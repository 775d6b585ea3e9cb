"""A support vector machine, summarized.   In: the fitted model (a step that makes numbers, the SVM), training rows.
Out: SVMRecord.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core.dates import write_date
from hedgerow.estimators.with_features import WithFeatures, unwrap_all
from hedgerow.intake import Samples, TargetData
from hedgerow.studies.records import BinarySVMRecord, ColumnWeight, DecisionPlane, HardRow, SVMRecord
from hedgerow.table import Column, Table
from hedgerow.tree.formatting import number
from hedgerow.types import Float
from hedgerow.words import show

Labels = NDArray[Any]
MOST_ROWS = 5_000  # looked at for the hard ones
MOST_HARD = 8
MOST_CELLS = 6
MOST_WEIGHTS = 20
MOST_POINTS = 400
ACROSS, UP = 60, 45  # cells of the picture


def summarize_svm(model: Any, train: Samples, goal: TargetData, classes: Labels | None) -> SVMRecord | None:
    """`model`: with its features, if it has such. `classes`: in the order of the result, where the second of two is
    the one of interest."""
    inside = unwrap_all(model)
    machine = inside[-1] if hasattr(inside, "steps") else inside
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
        weights=_weights(model, machine, classes),
        plane=_plane(model, train, goal, classes),
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
    words = {"rbf": "radial: rows count by how near they are"}.get(str(machine.kernel), str(machine.kernel))
    return f"{words} (gamma {gamma:.3g})" if isinstance(gamma, float) else words


def _record_machine(name: str, one: Any) -> BinarySVMRecord:
    margin = float(one.margin)
    return BinarySVMRecord(
        name=name,
        n_support=int(one.n_support),
        n_misclassified=None if one.n_misclassified is None else int(one.n_misclassified),
        margin=margin if np.isfinite(margin) else None,
        relative_gap=float(max(0.0, one.relative_gap)),
    )


def _find_hard_rows(model: Any, train: Samples, goal: TargetData) -> tuple[HardRow, ...]:
    """Those with the smallest margin, or the largest error: deepest on the wrong side first."""
    few = train.take(np.arange(min(MOST_ROWS, len(train))))
    predicted = np.asarray(model.predict(few.table))
    if goal.classes is None:
        distance = np.abs(few.target - predicted)
        worst = np.argsort(-distance, kind="stable")[:MOST_HARD]
        words = [(number(float(few.target[k])), number(float(predicted[k]))) for k in worst]
    else:
        truth = goal.classes[few.target]
        distance = _measure_margins(model, few.table, truth)
        worst = np.argsort(distance, kind="stable")[:MOST_HARD]
        worst = worst[distance[worst] < 1]
        words = [(str(truth[k]), str(predicted[k])) for k in worst]
    return tuple(
        HardRow(int(few.numbers[k]), *pair, float(distance[k]), _describe_cells(few.table, int(k)))
        for k, pair in zip(worst, words, strict=True)
    )


def _measure_margins(model: Any, table: Table, truth: Labels) -> Float:
    """Of each row, in margins: its own class against the best other. Infinite where the model does not know the class,
    which may be so rare that no row of it was learned from."""
    scores, known = np.asarray(model.decision_function(table)), np.asarray(model.classes_)
    own = np.searchsorted(known, truth).clip(max=len(known) - 1)
    is_known = known[own] == truth
    if scores.ndim == 1:
        margins = np.where(own == 1, scores, -scores)
    else:
        every = np.arange(len(truth))
        others = scores.copy()
        others[every, own] = -np.inf
        margins = scores[every, own] - others.max(axis=1)
    return np.where(is_known, margins, np.inf)


def _describe_cells(table: Table, row: int) -> str:
    some = ", ".join(
        f"{show(column.name, 24)} {_describe_cell(column, row)}" for column in table.columns[:MOST_CELLS]
    )
    return some + (", …" if len(table.columns) > MOST_CELLS else "")


def _describe_cell(column: Column, row: int) -> str:
    value = column.values[row]
    if column.missing[row]:
        return "missing"
    if column.is_coded:
        return show(column.levels[value], 24)
    if column.kind in ("date", "datetime"):
        return write_date(float(value), with_time=column.kind == "datetime")
    return ("no", "yes")[int(value)] if column.kind == "boolean" else number(float(value))


def _weights(model: Any, machine: Any, classes: Labels | None) -> tuple[ColumnWeight, ...]:
    """Of a linear machine of two classes or a regression; positive: speaks for the class of interest."""
    coef = np.atleast_2d(getattr(machine, "coef_", np.empty((0, 0))))
    names = _names(model)
    if hasattr(machine, "kernel") or len(coef) != 1 or names is None:
        return ()
    sign = -1.0 if classes is not None and classes[-1] != model.classes_[-1] else 1.0
    order = np.argsort(-np.abs(coef[0]), kind="stable")[:MOST_WEIGHTS]
    return tuple(ColumnWeight(names[k], sign * float(coef[0][k])) for k in order)


def _names(model: Any) -> tuple[str, ...] | None:
    """Of the columns that have a weight."""
    inside = unwrap_all(model)
    if hasattr(inside, "steps"):
        return tuple(inside[0].preparation_.names)
    return tuple(model.features_.inner.names) if isinstance(model, WithFeatures) else None


def _plane(model: Any, train: Samples, goal: TargetData, classes: Labels | None) -> DecisionPlane | None:
    """What is predicted between two columns of numbers, if there are no others."""
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
    number_of = {label: k for k, label in enumerate([] if classes is None else classes.tolist())}
    predicted = [number_of[label] for label in np.asarray(model.predict(grid)).tolist()]
    shown = known[np.unique(np.linspace(0, len(known) - 1, MOST_POINTS).round().astype(int))]
    truth = goal.classes[train.target[shown]]
    # On the margin or beyond
    is_support = _measure_margins(model, train.table.take(shown), truth) <= 1 + 1e-3
    return DecisionPlane(
        columns=(columns[0].name, columns[1].name),
        x=x,
        y=y,
        predictions=tuple(tuple(predicted[k * ACROSS : (k + 1) * ACROSS]) for k in range(UP)),
        rows=tuple(
            (float(points[k, 0]), float(points[k, 1]), number_of[label])
            for k, label in zip(shown, truth.tolist(), strict=True)
        ),
        is_support=tuple(bool(flag) for flag in is_support),
    )


def _ends(values: Float) -> tuple[float, float]:
    room = 0.05 * float(values.max() - values.min()) or 0.5
    return float(values.min()) - room, float(values.max()) + room


def _middles(ends: tuple[float, float], count: int) -> Float:
    return ends[0] + (np.arange(count) + 0.5) / count * (ends[1] - ends[0])
