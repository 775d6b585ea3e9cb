"""computed_target: numbers that are, to a thousandth, a weighted sum of a few columns: a total of its parts, the mean
of two prices. Either the target is computed from them, and they are known no earlier; or no model is needed.

The columns are found one by one, each the nearest to what is left; weights are learned from half of the rows and scored
by the other. One column that alone does as much is a leaking_column.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.display.sentences import join_words
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Float
from hedgerow.words import show

ENOUGH = 0.999  # of the variance of the target
MOST = 4  # columns
MAX_ROWS = 2000  # looked at
MIN_ROWS = 30


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind == "fitted" or data.classes is not None or data.n_rows < MIN_ROWS:
        return []
    if data.table is None or isinstance(data.table, SparseTable):
        return []
    rows = np.random.default_rng(0).permutation(data.n_rows)[:MAX_ROWS]
    part = data.table.take(rows)
    names = [one.name for one in part.columns if one.kind == "number"]
    cells = np.column_stack(
        [_filled(part.column(name).values) for name in names] or [np.empty((len(rows), 0))]
    )
    found, share = _find_terms(cells, data.y[rows].astype(np.float64))
    if len(found) < 2:
        return []
    terms = [names[j] for j in found]
    listed = join_words([show(one) for one in terms])
    message = f"A weighted sum of {listed} explains {share:.2%} of the target. If it is computed so, leave them out."
    return [Finding("computed_target", message, True, tuple(terms))]


def _filled(values: NDArray[Any]) -> Float:
    """Missing cells become the mean."""
    cells = np.asarray(values, np.float64)
    known = cells[np.isfinite(cells)]
    return np.where(np.isfinite(cells), cells, known.mean() if len(known) else 0.0)


def _find_terms(cells: Float, y: Float) -> tuple[list[int], float]:
    """Places of the columns, and what they explain of the rows that judge; none if that is not enough."""
    half = len(y) // 2
    spread = cells[:half].std(axis=0)
    scaled = (cells - cells[:half].mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    unit = float(y[:half].std())
    if not unit > 0:
        return [], 0.0
    y = (y - y[:half].mean()) / unit
    found: list[int] = []
    left = y
    for _ in range(min(MOST, cells.shape[1])):
        nearness = np.abs(scaled[:half].T @ left[:half])
        nearness[found] = -1.0
        found.append(int(nearness.argmax()))
        left = _residuals(scaled, y, found, half)
        if _explained(left, y, half) >= ENOUGH:
            return _needed(scaled, y, found, half)
    return [], 0.0


def _needed(scaled: Float, y: Float, found: list[int], half: int) -> tuple[list[int], float]:
    """Without columns that are not needed, the first found first."""
    for j in list(found):
        fewer = [k for k in found if k != j]
        if fewer and _explained(_residuals(scaled, y, fewer, half), y, half) >= ENOUGH:
            found = fewer
    return found, _explained(_residuals(scaled, y, found, half), y, half)


def _residuals(scaled: Float, y: Float, some: list[int], half: int) -> Float:
    """Of all rows, by weights that are learned from the first half."""
    terms: Float = np.column_stack([np.ones(len(y)), scaled[:, some]])
    weights = np.linalg.lstsq(terms[:half], y[:half], rcond=None)[0]
    return np.asarray(y - terms @ weights)


def _explained(left: Float, y: Float, half: int) -> float:
    """Of the variance of the second half."""
    whole = float(np.mean((y[half:] - y[half:].mean()) ** 2))
    return 1 - float(np.mean(left[half:] ** 2)) / whole if whole > 0 else 0.0
