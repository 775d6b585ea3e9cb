"""Stumps the slow way: every test of every column, one by one. And a step of boosting in NumPy."""

from itertools import combinations

import numpy as np


def merit(kind, first, second):
    """What two sides are worth; each is the weight of every group."""
    if kind == "error":
        return first.max() + second.max()
    if kind == "exponential":
        return -2 * (np.sqrt(first[0] * first[1]) + np.sqrt(second[0] * second[1]))
    if kind == "silence":
        return max((np.sqrt(side[0]) - np.sqrt(side[1])) ** 2 for side in (first, second))
    return sum((side**2).sum() / side.sum() if side.sum() > 0 else 0.0 for side in (first, second))


def mass(where, group, n_groups, weight):
    return np.bincount(group[where], weight[where], minlength=n_groups)


def tests_of(values, n_levels):
    """Every way to put the present cells on two sides, the first side marked; and all of them together."""
    present = ~np.isnan(values)
    seen = np.unique(values[present])
    if n_levels:
        for size in range(1, len(seen)):
            for chosen in combinations(seen, size):
                yield np.isin(values, chosen)
    else:
        for low in seen[:-1]:
            yield values <= low
    if len(seen) and not present.all():
        yield present


def best_merit(matrix, n_levels, group, n_groups, weight, kind):
    """The best merit there is, and the first column that reaches it; -inf and -1 where no column has two values."""
    best, column = -np.inf, -1
    for j, levels in enumerate(n_levels):
        values = matrix[:, j]
        missing = np.isnan(values)
        for first in tests_of(values, levels):
            for side in (first, first | missing):
                if side.all() or not side.any():
                    continue
                found = merit(kind, mass(side, group, n_groups, weight), mass(~side, group, n_groups, weight))
                if found > best + 1e-11:
                    best, column = found, j
    return best, column


def step(signs, answers, yes, no, base, loss, margins):
    """Margins, weights, loss, error after a step."""
    after = margins + signs * answers * np.where(answers > 0, yes, no)
    raw = np.exp(-after) if loss == "exponential" else 1 / (1 + np.exp(after))
    losses = np.exp(-after) if loss == "exponential" else np.log1p(np.exp(-after))
    weight = base * raw / (base * raw).sum()
    wrong = (after * signs > 0) != (signs > 0)
    return after, weight, float(base @ losses), float(base @ wrong)
