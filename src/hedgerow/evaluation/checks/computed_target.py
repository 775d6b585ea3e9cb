"""computed_target: numbers that are, to a thousandth, a weighted sum of a few terms: a total of its parts, the mean of
two prices, quantity times price and the tax on it. Either the target is computed from them, and they are known no
earlier; or no model is needed.

Terms are columns. Where these do not do, they are also the products and ratios of two, two terms at most, which leave
less than a tenth of what columns leave: else anything smooth would be a product. Terms are found one by one, each the
nearest to what is left; weights are learned from half of the rows and scored by the other. One column that alone does
as much is a leaking_column.
"""

from collections.abc import Sequence
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from hedgerow.display.sentences import join_words
from hedgerow.evaluation.check import Finding
from hedgerow.evaluation.data import Data
from hedgerow.evaluation.splits import Splits
from hedgerow.table import Column
from hedgerow.table.checks import LARGEST
from hedgerow.table.sparse import SparseTable
from hedgerow.types import Float
from hedgerow.words import show

ENOUGH = 0.999  # of the variance of the target
MOST = 4  # terms
MOST_PAIRED = 20  # columns
MOST_BESIDE = 1000  # columns that one of these may stand beside: every two terms are tried
LEFT = 0.1  # of what columns leave unexplained
ALIKE = 0.9999  # squared correlation of two terms that are one
MAX_ROWS = 2000  # looked at
MIN_ROWS = 30


def find(data: Data, splits: Splits) -> list[Finding]:
    if splits.kind == "fitted" or data.classes is not None or data.n_rows < MIN_ROWS:
        return []
    if data.table is None or isinstance(data.table, SparseTable):
        return []
    rows = np.random.default_rng(0).permutation(data.n_rows)[:MAX_ROWS]
    part = data.table.take(rows)
    numbers = [one for one in part.columns if one.kind == "number"]
    y = data.y[rows].astype(np.float64)
    if not y[: len(y) // 2].std() > 0:
        return []
    columns = _columns(numbers)
    found, share = _find_terms(*_scale(_stack(columns, len(rows)), y))
    if share >= ENOUGH:
        return _findings([columns[j] for j in found], share)
    pairs = columns[:MOST_BESIDE] + _pairs(numbers[:MOST_PAIRED])
    found, better = _find_two(*_scale(_stack(pairs, len(rows)), y))
    if better >= ENOUGH and 1 - better < LEFT * (1 - share):
        return _findings([pairs[j] for j in found], better)
    return []


class Term(NamedTuple):
    words: str
    columns: tuple[str, ...]
    cells: NDArray[Any]


def _findings(terms: list[Term], share: float) -> list[Finding]:
    names = tuple(dict.fromkeys(name for one in terms for name in one.columns))
    if len(names) < 2:
        return []
    what = join_words([one.words for one in terms])
    subject = f"A weighted sum of {what}" if len(terms) > 1 else f"{what[0].upper()}{what[1:]}"
    words = f"{subject} explains {share:.2%} of the target. If it is computed so, leave them out."
    return [Finding("computed_target", words, True, names)]


def _columns(numbers: Sequence[Column]) -> list[Term]:
    return [Term(show(one.name), (one.name,), one.values) for one in numbers]


def _pairs(numbers: Sequence[Column]) -> list[Term]:
    found = []
    for a, b in permutations(numbers, 2):
        names = (a.name, b.name)
        with np.errstate(all="ignore"):  # what is no number is missing
            found.append(Term(f"the ratio of {show(a.name)} to {show(b.name)}", names, a.values / b.values))
            if names < names[::-1]:
                found.append(
                    Term(f"the product of {show(a.name)} and {show(b.name)}", names, a.values * b.values)
                )
    return found


def _stack(terms: list[Term], n_rows: int) -> Float:
    return np.column_stack([_filled(one.cells) for one in terms] or [np.empty((n_rows, 0))])


def _filled(values: NDArray[Any]) -> Float:
    """Missing cells, and those whose squares are beyond a float, become the mean."""
    cells = np.asarray(values, np.float64)
    is_known = np.abs(cells) <= LARGEST
    return np.where(is_known, cells, cells[is_known].mean() if is_known.any() else 0.0)


def _scale(cells: Float, y: Float) -> tuple[Float, Float]:
    """To mean 0 and variance 1 in the half that weights are learned from."""
    half = len(y) // 2
    spread = cells[:half].std(axis=0)
    scaled = (cells - cells[:half].mean(axis=0)) / np.where(spread > 0, spread, np.inf)
    return scaled, (y - y[:half].mean()) / y[:half].std()


def _find_terms(scaled: Float, y: Float) -> tuple[list[int], float]:
    """Places of the terms, as few as are enough, and what they explain of the rows that judge."""
    half, found, left, share = len(y) // 2, list[int](), y, 0.0
    for _ in range(min(MOST, scaled.shape[1])):
        nearness = np.abs(scaled[:half].T @ left[:half])
        nearness[found] = -1.0
        found.append(int(nearness.argmax()))
        left = _residuals(scaled, y, found, half)
        share = _explained(left, y, half)
        if share >= ENOUGH:
            return _needed(scaled, y, found, half)
    return found, share


def _find_two(scaled: Float, y: Float) -> tuple[list[int], float]:
    """The best two of all: beside a tax, the nearest term is not the one that it is the tax on."""
    if scaled.shape[1] < 2:
        return [], 0.0
    half = len(y) // 2
    near = scaled[:half].T @ y[:half] / half
    alike = scaled[:half].T @ scaled[:half] / half
    squares = near[:, None] ** 2 + near**2 - 2 * np.outer(near, near) * alike
    explained = np.where(alike**2 < ALIKE, squares / np.maximum(1 - alike**2, 1 - ALIKE), -1.0)
    found = [int(one) for one in np.unravel_index(explained.argmax(), explained.shape)]
    return _needed(scaled, y, found, half)


def _needed(scaled: Float, y: Float, found: list[int], half: int) -> tuple[list[int], float]:
    """Without terms that are not needed, the first found first."""
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
