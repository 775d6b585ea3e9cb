"""leaking_column: a column that alone predicts almost perfectly is suspected of knowing the answer.

A small tree of that one column learns from half of the rows and is tested on the other half.
"""

import numpy as np

from hedgerow.encode import encode, matrix
from hedgerow.evaluate.checks.finding import Finding
from hedgerow.evaluate.data import Data
from hedgerow.evaluate.splits import Splits
from hedgerow.grow import Classes, Limits, Numbers, Target, grow
from hedgerow.table import Table
from hedgerow.table.words import show
from hedgerow.tree import predict
from hedgerow.types import Count

ALMOST = 0.95  # of what the baseline leaves unexplained
MOST_ROWS = 2000  # looked at
FEWEST_ROWS = 20  # fewer tell nothing
LEAVES = 16


def find(data: Data, splits: Splits) -> list[Finding]:
    if data.table is None or data.n_rows < FEWEST_ROWS or len(data.table.columns) == 1:
        return []
    random = np.random.default_rng(0)
    rows = random.permutation(data.n_rows)[:MOST_ROWS]
    suspects = [
        (column.name, skill)
        for column in data.table.columns
        if (skill := _skill(Table((column,), data.n_rows, True).take(rows), data, rows)) >= ALMOST
    ]
    return [
        Finding(
            "leaking_column",
            f"{show(name)} alone explains {skill:.1%} of what the baseline does not: is it known before the target is?",
            True,
            (name,),
        )
        for name, skill in suspects
    ]


def _skill(table: Table, data: Data, rows: Count) -> float:
    """1 - loss / loss of the baseline, on the second half of the rows."""
    half = len(rows) // 2
    weight = np.where(np.arange(len(rows)) < half, 1.0, 0.0)
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
    said = predict.values(tree, matrix(encoded.schema, table.take(np.arange(half, len(rows)))), 1)
    truth = y[half:]
    if data.classes is None:
        loss = float(np.sum((truth - said[:, 0]) ** 2))
        base = float(np.sum((truth - y[:half].mean()) ** 2))
    else:
        usual = np.bincount(y[:half]).argmax()
        loss = float(np.count_nonzero(said.argmax(axis=1) != truth))
        base = float(np.count_nonzero(truth != usual))
    return float(1 - loss / base) if base > 0 else 0.0
