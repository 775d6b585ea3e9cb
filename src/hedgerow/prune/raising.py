"""Subtree raising.   In: a Tree, the rows it was grown on, a confidence level.   Out: the pruned Tree.

The judging is native/prune/raising.hpp's. It says for each node whose test it has now:

    nodes keep their numbers until the end      t: [c's test]   c, its siblings and what hangs below them: out of reach

Here the Tree is made of that: tests and surrogates taken over, numbers updated where rows have moved, nodes that
nobody reaches left out.
"""

from collections.abc import Callable
from dataclasses import replace
from math import log
from statistics import NormalDist

import numpy as np

from hedgerow.core import native
from hedgerow.grow.target import Classes
from hedgerow.prune.data import PruningData
from hedgerow.tree.cut import renumber, take_subsets
from hedgerow.tree.pack import pack_forked
from hedgerow.tree.surrogates import keep_surrogates
from hedgerow.tree.tree import LEAF, NONE, Tree, ramp, take_nodes, take_surrogates
from hedgerow.tree.walk import by_level
from hedgerow.types import Count, Float, Index, Mask

TESTS = ("feature", "kind", "threshold", "subset_start", "first_child", "n_children", "missing_child")
AS_LEAF = {"kind": LEAF, "n_children": 0, "threshold": np.nan}  # NONE elsewhere


def raise_subtrees(tree: Tree, data: PruningData, confidence: float, tolerance: float) -> Tree:
    target = data.target
    assert isinstance(target, Classes)
    test, moved, counts, n_rows = native.raised(
        *pack_forked(tree),
        data.rows,
        target.codes,
        target.weight,
        target.n_classes,
        log(confidence),
        NormalDist().inv_cdf(1.0 - confidence),
        tolerance,
        data.threads,
    )
    new = _move_tests(tree, test)
    return drop_unreachable(_update_counts(new, moved.astype(bool), counts, n_rows) if moved.any() else new)


def _move_tests(tree: Tree, test: Index) -> Tree:
    """Each node with the test, the children and the surrogates of the node named; -1 makes a leaf."""
    leaf = test == NONE
    tests = {name: np.where(leaf, AS_LEAF.get(name, NONE), getattr(tree, name)[test]) for name in TESTS}
    begin = np.searchsorted(tree.surrogate_node, np.arange(tree.n_nodes + 1))
    many = np.where(leaf, 0, begin[test + 1] - begin[test])
    taken = np.repeat(begin[test], many) + ramp(many)
    surrogates = take_surrogates(tree, taken)
    surrogates["surrogate_node"] = np.repeat(np.arange(tree.n_nodes), many)
    return replace(tree, **tests, **surrogates)


def _update_counts(tree: Tree, moved: Mask, counts: Float, n_rows: Count) -> Tree:
    """Values, weights, rows and impurities of the nodes whose rows have moved."""
    total = counts.sum(axis=1)
    value = counts / np.where(total > 0, total, 1.0)[:, None]
    for level in by_level(tree)[1:]:  # an empty node says what its parent says
        empty = level[(total[level] <= 0) & (tree.parent[level] >= 0)]
        value[empty] = value[tree.parent[empty]]
    return replace(
        tree,
        value=np.where(moved[:, None], value, tree.value),
        weight=np.where(moved, total, tree.weight),
        n_rows=np.where(moved, n_rows, tree.n_rows),
        impurity=np.where(moved, guess_impurity(tree)(value), tree.impurity),
    )


def in_reach(tree: Tree) -> Mask:
    reach = tree.depth > 0  # what is out of reach has no depth
    reach[0] = True
    return reach


def drop_unreachable(tree: Tree) -> Tree:
    """The nodes in reach, renumbered in their order."""
    kept = np.flatnonzero(in_reach(tree))
    number = np.full(tree.n_nodes, NONE, np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    leaf = tree.kind[kept] == LEAF
    start, bits = take_subsets(tree, kept, tree.kind[kept])
    new = {
        **take_nodes(tree, kept),
        **keep_surrogates(tree, in_reach(tree) & (tree.kind != LEAF), number),
        "subset_start": start,
        "first_child": renumber(tree.first_child[kept], leaf, number),
        "missing_child": renumber(tree.missing_child[kept], leaf, number),
        "subset_bits": bits,
    }
    return replace(tree, **new)


def guess_impurity(tree: Tree) -> Callable[[Float], Float]:
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
