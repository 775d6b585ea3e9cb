"""What holds for the rows that reach a node.   In: a Tree, a node.   Out: one condition per column met.

    x <= 5, then x > 2, then x <= 4     ->   Span(x, low=2, high=4)      2 < x <= 4
    c in {a, b, d}, then c not in {b}   ->   Choice(c, levels=(0, 3))    c in {a, d}

`missing` says whether a row whose cell is missing gets through as well (in part, where missing cells go to
all children). A Span from +inf to +inf holds for missing cells only.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from hedgerow.tree.tree import LEAF, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.tree.walk import path_to
from hedgerow.types import Mask


@dataclass(frozen=True)
class Span:
    """low < value <= high."""

    feature: int
    low: float
    high: float
    missing: bool


@dataclass(frozen=True)
class Choice:
    """The level is one of `levels`, or was never seen in training when `unseen`."""

    feature: int
    levels: tuple[int, ...]
    unseen: bool
    missing: bool


Condition = Span | Choice


def conditions(tree: Tree, node: int) -> tuple[Condition, ...]:
    """One condition per column tested on the way to `node`, in the order the columns are first met."""
    steps: dict[int, list[tuple[int, int]]] = {}
    for step in path_to(tree, node):
        steps.setdefault(int(tree.feature[step[0]]), []).append(step)
    return tuple(_merge(tree, feature, taken) for feature, taken in steps.items())


def conditions_of_leaves(tree: Tree) -> Iterator[tuple[int, tuple[Condition, ...]]]:
    """Each leaf, in order, with its conditions; what leaves have in common is merged once."""
    feature, kind, threshold = tree.feature.tolist(), tree.kind.tolist(), tree.threshold.tolist()
    first, many = tree.first_child.tolist(), tree.n_children.tolist()
    missing = tree.missing_child.tolist()
    met: list[dict[int, _Met] | None] = [{}] + [None] * (tree.n_nodes - 1)
    for node in range(tree.n_nodes):  # parents come first
        here = met[node]
        assert here is not None
        met[node] = None
        if kind[node] == LEAF:
            yield node, tuple(one.to_condition(j) for j, one in here.items())
            continue
        j = feature[node]
        above = here.get(j, _ALL)
        for place in range(many[node]):
            lets = above.missing and missing[node] in (NONE, first[node] + place)
            if kind[node] == THRESHOLD:
                low = max(above.low, _low(threshold[node], place))
                high = min(above.high, threshold[node]) if place == 0 else above.high
                below = _Met(low, high, None, lets)
            else:
                mask = level_mask(tree, node, place)
                below = _Met(0.0, 0.0, mask if above.levels is None else mask & above.levels, lets)
            met[first[node] + place] = {**here, j: below}


@dataclass(eq=False, slots=True)
class _Met:
    """What holds for one column so far."""

    low: float
    high: float
    levels: Mask | None  # categories
    missing: bool
    condition: Condition | None = None  # made once, for all leaves below

    def to_condition(self, feature: int) -> Condition:
        if self.condition is None:
            if self.levels is None:
                self.condition = Span(feature, self.low, self.high, self.missing)
            else:
                levels = tuple(np.flatnonzero(self.levels[:-1]).tolist())
                self.condition = Choice(feature, levels, bool(self.levels[-1]), self.missing)
        return self.condition


_ALL = _Met(-np.inf, np.inf, None, True)


def level_mask(tree: Tree, node: int, place: int) -> Mask:
    """Which levels of the node's column go to child `place`; the entry after the last: levels never seen."""
    n_levels = int(tree.n_levels[tree.feature[node]])
    if tree.kind[node] == SUBSET:
        start = int(tree.subset_start[node])
        words = tree.subset_bits[start : start + n_levels // 64 + 1].astype("<u8")
        first = np.unpackbits(words.view(np.uint8), bitorder="little", count=n_levels + 1).astype(bool)
        return (first, ~first, np.zeros(n_levels + 1, bool))[place]
    mask = np.zeros(n_levels + 1, bool)
    mask[place] = True
    # Multiway: a level without a child is as good as missing
    mask[n_levels] = lets_missing(tree, node, place)
    return mask


def _low(threshold: float, place: int) -> float:
    """What a number is above in child `place`; none goes to the third, where rows stop."""
    return (-np.inf, threshold, np.inf)[place]


def lets_missing(tree: Tree, node: int, place: int) -> bool:
    """Whether a missing cell at `node` goes to its child `place`, wholly or in part."""
    to = int(tree.missing_child[node])
    return to in (NONE, int(tree.first_child[node]) + place)


def _merge(tree: Tree, feature: int, steps: list[tuple[int, int]]) -> Condition:
    missing = all(lets_missing(tree, node, place) for node, place in steps)
    if tree.kind[steps[0][0]] == THRESHOLD:
        low = max(_low(float(tree.threshold[node]), place) for node, place in steps)
        high = min((float(tree.threshold[node]) for node, place in steps if not place), default=np.inf)
        return Span(feature, low, high, missing)
    allowed = np.logical_and.reduce([level_mask(tree, node, place) for node, place in steps])
    return Choice(feature, tuple(np.flatnonzero(allowed[:-1]).tolist()), bool(allowed[-1]), missing)
