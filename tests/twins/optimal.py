"""The slow twin of native/optimal: every tree of the size, by recursion over row numbers."""

import numpy as np


def least_cost(answers, leaf_cost, rows, depth, leaves):
    """The smallest sum of leaf_cost(rows) over the leaves of a tree of these questions (questions x rows, bool)."""
    known = {}

    def best(rows, depth, leaves):
        key = rows.tobytes(), depth, leaves
        if key not in known:
            known[key] = min([leaf_cost(rows), *splits(rows, depth, leaves)])
        return known[key]

    def splits(rows, depth, leaves):
        if depth == 0 or leaves == 1:
            return
        for yes in answers:
            first, second = rows[yes[rows]], rows[~yes[rows]]
            if len(first) and len(second):
                for n in range(1, leaves):
                    yield best(first, depth - 1, n) + best(second, depth - 1, leaves - n)

    return best(rows, depth, leaves)


def class_cost(codes, weight, matrix, price=0.0, min_rows=1):
    def cost(rows):
        if len(rows) < min_rows:
            return np.inf
        return float((weight[rows, None] * matrix[codes[rows]]).sum(axis=0).min()) + price

    return cost


def number_cost(values, weight, price=0.0, min_rows=1):
    def cost(rows):
        if len(rows) < min_rows:
            return np.inf
        mean = np.average(values[rows], weights=weight[rows])
        return float((weight[rows] * (values[rows] - mean) ** 2).sum()) + price

    return cost
