"""The same questions answered one node and one row at a time, as simply as possible."""

import math

import numpy as np

from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, THRESHOLD, Tree
from hedgerow.types import Float


def children(tree: Tree, node: int) -> list[int]:
    first = int(tree.first_child[node])
    return list(range(first, first + int(tree.n_children[node])))


def bit(tree: Tree, node: int, code: int) -> bool:
    word = int(tree.subset_bits[int(tree.subset_start[node]) + code // 64])
    return bool(word >> (code % 64) & 1)


def next_node(tree: Tree, node: int, row: Float) -> int:
    """The child a row goes to; -1 where to all of them."""
    cell = float(row[tree.feature[node]])
    if math.isnan(cell) or (tree.kind[node] == MULTIWAY and cell == tree.n_levels[tree.feature[node]]):
        return int(tree.missing_child[node])
    if tree.kind[node] == THRESHOLD:
        return children(tree, node)[0 if cell <= tree.threshold[node] else 1]
    if tree.kind[node] == MULTIWAY:
        return children(tree, node)[int(cell)]
    return children(tree, node)[0 if bit(tree, node, int(cell)) else 1]


def visits(tree: Tree, row: Float) -> dict[int, float]:
    """Every node a row visits, with the share of the row that comes there."""
    share = {0: 1.0}
    for node in range(tree.n_nodes):
        if node not in share or tree.kind[node] == LEAF:
            continue
        to = next_node(tree, node, row)
        below = children(tree, node) if to == NONE else [to]
        total = sum(float(tree.weight[k]) for k in below)
        for k in below:
            part = 1.0 if to != NONE else float(tree.weight[k]) / total if total > 0 else 1 / len(below)
            share[k] = share[node] * part
    return share


def value(tree: Tree, row: Float) -> Float:
    here = visits(tree, row)
    zero = np.zeros(tree.n_outputs)
    return sum((s * tree.value[k] for k, s in here.items() if tree.kind[k] == LEAF), zero)


def below(tree: Tree, node: int) -> list[int]:
    """All nodes under a node, itself not."""
    found = children(tree, node)
    for k in found:
        found += children(tree, k)
    return found
