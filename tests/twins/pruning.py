"""The prunings by their definitions: one node at a time, by recursion, with the rows of each node in hand.

A tree here is a Node with its own children; rows are (row, share) pairs.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.stats import chi2, norm

from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD, Tree

from .cases import Case


@dataclass(eq=False)
class Node:
    number: int  # in the Tree it comes from
    children: list["Node"] = field(default_factory=list)
    counts: np.ndarray = None  # classes: weight of each
    rows: dict[int, float] = None  # row -> share


def nodes_of(tree: Tree, number: int = 0) -> Node:
    first = int(tree.first_child[number])
    children = [nodes_of(tree, first + k) for k in range(int(tree.n_children[number]))]
    return Node(number, children, tree.value[number] * tree.weight[number])


def shape(node: Node) -> tuple:
    """Which tests are left, and where."""
    return (node.number, tuple(shape(child) for child in node.children))


def shape_of(tree: Tree, number: int = 0) -> tuple:
    """The tests of a tree, comparable with another's."""
    first = int(tree.first_child[number])
    below = tuple(shape_of(tree, first + k) for k in range(int(tree.n_children[number])))
    if not below:
        return ()
    return (int(tree.feature[number]), float(np.nan_to_num(tree.threshold[number])), below)


def shape_in(tree: Tree, node: Node) -> tuple:
    """The same of a Node whose tests stand in `tree`."""
    if not node.children:
        return ()
    below = tuple(shape_in(tree, child) for child in node.children)
    return (int(tree.feature[node.number]), float(np.nan_to_num(tree.threshold[node.number])), below)


def leaves(node: Node) -> list[Node]:
    return [leaf for child in node.children for leaf in leaves(child)] if node.children else [node]


# ------------------------------------------------------------------------------------------------ rows
def route(tree: Tree, node: Node, case: Case, rows: dict[int, float]) -> None:
    """Sends rows down from a node; a missing cell goes by the known ones."""
    node.rows = rows
    node.counts = np.zeros(case.n_classes)
    for row, share in rows.items():
        node.counts[int(case.y[row])] += share * case.w[row]
    if not node.children:
        return
    parts: list[dict[int, float]] = [{} for _ in node.children]
    lost = {}
    for row, share in rows.items():
        child = place_of(tree, node.number, case.X[row])
        if child is None:
            lost[row] = share
        else:
            parts[child][row] = share
    load = [sum(share * case.w[row] for row, share in part.items()) for part in parts]
    for row, share in lost.items():
        for part, known in zip(parts, load, strict=True):
            of_it = known / sum(load) if sum(load) > 0 else 1 / len(parts)
            if of_it > 0:
                part[row] = share * of_it
    for child, part in zip(node.children, parts, strict=True):
        route(tree, child, case, part)


def place_of(tree: Tree, number: int, cells: np.ndarray) -> int | None:
    cell = cells[tree.feature[number]]
    if math.isnan(cell):
        to = int(tree.missing_child[number])
        return None if to == NONE else to - int(tree.first_child[number])
    if tree.kind[number] == THRESHOLD:
        return int(cell > tree.threshold[number])
    if tree.kind[number] == MULTIWAY:
        return int(cell)
    assert tree.kind[number] == SUBSET
    word = int(tree.subset_bits[int(tree.subset_start[number]) + int(cell) // 64])
    return 1 - (word >> (int(cell) % 64) & 1)


# ------------------------------------------------------------------------------------------------ methods
def reduced_error(tree: Tree, loss: np.ndarray) -> Node:
    def go(node: Node) -> float:
        if not node.children:
            return loss[node.number]
        below = sum(go(child) for child in node.children)
        if loss[node.number] <= below + 1e-12 * loss[0]:
            node.children = []
            return loss[node.number]
        return below

    root = nodes_of(tree)
    go(root)
    return root


def chi_square(tree: Tree, significance: float) -> Node:
    def go(node: Node) -> None:
        for child in node.children:
            go(child)
        if node.children and not any(child.children for child in node.children):
            table = np.array([child.counts for child in node.children])
            table = table[table.sum(axis=1) > 1e-9][:, table.sum(axis=0) > 1e-9]
            expected = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
            freedom = (table.shape[0] - 1) * (table.shape[1] - 1)
            chance = chi2.sf(((table - expected) ** 2 / expected).sum(), freedom) if freedom else 1.0
            if chance >= significance:
                node.children = []

    root = nodes_of(tree)
    go(root)
    return root


def minimum_description_length(tree: Tree, price: float) -> Node:
    k = tree.n_outputs

    def data(counts: np.ndarray) -> float:
        n = counts.sum()
        if n <= 0:
            return 0.0
        bits = sum(c * math.log2(n / c) for c in counts if c > 0)
        bits += (k - 1) / 2 * math.log2(n / 2) + math.log2(math.pi ** (k / 2) / math.gamma(k / 2))
        return max(0.0, bits)

    def test(number: int) -> float:
        n, column = max(3, int(tree.n_rows[number])), int(tree.feature[number])
        bits = math.log2(tree.n_features)
        if tree.kind[number] == THRESHOLD:
            return bits + math.log2(n - 1)
        if tree.kind[number] == SUBSET:
            return bits + math.log2(2 ** max(2, min(int(tree.n_levels[column]), n)) - 2)
        return bits

    def go(node: Node) -> float:
        as_leaf = price + data(node.counts)
        if not node.children:
            return as_leaf
        as_split = price * (1 + test(node.number)) + sum(go(child) for child in node.children)
        if as_leaf <= as_split + 1e-9:
            node.children = []
            return as_leaf
        return as_split

    root = nodes_of(tree)
    go(root)
    return root


def added_errors(n: float, e: float, confidence: float) -> float:
    """J48's Stats.addErrs, line by line."""
    if e < 1:
        base = n * (1 - confidence ** (1 / n))
        return base if e == 0 else base + e * (added_errors(n, 1, confidence) - base)
    if e + 0.5 >= n:
        return max(n - e, 0.0)
    z = norm.ppf(1 - confidence)
    f = (e + 0.5) / n
    r = (f + z * z / (2 * n) + z * math.sqrt(f / n - f * f / n + z * z / (4 * n * n))) / (1 + z * z / n)
    return r * n - e


def estimate(counts: np.ndarray, confidence: float) -> float:
    n = float(counts.sum())
    if n <= 0:
        return 0.0
    wrong = n - float(counts.max())
    return wrong + added_errors(n, wrong, confidence)


def pessimistic(tree: Tree, case: Case, confidence: float, raising: bool) -> Node:
    """C45PruneableClassifierTree.collapse and .prune."""
    root = nodes_of(tree)
    route(tree, root, case, {row: 1.0 for row in range(len(case.y)) if case.w[row] > 0})

    def wrong(node: Node) -> float:
        return float(node.counts.sum() - node.counts.max())

    def collapse(node: Node) -> None:
        if not node.children:
            return
        if sum(wrong(leaf) for leaf in leaves(node)) >= wrong(node) - 1e-3:
            node.children = []
        for child in node.children:
            collapse(child)

    def branch_errors(node: Node, rows: dict[int, float]) -> float:
        copy = copied(node)
        route(tree, copy, case, rows)
        return sum(estimate(leaf.counts, confidence) for leaf in leaves(copy))

    def prune(node: Node) -> None:
        if not node.children:
            return
        for child in node.children:
            prune(child)
        weights = [child.counts.sum() for child in node.children]
        best = 0
        for k in range(1, len(weights)):
            if weights[k] >= weights[best] - 1e-6:
                best = k
        largest = node.children[best]
        as_branch = branch_errors(largest, node.rows) if raising else math.inf
        as_leaf = estimate(node.counts, confidence)
        as_tree = sum(estimate(leaf.counts, confidence) for leaf in leaves(node))
        if as_leaf <= as_tree + 0.1 + 1e-6 and as_leaf <= as_branch + 0.1 + 1e-6:
            node.children = []
        elif as_branch <= as_tree + 0.1 + 1e-6:
            node.number, node.children = largest.number, largest.children
            route(tree, node, case, node.rows)
            prune(node)

    collapse(root)
    prune(root)
    return root


def copied(node: Node) -> Node:
    return Node(node.number, [copied(child) for child in node.children])


def depth_limit(tree: Tree, loss: np.ndarray) -> int:
    """The depth with the smallest loss, the first of equal ones."""
    total = []
    for depth in range(tree.max_depth + 1):
        at = (tree.depth == depth) | ((tree.depth < depth) & (tree.kind == LEAF))
        total.append(loss[at].sum())
    return next(k for k, t in enumerate(total) if t <= min(total) + 1e-12 * total[0])


def leaf_limit(tree: Tree, loss: np.ndarray) -> int:
    """The number of leaves after so many best-first splits with the smallest loss."""
    load = tree.weight * tree.impurity
    gain = {}
    for t in np.flatnonzero(tree.kind != LEAF):
        below = slice(int(tree.first_child[t]), int(tree.first_child[t] + tree.n_children[t]))
        gain[int(t)] = (load[t] - load[below].sum()) / tree.weight[0]
    current, totals = {0}, [(loss[0], 1)]
    while open_nodes := [t for t in current if t in gain]:
        t = min(open_nodes, key=lambda t: (-gain[t], t))
        first = int(tree.first_child[t])
        current = (current - {t}) | set(range(first, first + int(tree.n_children[t])))
        totals.append((sum(loss[k] for k in current), len(current)))
    low = min(total for total, _ in totals)
    return next(many for total, many in totals if total <= low + 1e-12 * totals[0][0])


def losses(tree: Tree, case: Case) -> np.ndarray:
    """By node, one row at a time: what it loses at each node it visits."""
    from tree.naive import visits

    out = np.zeros(tree.n_nodes)
    for row in range(len(case.y)):
        for node, share in visits(tree, case.X[row]).items():
            if case.n_classes:
                loss = float(np.argmax(tree.value[node]) != case.y[row])
            else:
                loss = (tree.value[node, 0] - case.y[row]) ** 2
            out[node] += share * case.w[row] * loss
    return out
