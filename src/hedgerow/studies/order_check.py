"""Are rows that stand next to each other alike?   In: the training rows, in the order of the table, a model.
Out: a Finding, if so, and if rows in stretches that the model has not seen are predicted clearly worse than the same
rows in folds drawn at random.

    temperature  vibration  ...  fault
    61.203       12.41           1        windows of one recording: each row of a random test part has a near copy among
    61.207       12.40           1        the training rows, and no column says which machine or day it is of
    61.211       12.44           1

Two steps, for order alone says nothing: a table may be sorted. First a look at some rows: is a neighbour nearer than
all other rows, by the columns that the table is not sorted by? Then, where that is common, six fits.
"""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.errors import Message, Setting, Spelling
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.features.dates import DATES
from hedgerow.studies.group_check import find_worse_by_groups
from hedgerow.table import Column, Table
from hedgerow.types import Count, Float, FloatAny, Index, Mask

FEWEST_ROWS = 200
N_STRETCHES = 20
LOOKED_AT = 400  # rows
OTHERS = 2000  # rows that they are compared with
REACH = 3  # neighbours on either side
ALIKE = 0.3  # of the rows: their nearest row is a neighbour; of rows in no order a few in a hundred
MOST_COLUMNS = 100
MOST_RUNS = 1.5  # times the different values: the table is sorted by the column, within another one perhaps
IN_ORDER = 0.98  # of the steps from row to row that lead anywhere go up; or down


def find_stretches(table: Table, target: Float) -> tuple[Count, float] | None:
    """For each row the number of its stretch, and the share of rows whose neighbours are nearest; None where rows in
    this order are not alike. Of a table sorted by its target no stretch could be predicted by the others."""
    if table.n_rows < FEWEST_ROWS or _is_sorted_by(target):
        return None
    columns = [one for one in table.columns if one.kind in ("number", "boolean", "category")]
    columns = [one for one in columns[:MOST_COLUMNS] if not _is_sorted_by(one.values)]
    share = _share_alike(columns, table.n_rows) if columns else 0.0
    if share < ALIKE:
        return None
    return np.arange(table.n_rows) * N_STRETCHES // table.n_rows, share


def find_counter(table: Table) -> str | None:
    """A column that the rows are in the order of: a day, a number of the window."""
    for one in table.columns:
        if one.kind in ("number", *DATES) and not one.missing.any():
            steps = np.diff(one.values)
            if (steps >= 0).all() and np.count_nonzero(steps) >= N_STRETCHES:
                return one.name
    return None


def check_order(
    model: Any,
    data: Data,
    stretches: Count,
    share: float,
    counter: str | None,
    spell: Spelling,
    random_state: int,
) -> tuple[Finding, ...]:
    """`counter`: a column that may be the time."""
    apart = replace(data, groups=stretches, grouped_by_copies=False)
    worse = find_worse_by_groups(model, apart, data, stretches, random_state)
    if worse is None:
        return ()
    words = Message(
        f"Rows next to each other in the table are alike: for {share:.0%} of them one of the {2 * REACH} around is the "
        f"nearest of all. A random split flatters: {worse.new_words} on stretches of rows the model has not "
        f"seen, {worse.known_words} on the same rows in folds drawn at random. If new rows come from another "
        "time, place or machine, the scores here are too good: {}, a column that names it, or {} keeps neighbours on "
        "one side.",
        Setting("groups", "NAME"),
        Setting("time", counter or "NAME"),
    )
    return (Finding("order", words.render(spell), True),)


def _is_sorted_by(values: FloatAny | Index) -> bool:
    """By it alone, or each of its values stands in one place."""
    values = values[~np.isnan(values)]
    steps = np.diff(values)
    steps = steps[steps != 0]
    n_distinct = len(np.unique(values))
    if 2 * n_distinct < len(values) and len(steps) < MOST_RUNS * n_distinct:
        return True
    n_up = np.count_nonzero(steps > 0)
    return bool(max(n_up, len(steps) - n_up) >= IN_ORDER * len(steps))


def _share_alike(columns: list[Column], n_rows: int) -> float:
    """Of some rows: the share of those that a neighbour is nearer to than all rows but neighbours."""
    random = np.random.default_rng(0)
    some = random.permutation(n_rows)[:LOOKED_AT]
    others = random.permutation(n_rows)[:OTHERS]
    cells = np.column_stack([_scale(one) for one in columns])
    is_coded = np.array([one.is_coded for one in columns])
    n_alike = 0
    for row in some:
        near = np.arange(max(0, row - REACH), min(n_rows, row + REACH + 1))
        far = others[np.abs(others - row) > REACH]
        distances = [_distances(cells[row], cells[found], is_coded) for found in (near[near != row], far)]
        n_alike += bool(distances[0].min() < distances[1].min())
    return n_alike / len(some)


def _distances(row: Float, rows: Float, is_coded: Mask) -> Float:
    apart = np.abs(rows - row)
    apart[:, is_coded] = apart[:, is_coded] > 0
    return np.asarray(apart.sum(axis=1))


def _scale(column: Column) -> Float:
    """Codes as they are; the ranks of numbers between 0 and 1, with missing cells in the middle."""
    if column.is_coded:
        return np.asarray(column.values, np.float64)
    _, ranks = np.unique(column.values, return_inverse=True)
    scaled = ranks.reshape(-1) / max(1, ranks.max())
    return np.where(column.missing, 0.5, scaled)
