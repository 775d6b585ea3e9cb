"""Rows through a Tree, in NumPy.   In: a Tree, a matrix.   Out: leaves, values, or paths. General, not fast.

The matrix is float64, one column per column of the tree. A category is its level code; a level never seen in
training is the code n_levels; NaN is a missing cell. All rows step down one level at a time:

    (row, node, share)   --test-->   (row, child, share)
                         --missing, missing_child -1-->   (row, every child, share x part of the weight)

At a multiway node a level never seen has no child of its own and is treated as missing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from hedgerow.tree.surrogates import stand_in
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.tree.walk import children_of
from hedgerow.types import Count, Float, Index, Mask


@dataclass(frozen=True, eq=False)
class _Walkers:
    """Rows on their way: where each is, and how much of it."""

    row: Count
    node: Count
    share: Float

    def only(self, mask: Mask) -> "_Walkers":
        return _Walkers(self.row[mask], self.node[mask], self.share[mask])


def leaf_of(tree: Tree, X: ArrayLike) -> Index:
    """The leaf each row ends in. Raises where a missing cell is spread over several children."""
    rows = _checked(tree, X)
    leaf = np.zeros(len(rows), np.int32)
    going = _at_root(len(rows))
    while len(going.row):
        there = tree.kind[going.node] == LEAF
        leaf[going.row[there]] = going.node[there]
        going = going.only(~there)
        to = _next(tree, rows, going)
        _refuse_spread(tree, going, to)
        going = _Walkers(going.row, to, going.share)
    return leaf


def value_of(tree: Tree, X: ArrayLike) -> Float:
    """The value for each row (rows x outputs): its leaf's, or the leaves' by share where it is spread."""
    rows = _checked(tree, X)
    value = np.zeros((len(rows), tree.n_outputs))
    going = _at_root(len(rows))
    while len(going.row):
        there = tree.kind[going.node] == LEAF
        done = going.only(there)
        np.add.at(value, done.row, done.share[:, None] * tree.value[done.node])
        going = _step(tree, rows, going.only(~there))
    return value


def arrivals(tree: Tree, X: ArrayLike) -> tuple[Count, Count, Float]:
    """(row, leaf, share) of every row at every leaf it reaches: one for each row unless missing cells spread."""
    rows = _checked(tree, X)
    done: list[_Walkers] = []
    going = _at_root(len(rows))
    while len(going.row):
        there = tree.kind[going.node] == LEAF
        done.append(going.only(there))
        going = _step(tree, rows, going.only(~there))
    if not done:
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    return (
        np.concatenate([d.row for d in done]),
        np.concatenate([d.node for d in done]),
        np.concatenate([d.share for d in done]),
    )


def path_of(tree: Tree, X: ArrayLike) -> tuple[Count, Index]:
    """The nodes each row visits, as (indptr, indices) of a CSR indicator: scikit-learn's `decision_path`."""
    rows = _checked(tree, X)
    met: list[_Walkers] = []
    going = _at_root(len(rows))
    while len(going.row):
        met.append(going)
        going = _step(tree, rows, going.only(tree.kind[going.node] != LEAF))
    row = np.concatenate([m.row for m in met]) if met else np.zeros(0, np.int64)
    node = np.concatenate([m.node for m in met]) if met else np.zeros(0, np.int64)
    ends = np.cumsum(np.bincount(row, minlength=len(rows)))
    indptr = np.concatenate([[0], ends]).astype(np.int64)
    return indptr, node[np.lexsort((node, row))].astype(np.int32)


def child_place(tree: Tree, node: int, cells: Float, rows: Count) -> Count:
    """Which child of the node each of these rows goes to, from 0; -1 where a missing cell goes to all of them."""
    to = _next(tree, cells, _Walkers(rows, np.full(len(rows), node), np.ones(len(rows))))
    return np.where(to == NONE, NONE, to - tree.first_child[node])


def _at_root(n: int) -> _Walkers:
    return _Walkers(np.arange(n), np.zeros(n, np.int64), np.ones(n))


def _next(tree: Tree, rows: Float, going: _Walkers) -> Count:
    """The child each walker goes to; -1 where it goes to all of them."""
    node, kind = going.node, tree.kind[going.node]
    cell = rows[going.row, tree.feature[node]]
    place = np.zeros(len(node), np.int64)
    missing = np.isnan(cell)
    code = np.where(missing | (kind == THRESHOLD), 0, cell).astype(np.int64)
    by_number, by_set, by_level = (kind == k for k in (THRESHOLD, SUBSET, MULTIWAY))
    place[by_number] = cell[by_number] > tree.threshold[node[by_number]]
    word = tree.subset_bits[tree.subset_start[node[by_set]] + code[by_set] // 64]
    bit = (word >> (code[by_set] % 64).astype(np.uint64)) & np.uint64(1)
    place[by_set] = bit == 0
    place[by_level] = code[by_level]
    lost = missing | (by_level & (code >= tree.n_children[node]))
    to = np.where(lost, tree.missing_child[node], tree.first_child[node] + place)
    if len(tree.surrogate_node) and lost.any():
        other = stand_in(tree, rows, going.row[lost], node[lost])
        to[lost] = np.where(other == NONE, to[lost], other)
    return to


def _step(tree: Tree, rows: Float, going: _Walkers) -> _Walkers:
    """One level down; walkers without a single way go to every child."""
    to = _next(tree, rows, going)
    spread = going.only(to == NONE)
    many = tree.n_children[spread.node]
    child = children_of(tree, spread.node)
    part = np.repeat(spread.share, many) * _parts(tree, spread.node, child)
    whole = going.only(to != NONE)
    return _Walkers(
        np.concatenate([whole.row, np.repeat(spread.row, many)]),
        np.concatenate([to[to != NONE], child]),
        np.concatenate([whole.share, part]),
    )


def _parts(tree: Tree, nodes: Count, child: Count) -> Float:
    """For each child of the nodes, its part of the siblings' weight; equal parts where they weigh nothing."""
    many = tree.n_children[nodes]
    total = np.bincount(
        np.repeat(np.arange(len(nodes)), many), weights=tree.weight[child], minlength=len(nodes)
    )
    empty = total <= 0
    part = np.where(np.repeat(empty, many), 1.0, tree.weight[child])
    parts: Float = part / np.repeat(np.where(empty, many, total), many)
    return parts


def _refuse_spread(tree: Tree, going: _Walkers, to: Count) -> None:
    if (to == NONE).any():
        first = int(np.argmax(to == NONE))
        raise ValueError(
            f"row {going.row[first]} has no single leaf: its cell in column "
            f"{tree.feature[going.node[first]]} is missing and node {going.node[first]} sends missing cells "
            "to all its children. Use value_of, which weighs them, or fill the cell."
        )


def _checked(tree: Tree, X: ArrayLike) -> Float:
    rows = np.asarray(X, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != tree.n_features:
        raise ValueError(
            f"X has shape {rows.shape}; wanted rows x {tree.n_features}, one column per feature."
        )
    for column in np.flatnonzero(tree.n_levels):
        cell, most = rows[:, column], int(tree.n_levels[column])
        bad = ~np.isnan(cell) & ~((cell >= 0) & (cell <= most) & (cell == np.floor(cell)))
        if bad.any():
            row = int(np.argmax(bad))
            raise ValueError(
                f"row {row}, column {column} holds {cell[row]}; wanted a level code from 0 to {most - 1}, "
                f"{most} for a level never seen, or NaN."
            )
    return rows
