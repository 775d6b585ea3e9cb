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
from hedgerow.features import Features
from hedgerow.store.kind import Contributions, load_kind, predict_state
from hedgerow.store.state import ModelState
from hedgerow.table import Column, Table
from hedgerow.tree.formatting import fixed, number, places_for
from hedgerow.types import Count, Float

N_ORDERS = 8  # of the columns, each also backwards
MOST_CELLS = 2_000_000  # rows x columns x orders that are predicted at once
N_DETAILS = 3  # words of a text that are named
LONGEST = 40  # characters of a text
CHANGING = "score of the class that is predicted"


@dataclass(frozen=True, eq=False)
class Reasons:
    names: tuple[str, ...]  # of the table's columns
    values: Float  # rows x columns
    base: Float  # rows
    title: str  # what they add up to
    is_own_score: bool = True  # of the model itself, before calibration; False: as it is predicted
    details: tuple[dict[int, str], ...] = ()  # of each row, by column: the words or parts that move it most

    @property
    def score(self) -> Float:
        return np.asarray(self.base + self.values.sum(axis=1))

    def order(self, row: int) -> Count:
        """The columns, those that move the row most first."""
        return np.argsort(-np.abs(self.values[row]), kind="stable")

    def words(self, row: int, table: Table, most: int) -> list[str]:
        """'sex = female: +1.2', the strongest first; "" where fewer columns move the row."""
        strong = [int(j) for j in self.order(row)[:most] if self.values[row, j] != 0]
        found = [f"{self._cell(row, j, table)}: {self.write(row, self.values[row, j], '+')}" for j in strong]
        return found + [""] * (most - len(found))

    def write(self, row: int, value: float, sign: str = "") -> str:
        """A part of the row's score, with as many places as the others: they can be added by hand."""
        parts = (float(self.base[row]), float(self.score[row]), *self.values[row].tolist())
        return fixed(float(value), places_for(parts), sign)

    def _cell(self, row: int, j: int, table: Table) -> str:
        """sex = female; review = "not worth ..." (not worth, worth); of a long text its beginning."""
        cell = write_cell(table.columns[j], row)
        if table.columns[j].kind == "text":
            cell = f'"{cell if len(cell) <= LONGEST else cell[:LONGEST] + "…"}"'
        detail = self.details[row].get(j, "") if self.details else ""
        return f"{self.names[j]} = {cell}{f' ({detail})' if detail else ''}"


def explain_state(state: ModelState, table: Table, threads: int | None = None) -> Reasons:
    """Of two classes for the one of interest, of more for the class predicted. `table`: as the schema has it."""
    codes = predict_state(state, table, threads).values
    classes = () if state.classes is None else tuple(map(str, state.classes.tolist()))
    wanted = np.full(table.n_rows, _class_of_interest(state)) if len(classes) == 2 else codes
    if not hasattr(load_kind(state.model), "explain"):
        return _by_orders(state, table, wanted if classes else None, threads)
    outputs = np.asarray(wanted) if classes else np.zeros(table.n_rows, np.int64)
    block = max(1, MOST_CELLS // max(1, len(state.inner.names)))
    parts = []
    for begin in range(0, max(1, table.n_rows), block):
        rows = np.arange(begin, min(table.n_rows, begin + block))
        found = _explain_block(state, table.take(rows), outputs[rows], len(classes), threads)
        if found is None:
            return _by_orders(state, table, wanted if classes else None, threads)
        parts.append(found)
    return _join_blocks(parts)


def _explain_block(
    state: ModelState, table: Table, wanted: Count, n_classes: int, threads: int | None
) -> Reasons | None:
    inside = table if state.features is None else state.features.make(table)
    found: Contributions | None = load_kind(state.model).explain(  # type: ignore[attr-defined]
        state.without_features, inside, threads
    )
    return None if found is None else _select(state, found, wanted, n_classes)


def _join_blocks(parts: list[Reasons]) -> Reasons:
    titles = {part.title for part in parts}
    title = parts[0].title if len(titles) == 1 else CHANGING
    return replace(
        parts[0],
        values=np.concatenate([part.values for part in parts]),
        base=np.concatenate([part.base for part in parts]),
        details=tuple(one for part in parts for one in part.details),
        title=title,
    )


def _class_of_interest(state: ModelState) -> int:
    point = None if state.decision is None else state.decision.point
    return 1 if point is None else int(point.positive)


def _select(state: ModelState, found: Contributions, wanted: Count, n_classes: int) -> Reasons:
    """Of each row the output that is wanted; one output stands for the second of two classes."""
    rows = np.arange(len(found.values))
    if found.values.shape[2] == 1:
        sign = -1.0 if n_classes == 2 and len(rows) and wanted[0] == 0 else 1.0
        values, base = sign * found.values[:, :, 0], np.full(len(rows), sign * found.base[0])
        title = found.titles[0] if sign > 0 else _title_of_first(found.titles[0], state)
    else:
        values, base = found.values[rows, :, wanted], found.base[wanted]
        same = len(set(wanted.tolist())) <= 1 and len(rows)
        title = found.titles[int(wanted[0])] if same else CHANGING
    if state.preparation is not None:
        values = _join(values, state.preparation)
    if state.features is None:
        return Reasons(state.schema.names, values, base, title)
    made = [np.flatnonzero(state.features.origin == j) for j in range(len(state.schema.names))]
    details = tuple(_list_details(state.features, made, row) for row in values)
    joined = np.column_stack([values[:, own].sum(axis=1) for own in made])
    return Reasons(state.schema.names, joined, base, title, details=details)


def _title_of_first(title: str, state: ModelState) -> str:
    """Of two classes the score of the first is minus that of the second, and called so: decision value of bad."""
    assert state.classes is not None
    first, second = map(str, state.classes.tolist())
    is_named = title.endswith(f" of {second}")
    return f"{title.removesuffix(second)}{first}" if is_named else f"minus the {title}"


def _list_details(features: Features, made: list[Count], values: Float) -> dict[int, str]:
    """Of each column that several were made of, those that move the row most: words of a text, parts of a date."""
    out: dict[int, str] = {}
    for j, own in enumerate(made):
        name = f"{features.schema.names[j]}: "
        strong = own[np.argsort(-np.abs(values[own]), kind="stable")[:N_DETAILS]]
        moving = [features.inner.names[k] for k in strong if values[k] != 0]
        parts = [one.removeprefix(name) for one in moving if one.startswith(name)]
        if parts:
            out[j] = ", ".join(parts)
    return out


def _join(values: Float, preparation: Preparation) -> Float:
    """Columns of the prepared matrix -> columns of the table: "sex=female" and "sex=male" are sex."""
    starts = np.concatenate([[0], np.cumsum(preparation.widths)])
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
    return Reasons(state.schema.names, total, base, _name_score(state, table, wanted), is_own_score=False)


def _name_score(state: ModelState, table: Table, wanted: Any) -> str:
    """What _scores gives."""
    if state.classes is None:
        return "prediction"
    found = predict_state(state, table.take(np.arange(min(1, table.n_rows))))
    is_decision = found.probabilities is None and found.decision is not None
    of_two = len(state.classes) == 2 and table.n_rows > 0
    whose = str(state.classes[int(wanted[0])]) if of_two else "the class"
    return f"{'decision value' if is_decision else 'probability'} of {whose}"


def _entering(table: Table, rows: Count, order: Count) -> Table:
    """The rows without cells, then with one column more each time: (columns + 1) copies, one below the other."""
    n, many = len(rows), len(order) + 1
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(1, many)
    columns = []
    for j, column in enumerate(table.columns):
        cells: Any = np.tile(column.values[rows], many)
        cells[: place[j] * n] = -1 if column.is_coded else np.nan
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
    if column.missing[row]:
        return "missing"
    if column.is_coded:
        return column.levels[int(value)]
    if column.kind in ("date", "datetime"):
        return write_date(float(value), with_time=column.kind == "datetime")
    return ("true" if value else "false") if column.kind == "boolean" else number(float(value), 6)
