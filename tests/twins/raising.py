"""Subtree raising in NumPy, the slow twin of native/prune/raising.hpp.   In: a Tree, the rows it was grown on, a
confidence level.   Out: the pruned Tree.

A node can be covered when everything below it has been. All nodes that can be covered now are covered together; none
of them lies below another. What the largest branch c of a node t would cost in its place is found by sending the
rows of t down c. When c is raised, t takes over c's test and children, and is covered again from the bottom,
because the rows there are new.

    nodes keep their numbers until the end      t: [c's test]   c, its siblings and what hangs below them: out of reach

In spread trees (missing_child -1) a missing cell is spread by the shares of the known ones, which new rows change:
there all rows of t are sent, not only those of the small branches.
"""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.grow.target import Classes
from hedgerow.prune.data import Arrivals, PruningData, add_up, find_arrivals, sum_arrivals, tally
from hedgerow.prune.methods.pessimistic import TOLERANCE, estimate_errors
from hedgerow.prune.raising import drop_unreachable, guess_impurity, in_reach
from hedgerow.tree.decide import _checked, _next, _Walkers
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.tree.walk import by_level, children_of
from hedgerow.types import Count, Float, Mask

TESTS = ("feature", "kind", "threshold", "subset_start", "first_child", "n_children", "missing_child")


@dataclass(frozen=True, eq=False)
class _Bench:
    """A tree at work: nodes out of reach are still there, numbers at the nodes are in `counts`."""

    tree: Tree
    rows: Float
    data: PruningData
    ended: Arrivals
    counts: Float  # nodes x classes
    covered: Mask
    moved: Mask  # nodes whose rows are not those of growing


@dataclass(frozen=True, eq=False)
class _Raise:
    """What it would be if each of `nodes` were replaced by its largest branch."""

    nodes: Count
    branch: Count
    errors: Float  # estimated
    owner: Count  # by node: which of `nodes` it is or lies below; -1
    inside: Mask  # by node: in a branch to be raised
    routed: Arrivals  # rows sent down the branches


def raise_subtrees(tree: Tree, data: PruningData, confidence: float) -> Tree:
    ended = find_arrivals(tree, data)
    none = np.zeros(tree.n_nodes, bool)
    counts = sum_arrivals(tree, data, ended)
    bench = _Bench(tree, _checked(tree, data.rows), data, ended, counts, none, none)
    while len(nodes := _ready(bench)):
        bench = _judged(bench, nodes, confidence)
    output = retold(bench.tree, bench.rows, data, bench.moved) if bench.moved.any() else bench.tree
    return drop_unreachable(output)


def _ready(bench: _Bench) -> Count:
    tree = bench.tree
    waiting = (tree.kind != LEAF) & ~bench.covered & in_reach(tree)
    blocked = np.zeros(tree.n_nodes, bool)
    up = tree.parent[waiting]
    blocked[up[up >= 0]] = True
    return np.flatnonzero(waiting & ~blocked)


def _judged(bench: _Bench, nodes: Count, confidence: float) -> _Bench:
    tree = bench.tree
    own = estimate_errors(bench.counts, confidence)
    ending = np.where((tree.kind == LEAF) & in_reach(tree), own, 0.0)
    as_tree = add_up(tree, ending[:, None])[nodes, 0]
    lift = _lift(bench, nodes, own[nodes], confidence)
    leaf = (own[nodes] <= as_tree + TOLERANCE) & (own[nodes] <= lift.errors + TOLERANCE)
    up = ~leaf & (lift.errors <= as_tree + TOLERANCE)
    covered = bench.covered.copy()
    covered[nodes] = True
    bench = replace(bench, covered=covered)
    if up.any():
        bench = _put_up(bench, lift, up)
    return _made_leaves(bench, lift.owner, nodes[leaf]) if leaf.any() else bench


def _lift(bench: _Bench, nodes: Count, as_leaf: Float, confidence: float) -> _Raise:
    """The errors of each node's largest branch, given all the node's rows; of a leaf they are the node's as a leaf."""
    tree = bench.tree
    branch = _largest(tree, nodes, bench.counts.sum(axis=1))
    grows = tree.kind[branch] != LEAF
    owner, inside = _territory(tree, nodes[grows], branch[grows])
    to = np.full(tree.n_nodes, NONE, np.int64)
    to[nodes] = branch
    routed = _sent(bench, owner, inside, to)
    there = counts_of(bench.data, routed, tree.n_nodes) + (0.0 if _spreads(tree) else bench.counts)
    ends = np.flatnonzero(inside & (tree.kind == LEAF))
    errors = np.bincount(owner[ends], estimate_errors(there[ends], confidence), tree.n_nodes)[nodes]
    full_owner, _ = _territory(tree, nodes, branch)
    return _Raise(nodes, branch, np.where(grows, errors, as_leaf), full_owner, inside, routed)


def _largest(tree: Tree, nodes: Count, weight: Float) -> Count:
    """The heaviest child of each node; the last of equal ones."""
    best = tree.first_child[nodes].astype(np.int64)
    for place in range(1, int(tree.n_children[nodes].max())):
        here = np.flatnonzero(tree.n_children[nodes] > place)
        child = tree.first_child[nodes[here]].astype(np.int64) + place
        heavier = weight[child] >= weight[best[here]] - 1e-6
        best[here[heavier]] = child[heavier]
    return best


def _territory(tree: Tree, nodes: Count, branch: Count) -> tuple[Count, Mask]:
    owner, inside = np.full(tree.n_nodes, -1, np.int64), np.zeros(tree.n_nodes, bool)
    owner[nodes] = nodes
    inside[branch] = True
    for level in by_level(tree)[1:]:
        up = tree.parent[level]
        known = up >= 0  # what is out of reach stands at depth 0 and never gets here
        level, up = level[known], up[known]
        owner[level] = np.where(owner[up] >= 0, owner[up], owner[level])
        inside[level] |= inside[up]
    return owner, inside


def _sent(bench: _Bench, owner: Count, inside: Mask, to: Count) -> Arrivals:
    """The rows of the nodes (in spread trees all, else those of the small branches) sent down the large branch."""
    tree, ended = bench.tree, bench.ended
    at = owner[ended.leaf]
    going = at >= 0
    if not _spreads(tree):
        going &= ~inside[ended.leaf]
    row, at, share = ended.row[going], at[going], ended.share[going]
    if _spreads(tree):  # the parts of a row are put together again
        key, place = np.unique(at * len(bench.rows) + row, return_inverse=True)
        row, at, share = key % len(bench.rows), key // len(bench.rows), tally(place, share, len(key))
    return ended_of(tree, bench.rows, _Walkers(row, to[at], share), bench.data.weight)


def _spreads(tree: Tree) -> bool:
    return bool(np.any((tree.missing_child == NONE) & (tree.kind != LEAF)))


def _put_up(bench: _Bench, lift: _Raise, up: Mask) -> _Bench:
    """The chosen nodes take over the test and the children of their largest branch."""
    tree, nodes, branch = bench.tree, lift.nodes[up], lift.branch[up]
    replaces = np.isin(lift.owner, nodes)
    new = {name: getattr(tree, name).copy() for name in TESTS}
    children = children_of(tree, nodes)
    taken = {name: array[branch] for name, array in new.items()}
    _blank(new, children)
    for name, array in new.items():
        array[nodes] = taken[name]
    tree = replace(tree, **new, **_taken_surrogates(tree, nodes, branch))
    stay = ~replaces[bench.ended.leaf] | (lift.inside[bench.ended.leaf] & (not _spreads(bench.tree)))
    come = replaces[lift.routed.leaf]
    ended = Arrivals(
        np.concatenate([bench.ended.row[stay], lift.routed.row[come]]),
        np.concatenate([bench.ended.leaf[stay], lift.routed.leaf[come]]),
        np.concatenate([bench.ended.share[stay], lift.routed.share[come]]),
    )
    counts = add_up(tree, counts_of(bench.data, ended, tree.n_nodes))
    covered, moved = bench.covered & ~replaces, bench.moved | replaces
    return replace(bench, tree=tree, ended=ended, counts=counts, covered=covered, moved=moved)


def _taken_surrogates(tree: Tree, nodes: Count, branch: Count) -> dict[str, NDArray[Any]]:
    """A test that is taken over brings its surrogates; those of the test it replaces go."""
    to = np.arange(tree.n_nodes)
    to[nodes], to[branch] = NONE, nodes
    node = to[tree.surrogate_node]
    order = np.argsort(node, kind="stable")
    order = order[node[order] != NONE]
    each = [f.name for f in fields(Tree) if f.name.startswith("surrogate_") and f.name != "surrogate_bits"]
    return {name: getattr(tree, name)[order] for name in each} | {
        "surrogate_node": node[order].astype(np.int32)
    }


def _made_leaves(bench: _Bench, owner: Count, nodes: Count) -> _Bench:
    tree = bench.tree
    new = {name: getattr(tree, name).copy() for name in TESTS}
    _blank(new, nodes)
    ends = np.isin(owner, nodes)
    leaf = np.where(ends[bench.ended.leaf], owner[bench.ended.leaf], bench.ended.leaf)
    return replace(bench, tree=replace(tree, **new), ended=replace(bench.ended, leaf=leaf))


def _blank(new: dict[str, NDArray[Any]], nodes: Count) -> None:
    """The nodes as leaves, in the arrays of tests."""
    for name, value in (("kind", LEAF), ("n_children", 0), ("threshold", np.nan)):
        new[name][nodes] = value
    for name in ("feature", "subset_start", "first_child", "missing_child"):
        new[name][nodes] = NONE


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


def counts_of(data: PruningData, ended: Arrivals, n: int) -> Float:
    """Nodes x classes: the weight that ends at each node."""
    target = data.target
    assert isinstance(target, Classes)
    place = ended.leaf * target.n_classes + target.codes[ended.row]
    part = data.weight[ended.row] * ended.share
    return tally(place, part, n * target.n_classes).reshape(n, target.n_classes)


def retold(tree: Tree, rows: Float, data: PruningData, moved: Mask) -> Tree:
    """Values, weights, rows and impurities of the nodes that are marked, told by a walk of all rows."""
    weight = data.weight
    used = np.flatnonzero(weight > 0)
    going = _Walkers(used, np.zeros(len(used), np.int64), np.ones(len(used)))
    counts, n_rows = np.zeros(tree.value.shape), np.zeros(tree.n_nodes, np.int64)
    while len(going.row):
        counts += counts_of(data, Arrivals(going.row, going.node, going.share), tree.n_nodes)
        n_rows += np.bincount(going.node, minlength=tree.n_nodes)
        going = _stepped(tree, rows, going.only(tree.kind[going.node] != LEAF), weight)
    total = counts.sum(axis=1)
    value = counts / np.where(total > 0, total, 1.0)[:, None]
    for level in by_level(tree)[1:]:  # an empty node says what its parent says
        empty = level[(total[level] <= 0) & (tree.parent[level] >= 0)]
        value[empty] = value[tree.parent[empty]]
    new, impurity = moved, guess_impurity(tree)(value)
    return replace(
        tree,
        value=np.where(new[:, None], value, tree.value),
        weight=np.where(new, total, tree.weight),
        n_rows=np.where(new, n_rows, tree.n_rows),
        impurity=np.where(new, impurity, tree.impurity),
    )
