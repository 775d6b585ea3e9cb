"""leaking_pair: two numbers that give the target away by their difference or their ratio, and by nothing else.

    amount   principal received   ratio   status
      8000                 8000    1.00   paid         what was paid back, of what was lent
      5000                 1250    0.25   default

The difference and the ratio of every two numbers are judged as columns are (leaking_column). Suspected is the best pair
that explains 95 % of what the baseline does not, where neither of the two alone, nor all other columns together,
explain three quarters. What a person can compute (the margin of a game, by the points of both sides) is found too: no
model is needed for it.
"""

from itertools import combinations
from typing import NamedTuple

import numpy as np

from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.column_skill import (
    baseline_losses,
    draw_rows,
    explained_share,
    find_possible,
    forest_losses,
    tree_losses,
)
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import Column, Table
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Count
from hedgerow.words import show

ALMOST = 0.95  # of what the baseline leaves unexplained
SHORT = 0.75  # less than this is explained by each of the two alone, and by all other columns together
MIN_ROWS = 60  # there are hundreds of pairs: fewer rows show nothing
MIN_DISTINCT = 10  # different numbers in a column, at least
MOST_NUMBERS = 30  # columns that are paired
MOST_OTHERS = 200  # columns at most that stand for all others


class Pair(NamedTuple):
    first: Column
    second: Column
    relation: str
    column: Column  # the difference, the ratio


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind == "fitted" or data.table is None or data.n_rows < MIN_ROWS:
        return []
    if isinstance(data.table, SparseTable):
        return []
    rows = draw_rows(data)
    found = _find_best(data.table.take(rows), data, rows)
    if found is None:
        return []
    pair, skill = found
    names = (pair.first.name, pair.second.name)
    words = (
        f"The {pair.relation} of {show(names[0])} and {show(names[1])} explains {skill:.1%} of what the baseline does "
        "not, and nothing else comes near: are both known before the target is?"
    )
    return [Finding("leaking_pair", words, True, names)]


def _find_best(part: Table, data: Data, rows: Count) -> tuple[Pair, float] | None:
    """And what it explains; None where no pair stands out."""
    pairs = _pair_numbers(part)
    if not pairs:
        return None
    baseline = baseline_losses(data, rows)

    def measure(column: Column) -> float:
        return explained_share(tree_losses(Table((column,), part.n_rows, True), data, rows), baseline)

    table = Table(tuple(pair.column for pair in pairs), part.n_rows, True)
    possible = find_possible(table, data, rows, np.full(len(pairs), ALMOST))
    skills = {j: measure(table.columns[j]) for j in possible}
    best = max(skills, key=skills.__getitem__, default=None)
    if best is None or skills[best] < ALMOST:
        return None
    pair = pairs[best]
    if max(measure(pair.first), measure(pair.second)) >= SHORT:
        return None
    both = (pair.first.name, pair.second.name)
    others = tuple(one for one in part.columns if one.name not in both and one.kind != "text")[:MOST_OTHERS]
    if others:
        losses = forest_losses(Table(others, part.n_rows, True), data, rows)
        if explained_share(losses, baseline) >= SHORT:
            return None
    return pair, skills[best]


def _pair_numbers(part: Table) -> list[Pair]:
    numbers = [
        one
        for one in part.columns
        if one.kind == "number" and len(np.unique(one.values[~one.missing])) >= MIN_DISTINCT
    ]
    found: list[Pair] = []
    for first, second in combinations(numbers[:MOST_NUMBERS], 2):
        with np.errstate(all="ignore"):  # what is no number is missing
            ratio = first.values / second.values
        cells = {
            "difference": first.values - second.values,
            "ratio": np.where(np.isfinite(ratio), ratio, np.nan),
        }
        found += [
            Pair(first, second, relation, Column(f"{relation} {len(found)}", "number", values))
            for relation, values in cells.items()
        ]
    return found
