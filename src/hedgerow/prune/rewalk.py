"""A tree whose branches have been raised.   In: a Tree in which some nodes are out of reach, and rows.   Out:
where rows end in it; the same Tree with the numbers that its new rows give it, without the nodes that nobody
reaches.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from hedgerow.grow.target import Classes
from hedgerow.prune.evidence import Arrivals, Evidence, tally
from hedgerow.tree.cut import _renumbered, _subsets
from hedgerow.tree.decide import _next, _Walkers
from hedgerow.tree.surrogates import kept_surrogates
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.tree.walk import by_level, children_of
from hedgerow.types import Float, Mask


def in_reach(tree: Tree) -> Mask:
    reach = tree.depth > 0  # what is out of reach has no depth
    reach[0] = True
    return reach


def ended_of(tree: Tree, rows: Float, going: _Walkers, weight: Float) -> Arrivals:
    done: list[_Walkers] = []
    while len(going.row):
        there = tree.kind[going.node] == LEAF
        done.append(going.only(there))
        going = _stepped(tree, rows, going.only(~there), weight)
    return Arrivals(
        np.concatenate([d.row for d in done]) if done else np.zeros(0, np.int64),
        np.concatenate([d.node for d in done]) if done else np.zeros(0, np.int64),
        np.concatenate([d.share for d in done]) if done else np.zeros(0),
    )


def _stepped(tree: Tree, rows: Float, going: _Walkers, weight: Float) -> _Walkers:
    """One level down; what is spread goes by the weight of the walkers whose cell is known."""
    to = _next(tree, rows, going)
    known, lost = going.only(to != NONE), going.only(to == NONE)
    to = to[to != NONE]
    if not len(lost.row):
        return _Walkers(known.row, to, known.share)
    load = np.bincount(to, known.share * weight[known.row], tree.n_nodes)
    child, many = children_of(tree, lost.node), tree.n_children[lost.node]
    total = np.bincount(np.repeat(np.arange(len(lost.node)), many), load[child], len(lost.node))
    empty = np.repeat(total <= 0, many)
    part = np.where(
        empty, 1.0 / np.repeat(many, many), load[child] / np.repeat(np.where(total > 0, total, 1), many)
    )
    row, share = np.repeat(lost.row, many), np.repeat(lost.share, many) * part
    some = part > 0
    return _Walkers(
        np.concatenate([known.row, row[some]]),
        np.concatenate([to, child[some]]),
        np.concatenate([known.share, share[some]]),
    )


def counts_of(evidence: Evidence, ended: Arrivals, n: int) -> Float:
    """Nodes x classes: the weight that ends at each node."""
    target = evidence.target
    assert isinstance(target, Classes)
    place = ended.leaf * target.n_classes + target.codes[ended.row]
    part = evidence.weight[ended.row] * ended.share
    return tally(place, part, n * target.n_classes).reshape(n, target.n_classes)


def only_in_reach(tree: Tree) -> Tree:
    """The nodes in reach, renumbered in their order."""
    kept = np.flatnonzero(in_reach(tree))
    number = np.full(tree.n_nodes, NONE, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    leaf = tree.kind[kept] == LEAF
    start, bits = _subsets(tree, kept, tree.kind[kept])
    return Tree(
        feature=tree.feature[kept],
        kind=tree.kind[kept],
        threshold=tree.threshold[kept],
        subset_start=start,
        first_child=_renumbered(tree.first_child[kept], leaf, number),
        n_children=tree.n_children[kept],
        missing_child=_renumbered(tree.missing_child[kept], leaf, number),
        value=tree.value[kept],
        weight=tree.weight[kept],
        n_rows=tree.n_rows[kept],
        impurity=tree.impurity[kept],
        subset_bits=bits,
        n_levels=tree.n_levels,
        **kept_surrogates(tree, in_reach(tree) & (tree.kind != LEAF), number),  # type: ignore[arg-type]
    )


def retold(tree: Tree, rows: Float, evidence: Evidence, moved: Mask) -> Tree:
    """Values, weights, rows and impurities of the nodes that are marked, told by a walk of all rows."""
    weight = evidence.weight
    used = np.flatnonzero(weight > 0)
    going = _Walkers(used, np.zeros(len(used), np.int64), np.ones(len(used)))
    counts, n_rows = np.zeros(tree.value.shape), np.zeros(tree.n_nodes, np.int64)
    while len(going.row):
        counts += counts_of(evidence, Arrivals(going.row, going.node, going.share), tree.n_nodes)
        n_rows += np.bincount(going.node, minlength=tree.n_nodes)
        going = _stepped(tree, rows, going.only(tree.kind[going.node] != LEAF), weight)
    total = counts.sum(axis=1)
    value = counts / np.where(total > 0, total, 1.0)[:, None]
    for level in by_level(tree)[1:]:  # an empty node says what its parent says
        empty = level[(total[level] <= 0) & (tree.parent[level] >= 0)]
        value[empty] = value[tree.parent[empty]]
    new, impurity = moved, impurity_like(tree)(value)
    return replace(
        tree,
        value=np.where(new[:, None], value, tree.value),
        weight=np.where(new, total, tree.weight),
        n_rows=np.where(new, n_rows, tree.n_rows),
        impurity=np.where(new, impurity, tree.impurity),
    )


def impurity_like(tree: Tree) -> Callable[[Float], Float]:
    """The impurity of class shares that this tree tells at its nodes: the one that fits best."""
    kinds = (_gini, _entropy, _misclassification)
    return min(kinds, key=lambda kind: float(np.abs(kind(tree.value) - tree.impurity).sum()))


def _gini(shares: Float) -> Float:
    return np.asarray(1.0 - np.square(shares).sum(axis=1))


def _entropy(shares: Float) -> Float:
    logs = np.log2(np.where(shares > 0, shares, 1.0))
    return np.asarray(-(shares * logs).sum(axis=1))


def _misclassification(shares: Float) -> Float:
    return np.asarray(1.0 - shares.max(axis=1))
