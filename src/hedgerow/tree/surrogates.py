"""Surrogates of a Tree: the tests that stand in for a node's own when its cell is missing.

In: a Tree, rows with a missing cell at their node.   Out: the child each goes to by the first surrogate that can
answer, or -1. Also: which surrogates stay when nodes are cut away, and a list of them to read.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.tree.tree import NONE, Tree, ramp, take_surrogates
from hedgerow.types import Count, Float, Index, Mask


@dataclass(frozen=True)
class Surrogate:
    column: int
    threshold: float  # NaN for categories
    first_below: bool  # numbers: up to the threshold goes to the first child
    first_levels: tuple[int, ...]  # categories: levels that go to the first child
    agreement: float
    adjusted: float


def surrogates_at(tree: Tree, node: int) -> list[Surrogate]:
    """A node's surrogates, best first."""
    return [_surrogate(tree, int(s)) for s in np.flatnonzero(tree.surrogate_node == node)]


def _surrogate(tree: Tree, s: int) -> Surrogate:
    column = int(tree.surrogate_feature[s])
    levels = np.arange(tree.n_levels[column])
    first = (
        levels[_goes_first(tree, np.full(len(levels), s), levels.astype(np.float64))]
        if len(levels)
        else levels
    )
    return Surrogate(
        column,
        float(tree.surrogate_threshold[s]),
        bool(tree.surrogate_first_below[s]),
        tuple(int(level) for level in first),
        float(tree.surrogate_agreement[s]),
        float(tree.surrogate_adjusted[s]),
    )


def stand_in(tree: Tree, rows: Float, row: Count, node: Count) -> Count:
    """The child by surrogate for each (row, node); -1 where none can answer."""
    to = np.full(len(row), NONE, np.int64)
    starts = np.searchsorted(tree.surrogate_node, np.arange(tree.n_nodes + 1))
    place = starts[node]
    left = np.flatnonzero(place < starts[node + 1])  # still to be answered, with a surrogate to ask
    while len(left):
        s = place[left]
        cell = rows[row[left], tree.surrogate_feature[s]]
        levels = tree.n_levels[tree.surrogate_feature[s]]
        answers = ~np.isnan(cell) & ((levels == 0) | (cell < levels))
        here = left[answers]
        first = _goes_first(tree, s[answers], cell[answers])
        to[here] = tree.first_child[node[here]] + ~first
        left = left[~answers]
        place[left] += 1
        left = left[place[left] < starts[node[left] + 1]]
    return to


def _goes_first(tree: Tree, s: Count, cell: Float) -> Mask:
    number = tree.surrogate_start[s] == NONE
    below = cell <= tree.surrogate_threshold[s]
    code = np.where(number, 0, cell).astype(np.int64)
    at = np.where(number, 0, tree.surrogate_start[s] + code // 64)
    words = tree.surrogate_bits[at] if len(tree.surrogate_bits) else np.zeros(len(s), np.uint64)
    bit = (words >> (code % 64).astype(np.uint64)) & np.uint64(1)
    return np.asarray(np.where(number, below == (tree.surrogate_first_below[s] == 1), bit == 1))


def keep_surrogates(tree: Tree, inner: Mask, new_number: Index) -> dict[str, NDArray[Any]]:
    """The surrogate arrays of a smaller tree: those of the nodes that stay inner, renumbered."""
    s = np.flatnonzero(inner[tree.surrogate_node])
    category = tree.surrogate_start[s] != NONE
    many = np.where(category, (tree.n_levels[tree.surrogate_feature[s]] + 63) // 64, 0)
    words = np.repeat(tree.surrogate_start[s], many) + ramp(many)
    return {
        **take_surrogates(tree, s),
        "surrogate_node": new_number[tree.surrogate_node[s]],
        "surrogate_start": np.where(category, np.cumsum(many) - many, NONE),
        "surrogate_bits": tree.surrogate_bits[words],
    }
