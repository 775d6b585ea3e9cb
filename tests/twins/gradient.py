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


def score(g, h, l1, l2):
    v = leaf_value(g, h, l1, l2)
    return -(2 * g * v + (h + l2) * v * v + 2 * l1 * abs(v))


def best_gain(
    codes, n_bins, has_missing, gradient, hessian, *, min_rows, l1, l2, min_hessian, enough_hessian=inf
):
    """The largest gain of a split of all rows by numbers, over columns, thresholds and the side of missing cells."""
    g, h, units = quantise(list(gradient), list(hessian))
    enough = max(enough_hessian, 5 * h.max() * units.hessian)
    best = 0.0
    if len(g) < 2 * min_rows:
        return best
    for j, own in enumerate(codes):
        for bin_ in range(n_bins[j]):
            for missing_left in (False, True) if has_missing[j] else (False,):
                left = (own <= bin_) & (own < n_bins[j])
                if missing_left:
                    left |= own == n_bins[j]
                sides = [left, ~left]
                sums = [(g[s].sum() * units.gradient, h[s].sum() * units.hessian) for s in sides]
                if min(s[1] for s in sums) < min_hessian or not left.any() or left.all():
                    continue
                few = [s for s, side in zip(sums, sides, strict=True) if side.sum() < min_rows]
                if any(s[1] < enough for s in few):
                    continue
                whole = (g.sum() * units.gradient, h.sum() * units.hessian)
                gain = 0.5 * (sum(score(*s, l1, l2) for s in sums) - score(*whole, l1, l2))
                best = max(best, gain)
    return best


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
