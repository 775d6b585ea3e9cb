"""Growing with branches for levels, shared rows and gain ratio, one node at a time, by the definitions.

`audit` goes down a grown tree with its own rows and weights, works out at each node what the split must be, and
compares. It parts the rows by itself; only a subset of levels, of which several may be equally good, is the tree's.

    a node = rows, their weights       a split = for each row its branch, or ALL       children = rows, weights x share
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.testing import assert_allclose

from hedgerow.tree.conditions import level_mask
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Float, Index

from .cases import Case
from .grower import EPSILON, Doubtful
from .loss import loss, value
from .split import TIE, scored

ALL = -1
STOP = 2  # of a two-way test: the branch of rows that stop at the node
IMPURITY = {"gain_ratio": "entropy", "conditional_entropy": "entropy"}
KIND = {"threshold": THRESHOLD, "subset": SUBSET, "multiway": MULTIWAY}


@dataclass(frozen=True, eq=False)
class Offer:
    column: int
    kind: str
    gain: float  # decrease of total impurity
    branch: Index  # by row of the node
    n_branches: int = 2
    gap: tuple[float, float] = (np.nan, np.nan)  # the values on the two sides of a threshold
    ratio: float = 0.0
    sure: bool = True  # False: rounding decides which split of the column it is


@dataclass(frozen=True, eq=False)
class Place:
    """A node: some rows of the case, with what they weigh here."""

    case: Case
    rows: Index
    w: Float
    depth: int
    used: frozenset[int]  # categories asked above, a branch for each level

    @property
    def y(self) -> Float:
        return self.case.y[self.rows]

    def cells(self, column: int) -> Float:
        return self.case.X[self.rows, column]

    @property
    def impurity(self) -> str:
        return IMPURITY.get(self.case.criterion, self.case.criterion)

    def loss(self, which: Float | slice = slice(None)) -> float:
        w = self.w[which]
        return max(0.0, loss(self.impurity, self.y[which], w)) if len(w) else 0.0


def audit(tree: Tree, case: Case) -> None:
    root = Place(case, case.used, case.w[case.used], 0, frozenset())
    _audit(tree, 0, root, float(root.w.sum()))


def _audit(tree: Tree, node: int, place: Place, whole: float) -> None:
    case, w = place.case, place.w
    assert tree.n_rows[node] == len(w), f"node {node}: rows"
    assert_allclose(tree.weight[node], w.sum(), rtol=1e-9)
    assert_allclose(tree.impurity[node] * w.sum(), place.loss(), rtol=1e-7, atol=1e-9 * (1 + w.sum()))
    assert_allclose(
        tree.value[node], value(place.impurity, place.y, w, case.n_classes), rtol=1e-9, atol=1e-12
    )
    try:
        best = chosen(place, whole)
    except Doubtful:
        return
    assert (tree.kind[node] == LEAF) == (best is None), f"node {node}: {best}"
    if best is None:
        return
    assert tree.feature[node] == best.column, f"node {node}: column {tree.feature[node]}, not {best}"
    assert tree.kind[node] == KIND[best.kind]
    if best.kind == "threshold":
        low, high = best.gap
        assert low <= tree.threshold[node] < high or np.isposinf(low) == np.isposinf(tree.threshold[node])
    if best.kind == "subset":
        best = replace(best, branch=_branch_of_subset(tree, node, place))
        assert _gain(place, best.branch) >= best.gain - 5 * TIE * place.loss(), f"node {node}: subset"
    _audit_children(tree, node, place, best, whole)


def _branch_of_subset(tree: Tree, node: int, place: Place) -> Index:
    first = level_mask(tree, node, 0)
    cells = place.cells(int(tree.feature[node]))
    missing = np.isnan(cells)
    to = ALL if tree.missing_child[node] == NONE else int(tree.missing_child[node] - tree.first_child[node])
    assert (to == STOP) == place.case.limits.stops
    return np.where(missing, to, ~first[np.where(missing, 0, cells).astype(int)])


def _audit_children(tree: Tree, node: int, place: Place, split: Offer, whole: float) -> None:
    split = replace(split, n_branches=STOP + 1) if place.case.limits.stops else split
    assert tree.n_children[node] == split.n_branches
    missing = np.isnan(place.cells(split.column))
    share = np.bincount(split.branch[split.branch != ALL], place.w[split.branch != ALL], split.n_branches)
    share = share / share.sum()
    if place.case.limits.stops:
        _audit_stop(tree, node, place.w[split.branch == STOP])
        split = replace(split, n_branches=STOP)
    elif place.case.limits.fractional:
        assert tree.missing_child[node] == NONE
    elif missing.any():
        assert tree.missing_child[node] - tree.first_child[node] == split.branch[missing][0]
    elif (np.sort(share)[-1] - np.sort(share)[-2]) > 1e-9:
        assert tree.missing_child[node] - tree.first_child[node] == np.argmax(share)
    used = place.used | {split.column} if split.kind == "multiway" else place.used
    for b in range(split.n_branches):
        here = (split.branch == b) | ((split.branch == ALL) & (share[b] > 0))
        child = int(tree.first_child[node]) + b
        if not here.any():
            _audit_empty(tree, node, child, place.case)
            continue
        w = np.where(split.branch == ALL, place.w * share[b], place.w)[here]
        _audit(tree, child, Place(place.case, place.rows[here], w, place.depth + 1, used), whole)


def _audit_stop(tree: Tree, node: int, w: Float) -> None:
    """All that the node says, to the bit, and the rows that stop."""
    child = int(tree.first_child[node]) + STOP
    assert tree.kind[child] == LEAF
    assert tree.missing_child[node] == child
    assert tree.n_rows[child] == len(w)
    assert_allclose(tree.weight[child], w.sum(), rtol=1e-9)
    assert (tree.value[child] == tree.value[node]).all()
    assert tree.impurity[child] == tree.impurity[node]


def _audit_empty(tree: Tree, node: int, child: int, case: Case) -> None:
    """What the parent says; of tied classes the one that comes first in the data."""
    assert tree.kind[child] == LEAF
    assert tree.n_rows[child] == tree.weight[child] == tree.impurity[child] == 0
    assert_allclose(tree.value[child], tree.value[node], rtol=1e-12)
    if case.n_classes:
        top = np.flatnonzero(tree.value[node] == tree.value[node].max())
        first = next(int(k) for k in case.y if k in top)
        assert np.argmax(tree.value[child]) == first


# --- choosing ------------------------------------------------------------------------------------------------------
def chosen(place: Place, whole: float) -> Offer | None:
    if _stops(place):
        return None
    found = [offer for column in range(place.case.X.shape[1]) for offer in _offers(place, column)]
    if not found:
        return None
    best = _best_ratio(place, found) if place.case.criterion == "gain_ratio" else _best_gain(place, found)
    if best is None:
        return None
    if not best.sure:
        raise Doubtful
    decrease = max(0.0, best.gain) / whole
    if abs(decrease - place.case.limits.min_decrease) < 1e-12 and decrease > 0:
        raise Doubtful
    return best if decrease + EPSILON >= place.case.limits.min_decrease else None


def _stops(place: Place) -> bool:
    limits, w = place.case.limits, place.w
    cases = w.sum() if limits.fractional else len(w)
    for number, least in ((cases, 2 * limits.min_rows_leaf), (w.sum(), 2 * limits.min_weight_leaf)):
        _not_near(place, number, least)
        if number < least:
            return True
    return bool(
        len(np.unique(place.y)) == 1 or place.depth >= limits.max_depth or len(w) < limits.min_rows_split
    )


def _not_near(place: Place, number: float, edge: float) -> None:
    """Sums of fractions are only nearly what they are, and rounding must not decide."""
    whole = np.array_equal(place.w, np.round(place.w))
    if abs(number - edge) < 1e-9 * (1 + abs(edge)) and not (whole and number == edge):
        raise Doubtful


def _best_gain(place: Place, found: list[Offer]) -> Offer:
    tie = TIE * place.loss()
    top = max(offer.gain for offer in found)
    if any(0.2 * tie < top - offer.gain < 5 * tie for offer in found):
        raise Doubtful
    return next(offer for offer in found if offer.gain >= top - tie)


def _best_ratio(place: Place, found: list[Offer]) -> Offer | None:
    """Of the splits with at least average gain, the first with the best ratio."""
    many = 0.3 * len(place.case.used)
    counted = [o.gain for o in found if place.case.n_levels[o.column] < many] or [o.gain for o in found]
    average = np.mean(counted) - 1e-3 * place.w.sum()
    for offer in found:
        _not_near(place, offer.gain, float(average))
    good = [offer for offer in found if offer.gain >= average]
    top = max((offer.ratio for offer in good), default=0.0)
    if top < 1e-9:
        if good:
            raise Doubtful  # no gain, or rounding
        return None
    if any(1e-12 < top - offer.ratio < 1e-9 for offer in good):
        raise Doubtful
    return next(offer for offer in good if offer.ratio >= top - 1e-12)


def _offers(place: Place, column: int) -> Iterator[Offer]:
    """The column's best split, if it has one."""
    limits, ratio = place.case.limits, place.case.criterion == "gain_ratio"
    cells = place.cells(column)
    if column in place.used or np.isnan(cells).all():
        return
    if place.case.n_levels[column] and limits.multiway:
        yield from _multiway(place, column)
    elif ratio and not place.case.n_levels[column]:
        yield from _ratio_threshold(place, column)
    else:
        yield from _two_ways(place, column)


def _two_ways(place: Place, column: int) -> Iterator[Offer]:
    """The other twin's split, made of the rows that answer or of all."""
    case, cells = place.case, place.cells(column)
    limits = case.limits
    known = ~np.isnan(cells) if limits.fractional or limits.stops else np.ones(len(cells), bool)
    small = replace(
        case,
        X=cells[known, None],
        n_levels=case.n_levels[[column]],
        y=place.y[known],
        weight=place.w[known],
        criterion=place.impurity,
        monotone=np.zeros(1, np.int8),
    )
    found = scored(small, np.arange(known.sum()))
    if not found:
        return
    top, tie = max(s.gain for s in found), TIE * place.loss(known)
    first = next(s for s in found if s.gain >= top - tie)
    whole = np.array_equal(place.w, np.round(place.w))
    sure = whole or not any(0.2 * tie <= top - s.gain < 5 * tie + 1e-14 for s in found if s is not first)
    branch = np.full(len(cells), STOP if limits.stops else ALL)
    branch[known] = ~first.left
    kind = "subset" if case.n_levels[column] else "threshold"
    offer = Offer(column, kind, first.gain, branch, gap=_gap(cells, branch), sure=sure)
    if case.criterion != "gain_ratio":
        yield offer
    elif first.gain > 1e-12:
        yield replace(offer, ratio=first.gain / _information(place, branch))


def _gap(cells: Float, branch: Index) -> tuple[float, float]:
    known = ~np.isnan(cells)
    left, right = cells[known & (branch == 0)], cells[known & (branch == 1)]
    return (left.max(), right.min()) if len(left) and len(right) else (np.inf, np.inf)


def _gain(place: Place, branch: Index) -> float:
    """Over the rows that have one branch."""
    known = (branch != ALL) & ~((branch == STOP) & place.case.limits.stops)
    parts = sum(place.loss(branch == b) for b in np.unique(branch[known]))
    return place.loss(known) - parts


def _information(place: Place, branch: Index) -> float:
    """Of being told the branch, in total; rows that go down all of them are one more."""
    parts = np.array([place.w[branch == b].sum() for b in np.unique(branch)])
    return float(-(parts * np.log2(parts / place.w.sum())).sum())


def _ratio_threshold(place: Place, column: int) -> Iterator[Offer]:
    """Branches that are large enough, and the gain less what it takes to name one threshold of those tried."""
    case, cells, w = place.case, place.cells(column), place.w
    known = ~np.isnan(cells)
    tenth = 0.1 * w[known].sum() / case.n_classes
    least = max(case.limits.min_rows_leaf, min(25.0, tenth))
    values = np.unique(cells[known])
    tried: list[Offer] = []
    for low, high in pairwise(values):
        branch = np.where(known, cells > low, ALL)
        for side in (0, 1):
            _not_near(place, w[branch == side].sum(), least)
        if min(w[branch == 0].sum(), w[branch == 1].sum()) >= least:
            tried.append(Offer(column, "threshold", _gain(place, branch), branch, gap=(low, high)))
    if not tried:
        return
    top = max(offer.gain for offer in tried)
    best = next(offer for offer in tried if offer.gain >= top - TIE * place.loss(known))
    gain = best.gain - np.log2(len(tried))
    _not_near(place, gain, 0.0)
    if gain > 0:
        yield replace(best, gain=gain, ratio=gain / _information(place, best.branch))


def _multiway(place: Place, column: int) -> Iterator[Offer]:
    """A branch for each level, two of them with enough cases; missing rows down all, or where they do least harm."""
    limits, cells = place.case.limits, place.cells(column)
    missing = np.isnan(cells)
    branch = np.where(missing, ALL, np.where(missing, 0, cells)).astype(int)
    present = np.unique(branch[~missing])
    enough = 0
    for level in present:
        w = place.w[branch == level]
        cases = w.sum() if limits.fractional else len(w)
        _not_near(place, cases, limits.min_rows_leaf)
        enough += bool(cases >= limits.min_rows_leaf and w.sum() >= limits.min_weight_leaf)
    if enough < 2:
        return
    n_branches = int(place.case.n_levels[column])
    ways = [branch] if limits.fractional or not missing.any() else [_joined(branch, k) for k in present]
    gains = [_gain(place, way) for way in ways]
    best = next(k for k, gain in enumerate(gains) if gain >= max(gains) - TIE * place.loss())
    ratio = _information(place, branch)
    offer = Offer(column, "multiway", gains[best], ways[best], n_branches)
    yield replace(offer, ratio=max(0.0, gains[best]) / ratio if ratio > 1e-12 else 0.0)


def _joined(branch: Index, level: int) -> Index:
    return np.where(branch == ALL, level, branch)
