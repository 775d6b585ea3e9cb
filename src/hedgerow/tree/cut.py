"""Cutting a Tree.   In: a Tree, a mask of nodes.   Out: a new Tree in which the marked nodes are leaves.

            0                          0
          /   \\       cut at 2       /   \\
         1    [2]        ->          1     2        what hung below is gone; values stay, since
              / \\                                   every node has one
             3   4

Order is kept, so parents stay before children and siblings adjacent. A mark at a leaf, or below another mark,
changes nothing.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from hedgerow.tree.check_tests import words_needed
from hedgerow.tree.surrogates import keep_surrogates
from hedgerow.tree.tree import LEAF, NONE, SUBSET, Tree, ramp, take_nodes
from hedgerow.tree.walk import below
from hedgerow.types import Byte, Count, Index, Mask, Word


def cut(tree: Tree, mask: ArrayLike) -> Tree:
    """The tree with every node marked in `mask` made a leaf."""
    marked = _check_mask(tree, mask)
    kept = np.flatnonzero(~below(tree, marked))
    new_number = np.full(tree.n_nodes, NONE, np.int32)
    new_number[kept] = np.arange(len(kept), dtype=np.int32)
    leaf = marked[kept] | (tree.kind[kept] == LEAF)
    kind = np.where(leaf, LEAF, tree.kind[kept]).astype(np.uint8)
    start, bits = take_subsets(tree, kept, kind)
    new = {
        **take_nodes(tree, kept),
        **keep_surrogates(tree, _still_inner(tree, kept, leaf), new_number),
        "feature": np.where(leaf, NONE, tree.feature[kept]),
        "kind": kind,
        "threshold": np.where(leaf, np.nan, tree.threshold[kept]),
        "subset_start": start,
        "first_child": renumber(tree.first_child[kept], leaf, new_number),
        "n_children": np.where(leaf, 0, tree.n_children[kept]),
        "missing_child": renumber(tree.missing_child[kept], leaf, new_number),
        "subset_bits": bits,
    }
    return replace(tree, **new)


def _still_inner(tree: Tree, kept: Count, leaf: Mask) -> Mask:
    inner = np.zeros(tree.n_nodes, bool)
    inner[kept[~leaf]] = True
    return inner


def _check_mask(tree: Tree, mask: ArrayLike) -> Mask:
    marked = np.asarray(mask)
    if marked.dtype != bool or marked.shape != (tree.n_nodes,):
        raise ValueError(
            f"mask is {marked.dtype} of shape {marked.shape}; wanted bool of shape ({tree.n_nodes},), True "
            "at each node that is to become a leaf. From node numbers: mask = np.zeros(tree.n_nodes, bool); "
            "mask[nodes] = True"
        )
    return marked


def renumber(to: Index, leaf: Mask, new_number: Index) -> Index:
    """Old node numbers -> new ones; -1 at a leaf, and where it was -1 already."""
    none = leaf | (to == NONE)
    return np.where(none, np.int32(NONE), new_number[np.where(none, 0, to)])


def take_subsets(tree: Tree, kept: Count, kind: Byte) -> tuple[Count, Word]:
    """Where each kept subset starts, and the words of the kept subsets only, one after the other."""
    here = np.flatnonzero(kind == SUBSET)
    old = kept[here]
    many = words_needed(tree.n_levels[tree.feature[old]]) if len(old) else np.zeros(0, np.int64)
    start = np.full(len(kept), NONE, np.int64)
    start[here] = np.cumsum(many) - many
    return start, tree.subset_bits[np.repeat(tree.subset_start[old], many) + ramp(many)]
