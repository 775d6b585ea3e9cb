"""Growing, one node at a time: what a tree must be, and whether one is that.

`grown` grows a tree of its own. `audit` goes through a grown tree and asks, at each node, whether rows, numbers, stop
and split are what the definition says; where two subsets are tied it lets the tree have the one it took.
"""

from dataclasses import dataclass
from heapq import heappop, heappush

import numpy as np
from numpy.testing import assert_allclose

from hedgerow.tree.decide import leaf_of
from hedgerow.tree.tree import LEAF, THRESHOLD, Tree
from hedgerow.types import Float, Index

from .cases import Case
from .loss import loss, value
from .split import TIE, Split, best_split, gain

EPSILON = np.finfo(float).eps


@dataclass(eq=False)
class Node:
    rows: Index
    depth: int
    split: Split | None = None
    children: tuple["Node", ...] = ()


class Doubtful(Exception):
    """Rounding decides this case: it is nobody's to judge."""


def stops(case: Case, rows: Index, depth: int) -> bool:
    limits, y, w = case.limits, case.y[rows], case.w[rows]
    return bool(
        (y == y[0]).all()
        or depth >= limits.max_depth
        or len(rows) < limits.min_rows_split
        or len(rows) < 2 * limits.min_rows_leaf
        or w.sum() < 2 * limits.min_weight_leaf
    )


def chosen(case: Case, rows: Index, depth: int) -> Split | None:
    if stops(case, rows, depth):
        return None
    split, sure = best_split(case, rows)
    if not sure:
        raise Doubtful
    return split if split and worth(case, split) else None


def worth(case: Case, split: Split) -> bool:
    """No split loses; a gain below zero is rounding."""
    decrease = max(0.0, split.gain) / case.w[case.used].sum()
    if case.limits.min_decrease > 0 and abs(decrease - case.limits.min_decrease) < 1e-12:
        raise Doubtful
    return bool(decrease + EPSILON >= case.limits.min_decrease)


def grown(case: Case) -> Node:
    """Best-first when the number of leaves is limited, which otherwise is the same as any other order."""
    root = Node(case.used, 0)
    most = case.limits.max_leaves or len(case.y)
    waiting: list[tuple[float, int, Node, Split]] = []
    n_nodes = 1

    def offer(node: Node, number: int) -> None:
        split = chosen(case, node.rows, node.depth)
        if split:
            near = [
                w
                for w in waiting
                if case.limits.max_leaves and abs(-w[0] - split.gain) < 1e-9 * (1 + split.gain)
            ]
            if near:
                raise Doubtful  # which of two equal nodes is first
            heappush(waiting, (-split.gain, number, node, split))

    offer(root, 0)
    leaves = 1
    while waiting and leaves < most:
        _, _, node, node.split = heappop(waiting)
        left = node.split.left
        node.children = tuple(Node(node.rows[side], node.depth + 1) for side in (left, ~left))
        leaves += 1
        for child in node.children:
            offer(child, n_nodes)
            n_nodes += 1
    return root


def assert_equal(tree: Tree, root: Node) -> None:
    """Number columns only: the same tests in the same places."""
    stack = [(0, root)]
    while stack:
        at, node = stack.pop()
        assert tree.n_rows[at] == len(node.rows)
        assert (tree.kind[at] == LEAF) == (not node.children), f"node {at}"
        if not node.children:
            continue
        assert node.split
        assert tree.feature[at] == node.split.column
        assert tree.threshold[at] == node.split.threshold
        first = int(tree.first_child[at])
        if np.isnan(node.split.threshold):
            raise NotImplementedError("subsets are audited, not compared")
        stack += [(first, node.children[0]), (first + 1, node.children[1])]


def rows_of(tree: Tree, case: Case) -> list[Index]:
    """The training rows that reach each node, by walking."""
    leaf = leaf_of(tree, case.X)
    reach = [np.zeros(len(case.X), bool) for _ in range(tree.n_nodes)]
    for node in range(tree.n_nodes - 1, -1, -1):
        reach[node] |= leaf == node
        if node:
            reach[tree.parent[node]] |= reach[node]
    used = case.w > 0
    return [np.flatnonzero(mask & used) for mask in reach]


def audit(tree: Tree, case: Case) -> None:
    whole = loss(case.criterion, case.y[case.used], case.w[case.used])
    for node, rows in enumerate(rows_of(tree, case)):
        y, w = case.y[rows], case.w[rows]
        assert tree.n_rows[node] == len(rows), f"node {node}: rows"
        assert_allclose(tree.weight[node], w.sum(), rtol=1e-12)
        here = loss(case.criterion, y, w)
        assert_allclose(tree.impurity[node] * w.sum(), here, rtol=1e-9, atol=1e-12 * (1 + whole))
        assert_allclose(tree.value[node], value(case.criterion, y, w, case.n_classes), rtol=1e-9, atol=1e-12)
        audit_split(tree, case, node, rows)


def audit_split(tree: Tree, case: Case, node: int, rows: Index) -> None:
    try:
        split = chosen(case, rows, int(tree.depth[node]))
    except Doubtful:
        return
    if split is None or tree.kind[node] == LEAF:
        assert split is None, f"node {node} could be split: {split}"
        assert tree.kind[node] == LEAF, f"node {node} should be a leaf"
        return
    assert tree.feature[node] == split.column, f"node {node}: column"
    left = goes_left(tree, case, node, rows)
    if tree.kind[node] == THRESHOLD:
        assert tree.threshold[node] == split.threshold, f"node {node}: threshold"
        np.testing.assert_array_equal(left, split.left, err_msg=f"node {node}: sides")
    else:
        tie = TIE * loss(case.criterion, case.y[rows], case.w[rows])
        assert gain(case, rows, left) >= split.gain - 5 * tie, f"node {node}: subset"


def goes_left(tree: Tree, case: Case, node: int, rows: Index) -> Float:
    return np.isin(rows, rows_of(tree, case)[tree.first_child[node]])
