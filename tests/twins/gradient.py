"""Gradient boosting, slowly: what native/gradient does, one loop after the other."""

from dataclasses import dataclass
from itertools import pairwise
from math import floor, frexp, inf, ldexp

import numpy as np


def middle(low, high):
    at = low / 2 + high / 2
    return low if at >= high or at < low else at


def bin_edges(values, max_bins):
    """For at most 65,536 values."""
    present = values[~np.isnan(values)].astype(np.float64) + 0.0
    distinct, counts = np.unique(present, return_counts=True)
    if len(distinct) <= max_bins:
        return np.array([middle(a, b) for a, b in pairwise(distinct)])
    alone = counts >= len(present) / max_bins
    left, bins_left = int(counts[~alone].sum()), max_bins - int(alone.sum())
    wanted = left / bins_left if bins_left else inf
    edges, here = [], 0
    for k in range(len(distinct) - 1):
        if len(edges) == max_bins - 1:
            break
        here += counts[k]
        left -= 0 if alone[k] else counts[k]
        before_one = alone[k + 1] and here >= max(1.0, wanted / 2)
        if not alone[k] and here < wanted and not before_one:
            continue
        edges.append(middle(distinct[k], distinct[k + 1]))
        here = 0
        if not alone[k]:
            bins_left -= 1
            wanted = left / bins_left if bins_left else inf
    return np.array(edges)


def _round(x):
    """To the nearest whole number, halves to the even one."""
    down = floor(x)
    rest = x - down
    return down + (rest > 0.5 or (rest == 0.5 and down % 2 == 1))


def _scale(numbers):
    most = max(abs(x) for x in numbers)
    if most == 0:
        return 1.0
    coarse = ldexp(1.0, min(31 - frexp(most)[1], 1000))
    total = (float(sum(_round(abs(x) * coarse) for x in numbers)) + len(numbers)) / coarse
    return ldexp(1.0, min(frexp(2.0**30 / total)[1] - 1, 1000))


@dataclass
class Units:
    gradient: float
    hessian: float


def quantise(gradient, hessian):
    """Whole numbers for each row, and their units."""
    g_scale = _scale(gradient)
    g = [_round(x * g_scale) for x in gradient]
    if min(hessian) == max(hessian) > 0:
        return np.array(g), np.ones(len(g), np.int64), Units(1 / g_scale, hessian[0])
    h_scale = _scale(hessian)
    h = [max(_round(x * h_scale), 1 if x > 0 else 0) for x in hessian]
    return np.array(g), np.array(h), Units(1 / g_scale, 1 / h_scale)


def histogram(codes, numbers, n_codes):
    cells = np.zeros(n_codes, np.int64)
    for code, number in zip(codes, numbers, strict=True):
        cells[code] += number
    return cells


def leaf_value(g, h, l1=0.0, l2=0.0):
    drawn = np.sign(g) * max(abs(g) - l1, 0.0)
    return -drawn / (h + l2) if h + l2 > 0 else 0.0


def score(g, h, l1, l2, low=-inf, high=inf):
    v = min(max(leaf_value(g, h, l1, l2), low), high)
    return -(2 * g * v + (h + l2) * v * v + 2 * l1 * abs(v))


@dataclass
class Rules:
    """What a split of a node goes by; as BoostParams has it."""

    min_rows: int = 1
    enough_hessian: float = inf
    min_hessian: float = 0.0
    min_gain: float = 0.0
    l1: float = 0.0
    l2: float = 0.0
    category_smoothing: float = 10.0
    category_l2: float = 5.0
    category_cost: float = 0.25
    few_levels: int = 4
    min_level_rows: float = 10.0


@dataclass
class Node:
    """Rows, by whole numbers of gradient and hessian, and the bounds of the values below."""

    g: np.ndarray
    h: np.ndarray
    units: Units
    noise: float = 0.0
    low: float = -inf
    high: float = inf

    def sums(self, rows):
        return self.g[rows].sum() * self.units.gradient, self.h[rows].sum() * self.units.hessian

    def score(self, rows, l1, l2):
        return score(*self.sums(rows), l1, l2, self.low, self.high)


def sets_of_numbers(own, n_bins, has_missing):
    """Rows that may go left: codes up to a bin, with or without missing ones."""
    for bin_ in range(n_bins):
        for missing_left in (False, True) if has_missing else (False,):
            yield ((own <= bin_) & (own < n_bins)) | (missing_left & (own == n_bins))


def sets_of_levels(own, n_codes, node, rules):
    """Rows that may go left, and how many levels are in the order whose beginnings and ends they are."""
    order = []
    for code in range(n_codes):
        at = own == code
        g, h = node.sums(at)
        if node.h[at].sum() > 0 and node.h[at].sum() * len(own) / node.h.sum() >= rules.min_level_rows:
            order.append((g / (h + rules.category_smoothing), code))
    order = [code for _, code in sorted(order)]
    for one in (order, order[::-1]):
        for k in range((len(order) + 1) // 2):
            yield np.isin(own, one[: k + 1]), len(order)


def may_split(node, left, rules):
    """Whether both sides are large enough."""
    enough = max(rules.enough_hessian, 5 * node.h.max() * node.units.hessian)
    for side in (left, ~left):
        hessian = node.h[side].sum()
        if hessian < 1 or hessian * node.units.hessian < rules.min_hessian:
            return False
        if side.sum() < rules.min_rows and hessian * node.units.hessian < enough:
            return False
    return True


def gain_of(node, left, rules, *, more_l2=0.0):
    """Of a split by the rows that go left."""
    l2 = rules.l2 + more_l2
    whole = np.ones(len(left), bool)
    return 0.5 * (
        sum(node.score(side, rules.l1, l2) for side in (left, ~left)) - node.score(whole, rules.l1, l2)
    )


def in_order(node, left, rules, way):
    """Whether a side's value is not on the wrong side of the other's."""
    values = [
        np.clip(leaf_value(*node.sums(side), rules.l1, rules.l2), node.low, node.high)
        for side in (left, ~left)
    ]
    return way * (values[1] - values[0]) >= 0


def largest_gain(codes, n_bins, has_missing, categorical, monotone, node, rules):
    """Over columns, thresholds, the sides of missing cells, and sets of levels."""
    best = 0.0
    for j, own in enumerate(codes):
        if categorical[j]:
            n_codes = n_bins[j] + has_missing[j]
            more_l2 = 0.0 if n_codes <= rules.few_levels else rules.category_l2
            for left, n_levels in sets_of_levels(own, n_codes, node, rules):
                if may_split(node, left, rules):
                    cost = rules.category_cost * node.noise * (n_levels - 1)
                    best = max(best, gain_of(node, left, rules, more_l2=more_l2) - cost)
            continue
        for left in sets_of_numbers(own, n_bins[j], has_missing[j]):
            if may_split(node, left, rules) and in_order(node, left, rules, monotone[j]):
                best = max(best, gain_of(node, left, rules))
    return best if best > rules.min_gain else 0.0


def best_gain(codes, n_bins, has_missing, gradient, hessian, **rules):
    """The largest gain of a split of all rows by numbers."""
    g, h, units = quantise(list(gradient), list(hessian))
    own = Rules(**rules)
    if len(g) < 2 * own.min_rows:
        return 0.0
    free = [0] * len(codes)
    return largest_gain(codes, n_bins, has_missing, free, free, Node(g, h, units), own)


def noise(gradient, hessian):
    """What a split gains by chance is a multiple of it."""
    return sum(x * x for x in gradient) / sum(hessian)


def best_set_gain(levels, n_levels, gradient, hessian, *, l2, cost):
    """The largest gain of any division of a category's levels into two, less `cost` noises for each level but one."""
    g, h, units = quantise(list(gradient), list(hessian))
    present = [k for k in range(n_levels) if np.any(levels == k)]
    best = 0.0
    for choice in range(1, 2 ** len(present) - 1):
        left = np.isin(levels, [k for place, k in enumerate(present) if choice >> place & 1])
        sums = [(g[s].sum() * units.gradient, h[s].sum() * units.hessian) for s in (left, ~left)]
        whole = (g.sum() * units.gradient, h.sum() * units.hessian)
        gain = 0.5 * (sum(score(*s, 0.0, l2) for s in sums) - score(*whole, 0.0, l2))
        best = max(best, gain - cost * noise(gradient, hessian) * (len(present) - 1))
    return best


def value_cells(values, most):
    """Counts, least and largest values of the cells (native/gradient/value_cells.hpp)."""
    bits = (values + 0.0).view(np.int64)
    keys = np.where(bits < 0, ~bits, bits ^ np.int64(-(2**63))).view(np.uint64)
    shift = 0
    while len(np.unique(keys >> np.uint64(shift))) > most:
        shift += 1
    order = np.argsort(values, kind="stable")
    _, first, count = np.unique(keys[order] >> np.uint64(shift), return_index=True, return_counts=True)
    return shift, count, values[order][first], values[order][first + count - 1]


def left_out_scores(leaf_of_row, gradient, hessian, l2, rate, times):
    """rate times the Newton step of each row's leaf, from which the row's part is taken off `times` times."""
    out = []
    for i, leaf in enumerate(leaf_of_row):
        rows = leaf_of_row == leaf
        others = rows & (np.arange(len(rows)) != i)
        own = -gradient[rows].sum() / (hessian[rows].sum() + l2)
        without = -gradient[others].sum() / (hessian[others].sum() + l2)
        out.append(rate * (own + times * (without - own)))
    return np.array(out)
