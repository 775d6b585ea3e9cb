"""Which columns matter.   In: a fitted model, rows it has not seen.   Out: how much the score falls when a column's
cells are shuffled, with the spread over the shuffles.

    rows x shuffles below each other, one column mixed within each block   ->   one prediction for each column
"""

from dataclasses import replace
from typing import Any

import numpy as np

from hedgerow.evaluation.data import Data
from hedgerow.evaluation.guess import guess_of
from hedgerow.evaluation.interval import quantile
from hedgerow.evaluation.judged import judged_rows_of
from hedgerow.evaluation.metrics import metrics
from hedgerow.studies.result import Importance
from hedgerow.table import Column, Table
from hedgerow.types import Count

SHUFFLES = 6
MOST_ROWS = 500
MOST_COLUMNS = 40  # of more, those that a tree of the training rows finds most useful


def importance_of(
    model: Any, data: Data, table: Table, metric: str, seed: int, useful: Count
) -> tuple[Importance, ...]:
    """The most important first. `useful`: the columns in the order in which they are worth trying."""
    random = np.random.default_rng(seed)
    rows = np.sort(random.permutation(data.n_rows)[:MOST_ROWS])
    blocks = table.take(np.tile(rows, SHUFFLES))
    known = metrics()[metric]
    sign = 1.0 if known.higher_is_better else -1.0

    def scores(told: Table, n_blocks: int) -> list[float]:
        guess = guess_of(model, told, data.classes)
        parts = [guess.take(np.arange(len(rows)) + k * len(rows)) for k in range(n_blocks)]
        return [sign * known.value(judged_rows_of(data, rows, part)) for part in parts]

    whole = scores(table.take(rows), 1)[0]
    found = []
    for j in useful[:MOST_COLUMNS]:
        falls = whole - np.array(scores(_shuffled(blocks, int(j), random), SHUFFLES))
        middle = float(np.mean(falls))
        half = float(quantile(0.95, SHUFFLES) * np.std(falls, ddof=1) / np.sqrt(SHUFFLES))
        found.append(Importance(table.columns[j].name, middle, middle - half, middle + half))
    return tuple(sorted(found, key=lambda one: -one.value))


def importance_title(title: str, n_columns: int) -> str:
    words = f"How much the {title} falls when a column is shuffled, on the hold-out"
    if n_columns <= MOST_COLUMNS:
        return words
    return f"{words}; of {n_columns:,} columns the {MOST_COLUMNS} that a tree of the training rows uses most"


def _shuffled(blocks: Table, j: int, random: np.random.Generator) -> Table:
    column: Column = blocks.columns[j]
    values = random.permuted(column.values.reshape(SHUFFLES, -1), axis=1).reshape(-1)
    columns = (*blocks.columns[:j], replace(column, values=values), *blocks.columns[j + 1 :])
    return Table(columns, blocks.n_rows, blocks.named)
