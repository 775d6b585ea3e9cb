"""Why this row?   In: the state of a model, rows of a table.   Out: Reasons: what each column adds to the row's score.

    base + sum over the columns = score

    trees, forests, gradient boosting   exact path-dependent Shapley values (native/explain/shap.hpp)
    linear machines                     coefficient times cell; base is the intercept
    boosted stumps                      what the stumps on a column add
    all others, blends too              Shapley values against a row without cells, over random orders of the columns

A kind of model that knows better says so by a function `explain(state, table, threads)` in its file of store/kinds;
for the others the score is the probability of the class, or the number, as it is predicted.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from hedgerow.core.dates import write_date
from hedgerow.encode import Preparation
from hedgerow.store.kind import Contributions, load_kind, predict_state
from hedgerow.store.state import ModelState
from hedgerow.table import Column, Table
from hedgerow.types import Count, Float

N_ORDERS = 8  # of the columns, each also backwards
MOST_CELLS = 2_000_000  # rows x columns x orders that are predicted at once


@dataclass(frozen=True, eq=False)
class Reasons:
    names: tuple[str, ...]  # of the table's columns
    values: Float  # rows x columns
    base: Float  # rows
    title: str  # what they add up to
    is_own_score: bool = True  # of the model itself, before calibration; False: as it is predicted

    @property
    def score(self) -> Float:
        return np.asarray(self.base + self.values.sum(axis=1))

    def order(self, row: int) -> Count:
        """The columns, those that move the row most first."""
        return np.argsort(-np.abs(self.values[row]), kind="stable")

    def words(self, row: int, table: Table, most: int) -> list[str]:
        """'sex = female: +1.2', the strongest first; "" where fewer columns move the row."""
        strong = [int(j) for j in self.order(row)[:most] if self.values[row, j] != 0]
        found = [
            f"{self.names[j]} = {write_cell(table.columns[j], row)}: {self.values[row, j]:+.4g}"
            for j in strong
        ]
        return found + [""] * (most - len(found))


def explain_state(state: ModelState, table: Table, threads: int | None = None) -> Reasons:
    """Of two classes for the one of interest, of more for the class predicted. `table`: as the schema has it."""
    codes = predict_state(state, table, threads).values
    classes = () if state.classes is None else tuple(map(str, state.classes.tolist()))
    wanted = np.full(table.n_rows, _class_of_interest(state)) if len(classes) == 2 else codes
    explain = getattr(load_kind(state.model), "explain", None)
    found: Contributions | None = None if explain is None else explain(state, table, threads)
    if found is None:
        return _by_orders(state, table, wanted if classes else None, threads)
    return _select(state, found, wanted if classes else np.zeros(table.n_rows, np.int64), len(classes))


def _class_of_interest(state: ModelState) -> int:
    point = None if state.decision is None else state.decision.point
    return 1 if point is None else int(point.positive)


def _select(state: ModelState, found: Contributions, wanted: Any, n_classes: int) -> Reasons:
    """Of each row the output that is wanted; one output stands for the second of two classes."""
    values = found.values if state.preparation is None else _join(found.values, state.preparation)
    rows, names = np.arange(len(values)), state.schema.names
    if values.shape[2] == 1:
        sign = -1.0 if n_classes == 2 and len(rows) and wanted[0] == 0 else 1.0
        title = found.titles[0] if sign > 0 else f"minus the {found.titles[0]}"
        return Reasons(names, sign * values[:, :, 0], np.full(len(rows), sign * found.base[0]), title)
    same = len(set(np.asarray(wanted).tolist())) <= 1
    title = found.titles[int(wanted[0])] if same and len(rows) else "score of the class that is predicted"
    return Reasons(names, values[rows, :, wanted], found.base[wanted], title)


def _join(values: Float, preparation: Preparation) -> Float:
    """Columns of the prepared matrix -> columns of the table: "sex=female" and "sex=male" are sex."""
    wide = [
        (len(preparation.levels[j]) if kind == "category" else 1) + bool(preparation.gaps[j])
        for j, kind in enumerate(preparation.schema.kinds)
    ]
    starts = np.concatenate([[0], np.cumsum(wide)])
    parts = [values[:, a:b].sum(axis=1) for a, b in pairwise(starts.tolist())]
    return np.stack(parts, axis=1)


def _by_orders(state: ModelState, table: Table, wanted: Any, threads: int | None) -> Reasons:
    """Columns enter one after the other, in random orders and the same backwards; what each changes is its share."""
    n_rows, n_columns = table.n_rows, len(table.columns)
    random = np.random.default_rng(0)
    drawn = [random.permutation(n_columns) for _ in range(N_ORDERS)]
    orders = [order for one in drawn for order in (one, one[::-1])]
    total = np.zeros((n_rows, n_columns))
    block = max(1, MOST_CELLS // max(1, n_columns * (n_columns + 1)))
    base = np.zeros(n_rows)
    for order in orders:
        for begin in range(0, n_rows, block):
            rows = np.arange(begin, min(n_rows, begin + block))
            path = _scores(
                state, _entering(table, rows, order), None if wanted is None else wanted[rows], threads
            )
            total[np.ix_(rows, order)] += np.diff(path, axis=0).T / len(orders)
            base[rows] = path[0]
    classes = state.classes
    title = "prediction" if classes is None else "probability of the class"
    if classes is not None and len(classes) == 2 and n_rows:
        title = f"probability of {classes[int(wanted[0])]}"
    return Reasons(state.schema.names, total, base, title, is_own_score=False)


def _entering(table: Table, rows: Count, order: Count) -> Table:
    """The rows without cells, then with one column more each time: (columns + 1) copies, one below the other."""
    n, many = len(rows), len(order) + 1
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(1, many)
    columns = []
    for j, column in enumerate(table.columns):
        cells: Any = np.tile(column.values[rows], many)
        cells[: place[j] * n] = -1 if column.kind == "category" else np.nan
        columns.append(replace(column, values=cells))
    return Table(tuple(columns), n * many, table.named)


def _scores(state: ModelState, table: Table, wanted: Any, threads: int | None) -> Float:
    """Steps x rows: the probability of the class that is wanted, the decision value, or the number."""
    found, steps = predict_state(state, table, threads), len(table.columns) + 1
    if wanted is None:
        return np.asarray(found.values, np.float64).reshape(steps, -1)
    given = found.decision if found.probabilities is None else found.probabilities
    if given is None:  # a model of classes alone: 1 where the class is predicted
        given = np.eye(len(state.classes if state.classes is not None else ()))[found.values]
    return np.asarray(given[np.arange(table.n_rows), np.tile(wanted, steps)]).reshape(steps, -1)


def write_cell(column: Column, row: int) -> str:
    value = column.values[row]
    if column.kind == "category":
        return "missing" if value < 0 else column.levels[int(value)]
    if np.isnan(value):
        return "missing"
    if column.kind in ("date", "datetime"):
        return write_date(float(value), with_time=column.kind == "datetime")
    return ("true" if value else "false") if column.kind == "boolean" else f"{value:g}"
