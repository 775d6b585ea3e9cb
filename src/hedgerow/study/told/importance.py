"""Which columns matter.   In: a fitted model, rows it has not seen.   Out: how much the score falls when a column's
cells are shuffled, with the spread over the shuffles.
"""

from typing import Any

import numpy as np

from hedgerow.evaluate.data import Data
from hedgerow.evaluate.guess import guess_of
from hedgerow.evaluate.interval import quantile
from hedgerow.evaluate.measure import judged_rows_of
from hedgerow.evaluate.metrics import metrics
from hedgerow.study.result import Importance
from hedgerow.table import Table
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
    part = table.take(rows)
    known = metrics()[metric]
    sign = 1.0 if known.higher_is_better else -1.0

    def score(told: Table) -> float:
        return sign * known.value(judged_rows_of(data, rows, guess_of(model, told, data.classes)))

    whole = score(part)
    found = []
    for j in useful[:MOST_COLUMNS]:
        column, falls = part.columns[j], []
        for _ in range(SHUFFLES):
            shuffled = Table(
                (*part.columns[:j], _shuffled(column, random), *part.columns[j + 1 :]),
                part.n_rows,
                part.named,
            )
            falls.append(whole - score(shuffled))
        middle = float(np.mean(falls))
        half = quantile(0.95, SHUFFLES) * float(np.std(falls, ddof=1)) / np.sqrt(SHUFFLES)
        found.append(Importance(column.name, middle, middle - half, middle + half))
    return tuple(sorted(found, key=lambda one: -one.value))


def _shuffled(column: Any, random: np.random.Generator) -> Any:
    from dataclasses import replace

    return replace(column, values=random.permutation(column.values))
