"""Do the tests at the inner nodes make sense?   In: a Tree of sound shape.   Out: nothing, or a TreeError.

Of each kind of node is wanted:

    threshold   a column of numbers; a finite threshold, or +inf: known values against missing ones
    subset      a column of levels; one bit per level and one for levels never seen; no bit after these
    multiway    a column of levels; one child per level

A threshold or a subset has two children; or three, the last of them a leaf for missing cells with the node's value.
"""

import numpy as np

from hedgerow.tree.errors import TreeError, refuse
from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Count, Index

WORD = 64


def words_needed(n_levels: Index | Count) -> Count:
    """Words that hold a bit per level and one more for levels never seen."""
    return (n_levels.astype(np.int64) + 1 + WORD - 1) // WORD


def check_tests(tree: Tree) -> None:
    _check_two_ways(tree)
    _check_thresholds(tree)
    _check_multiway(tree)
    _check_subsets(tree)


def _check_two_ways(tree: Tree) -> None:
    here = (tree.kind == THRESHOLD) | (tree.kind == SUBSET)
    stops = here & (tree.n_children == 3)
    refuse(
        tree,
        "n_children",
        here & ~stops & (tree.n_children != 2),
        "2 at a two-way node, or 3 where rows stop",
    )
    astray = stops & (tree.missing_child != tree.first_child + 2)
    refuse(tree, "missing_child", astray, "the third child where rows stop")
    nodes = np.flatnonzero(stops)
    grows = tree.kind[tree.first_child[nodes] + 2] != LEAF
    refuse(tree, "kind", grows, "a leaf as third child", nodes)


def _check_thresholds(tree: Tree) -> None:
    here = tree.kind == THRESHOLD
    levels = _levels(tree)
    usable = np.isfinite(tree.threshold) | np.isposinf(tree.threshold)
    refuse(tree, "feature", here & (levels > 0), "a column of numbers at a threshold node")
    refuse(tree, "threshold", here & ~usable, "a finite number, or +inf for known against missing")
    refuse(tree, "threshold", ~here & ~np.isnan(tree.threshold), "NaN where nothing is compared with it")


def _check_multiway(tree: Tree) -> None:
    here = tree.kind == MULTIWAY
    levels = _levels(tree)
    refuse(tree, "feature", here & (levels == 0), "a column with levels at a multiway node")
    refuse(tree, "n_children", here & (tree.n_children != levels), "one child per level at a multiway node")


def _check_subsets(tree: Tree) -> None:
    here = tree.kind == SUBSET
    levels = _levels(tree)
    refuse(tree, "subset_start", ~here & (tree.subset_start != NONE), "-1 where there is no subset")
    refuse(tree, "feature", here & (levels == 0), "a column with levels at a subset node")
    nodes = np.flatnonzero(here)
    start, many, total = tree.subset_start[nodes], words_needed(levels[nodes]), len(tree.subset_bits)
    outside = (start < 0) | (start > total - many)  # never start + many: a start near 2**63 would wrap
    refuse(tree, "subset_start", outside, f"its words inside the {total} of subset_bits", nodes)
    _check_words(tree, nodes, start, many)


def _check_words(tree: Tree, nodes: Count, start: Count, many: Count) -> None:
    """No word serves two nodes; no bit stands after the one for levels never seen."""
    order = np.argsort(start, kind="stable")
    shared = (start + many)[order][:-1] > start[order][1:]
    refuse(tree, "subset_start", shared, "words of its own, not another node's", nodes[order])
    used = (tree.n_levels[tree.feature[nodes]] % WORD).astype(np.uint64)  # place of the last bit in its word
    last = tree.subset_bits[start + many - 1]
    extra = (last >> used) > 1
    if extra.any():
        node = int(nodes[np.argmax(extra)])
        raise TreeError(
            f"node {node}: subset_bits has a bit beyond level {int(_levels(tree)[node])} (the unseen ones); "
            "wanted zeros there"
        )


def _levels(tree: Tree) -> Count:
    """Levels of the column each node tests; 0 at a leaf."""
    if tree.n_features == 0:
        return np.zeros(tree.n_nodes, np.int64)
    return np.where(tree.feature >= 0, tree.n_levels[tree.feature], 0).astype(np.int64)
