"""Shapley values by their definition: every subset of the columns. And importance by permutation, in plain loops."""

from itertools import combinations
from math import factorial

import numpy as np

from hedgerow.tree.decide import value_of
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.types import Float


def known_value(tree: Tree, row: Float, known: set[int]) -> Float:
    """What the tree answers when only these columns of the row are known."""
    from hedgerow.tree.decide import _at_root, _next  # the same step, node by node

    def at(node: int) -> Float:
        if tree.kind[node] == LEAF:
            return tree.value[node]
        children = np.arange(tree.n_children[node]) + tree.first_child[node]
        weight = tree.weight[children]
        share = weight / weight.sum() if weight.sum() > 0 else np.full(len(children), 1 / len(children))
        if int(tree.feature[node]) in known:
            walker = _at_root(1)
            walker.node[:] = node
            to = int(_next(tree, row[None, :], walker)[0])
            if to != NONE:
                return at(to)
        return sum(s * at(int(c)) for s, c in zip(share, children, strict=True))  # type: ignore[return-value]

    return at(0)


def shapley(tree: Tree, row: Float) -> tuple[Float, Float]:
    """columns x outputs, and the value when nothing is known."""
    d = tree.n_features
    phi = np.zeros((d, tree.n_outputs))
    for j in range(d):
        others = [k for k in range(d) if k != j]
        for size in range(d):
            chance = factorial(size) * factorial(d - size - 1) / factorial(d)
            for subset in combinations(others, size):
                with_j = known_value(tree, row, {*subset, j})
                phi[j] += chance * (with_j - known_value(tree, row, set(subset)))
    return phi, known_value(tree, row, set())


def additive(tree: Tree, rows: Float) -> Float:
    return value_of(tree, rows)
