"""Slow twins: a condition asked row by row, and post-pruning by trying everything anew each time."""

import math

import numpy as np
from scipy.stats import binom

from hedgerow.rules.drop import merge_conditions, split_conditions
from hedgerow.tree.conditions import Choice


def meets(condition, cell, n_levels):
    if math.isnan(cell):
        return condition.missing
    if isinstance(condition, Choice):
        return condition.unseen if cell == n_levels else int(cell) in condition.levels
    return (cell > condition.low or condition.low == -math.inf) and cell <= condition.high


def first_rule(rules, X):
    """The first rule whose conditions all hold, row by row; -1 for none."""
    n_levels = [len(levels) for levels in rules.labels.levels]
    found = []
    for row in X:
        held = [
            all(meets(c, row[c.feature], n_levels[c.feature]) for c in rule.conditions)
            for rule in rules.rules
        ]
        found.append(held.index(True) if True in held else -1)
    return np.array(found)


def tail(wrong, total, rate):
    """P(at most `wrong` errors in `total` rows)."""
    return binom.cdf(wrong, total, rate)


def drop_slowly(conditions, decision, X, codes, weight, n_levels, estimate):
    """Every precondition left out in turn, everything counted again."""

    def error(parts):
        held = [all(meets(c, row[c.feature], n_levels[c.feature]) for c in parts) for row in X]
        inside = np.flatnonzero(held)
        total, wrong = weight[inside].sum(), weight[inside][codes[inside] != decision].sum()
        return round(float(estimate(wrong, total)), 12), -round(total / weight.sum(), 12)

    parts = split_conditions(conditions)
    now = error(parts)[0]
    while parts:
        tries = [(*error(parts[:k] + parts[k + 1 :]), -k) for k in range(len(parts))]
        best = min(tries)
        if best[0] > now:
            break
        now, parts = best[0], [p for k, p in enumerate(parts) if k != -best[2]]
    return merge_conditions(parts), now
