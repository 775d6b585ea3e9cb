"""Is this Tree whole?   In: a Tree made of any arrays.   Out: nothing, or a TreeError naming node and field.

Guards what others may have written (model files), so nothing here trusts the arrays: no loop over nodes, no
index before its range is known, no sum that may wrap. The tests run from the outside in; each may rely on
those before it:

    shapes -> columns -> kinds -> children -> missing cells -> tests -> numbers

Reachability costs nothing: when the ranges of children tile 1, 2, ... n-1 without gap or overlap and every
child comes after its parent, each node has one parent and the way up from any node ends at the root.
"""

import numpy as np

from hedgerow.tree.check_numbers import check_numbers, check_sums
from hedgerow.tree.check_surrogates import check_surrogates
from hedgerow.tree.check_tests import check_tests
from hedgerow.tree.errors import TreeError, refuse
from hedgerow.tree.tree import ARRAYS, LEAF, MULTIWAY, NONE, PER_NODE, Tree
from hedgerow.types import Count

__all__ = ["TreeError", "check", "check_structure"]


def check(tree: Tree) -> None:
    """Raise TreeError unless every promise of the Tree holds."""
    check_structure(tree)
    with np.errstate(all="ignore"):
        check_numbers(tree)
        check_sums(tree)
        check_surrogates(tree)


def check_structure(tree: Tree) -> None:
    """The same of the nodes and their tests, not of the numbers they carry."""
    with np.errstate(all="ignore"):
        _check_shapes(tree)
        _check_columns(tree)
        _check_kinds(tree)
        _check_children(tree)
        _check_missing(tree)
        check_tests(tree)


def _check_shapes(tree: Tree) -> None:
    for name, spec in ARRAYS.items():
        array, dtype = getattr(tree, name), np.dtype(spec.dtype)
        if not isinstance(array, np.ndarray) or array.dtype != dtype or array.ndim != spec.rank:
            raise TreeError(
                f"{name} is {_kind_of(array)}; wanted an array of {dtype} with {spec.rank} dimension(s)"
            )
    lengths = {name: len(getattr(tree, name)) for name in PER_NODE}
    if len(set(lengths.values())) > 1:
        lengths_text = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise TreeError(
            f"arrays of nodes differ in length ({lengths_text}); wanted one entry per node in each"
        )
    if tree.n_nodes == 0:
        raise TreeError("the tree has no node; wanted at least a root (a single leaf is a tree)")
    if tree.n_nodes > np.iinfo(np.int32).max:
        raise TreeError(f"the tree has {tree.n_nodes} nodes; wanted at most 2**31 - 1 (nodes are int32)")
    if tree.value.shape[1] == 0:
        raise TreeError("value has no column; wanted one per output (a regression has one)")


def _kind_of(array: object) -> str:
    if isinstance(array, np.ndarray):
        return f"an array of {array.dtype} with {array.ndim} dimension(s)"
    return f"a {type(array).__name__}"


def _check_columns(tree: Tree) -> None:
    bad = np.flatnonzero(tree.n_levels < 0)
    if len(bad):
        column = int(bad[0])
        raise TreeError(
            f"column {column}: n_levels is {tree.n_levels[column]}; wanted 0 (a number) or a count of levels"
        )


def _check_kinds(tree: Tree) -> None:
    leaf = tree.kind == LEAF
    columns = tree.n_features
    refuse(tree, "kind", tree.kind > MULTIWAY, "0 leaf, 1 threshold, 2 subset or 3 multiway")
    refuse(tree, "feature", leaf & (tree.feature != NONE), "-1 at a leaf")
    refuse(tree, "n_children", leaf & (tree.n_children != 0), "0 at a leaf")
    refuse(tree, "first_child", leaf & (tree.first_child != NONE), "-1 at a leaf")
    outside = (tree.feature < 0) | (tree.feature >= columns)
    refuse(tree, "feature", ~leaf & outside, f"a column from 0 to {columns - 1} at an inner node")
    refuse(tree, "n_children", ~leaf & (tree.n_children < 1), "at least 1 at an inner node")


def _check_children(tree: Tree) -> None:
    """Children after parents, siblings adjacent, one parent each: the ranges tile all nodes but the root."""
    n, inner = tree.n_nodes, tree.kind != LEAF
    first, end = _child_ranges(tree)
    after = inner & (first <= np.arange(n))
    refuse(tree, "first_child", after, "a node after its parent")
    refuse(tree, "n_children", inner & (end > n), f"children that end before node {n}")
    parents = np.flatnonzero(inner)
    parents = parents[np.argsort(first[parents], kind="stable")]
    starts = np.concatenate([[1], end[parents]])  # where each range of children has to begin
    wrong = np.flatnonzero(first[parents] != starts[:-1])
    if len(wrong):
        node, wanted = int(parents[wrong[0]]), int(starts[wrong[0]])
        found = int(first[node])
        why = "has two parents" if found < wanted else "has no parent"
        raise TreeError(
            f"node {node}: first_child is {found}; wanted {wanted}: node {min(found, wanted)} {why}, "
            "and every node but the root has exactly one"
        )
    if int(starts[-1]) != n:
        raise TreeError(f"node {int(starts[-1])} has no parent; every node but the root has exactly one")


def _check_missing(tree: Tree) -> None:
    leaf, missing = tree.kind == LEAF, tree.missing_child
    first, end = _child_ranges(tree)
    refuse(tree, "missing_child", leaf & (missing != NONE), "-1 at a leaf")
    stranger = (missing != NONE) & ((missing < first) | (missing >= end))
    refuse(tree, "missing_child", ~leaf & stranger, "-1 (to all, by share) or one of the node's own children")


def _child_ranges(tree: Tree) -> tuple[Count, Count]:
    first = tree.first_child.astype(np.int64)
    return first, first + tree.n_children
