"""The fast layouts of a Tree, as the native walks read them.   In: a Tree.   Out: bytes, 40, 16 or 8 a node.

The layouts are WideNode and NarrowNode in native/walk/walk.hpp, and for trees with more than two branches, shares or
surrogates MultiwayNode in native/walk/multiway.hpp. Narrow nodes are for float32 rows and trees without
categories: thresholds rounded down to float32 ask float32 numbers the same question.
"""

from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, Tree
from hedgerow.types import Byte, Count, Float, Mask, Word

WIDE = np.dtype([("threshold", np.float64), ("child", np.int32), ("feature", np.uint32)])
NARROW = np.dtype([("threshold", np.float32), ("word", np.uint32)])
FORK = np.dtype(
    [("threshold", np.float64), ("words", np.int64)]
    + [(name, np.int32) for name in ("feature", "child", "n_children", "missing", "kind", "levels")]
)
STAND_IN = np.dtype(
    [("threshold", np.float64), ("words", np.int64)]
    + [(name, np.int32) for name in ("feature", "levels", "first_below", "unused")]
)
MISSING_FIRST, SUBSET_NODE = np.uint32(1 << 31), np.uint32(1 << 30)


@dataclass(frozen=True, eq=False)
class Packed:
    nodes: Byte  # nodes x bytes
    feature_bits: int  # of a narrow node's word; 0: wide nodes


class Forked(NamedTuple):
    """Any tree, in the order in which the native module takes it."""

    nodes: Byte  # nodes x bytes
    words: Word  # of subsets
    stand: Byte  # surrogates x bytes
    stand_begin: Count  # by node: its first surrogate; one more at the end
    stand_words: Word
    part: Float  # by node: its part of its siblings' weight


_forked: "WeakKeyDictionary[Tree, Forked]" = WeakKeyDictionary()
_wide: "WeakKeyDictionary[Tree, Packed]" = WeakKeyDictionary()
_narrow: "WeakKeyDictionary[Tree, Packed | None]" = WeakKeyDictionary()
_packable: "WeakKeyDictionary[Tree, bool]" = WeakKeyDictionary()


def packable(tree: Tree) -> bool:
    """Two children a node, and one way for missing cells: all trees but multiway and fractional ones, and those
    with surrogates or stops."""
    if tree not in _packable:
        two = bool(np.all(tree.n_children[tree.kind != LEAF] == 2))
        multiway = bool(np.any(tree.kind == MULTIWAY))
        _packable[tree] = two and not multiway and not spreads(tree) and not len(tree.surrogate_node)
    return _packable[tree]


def spreads(tree: Tree) -> bool:
    """Whether some node sends missing cells down all its branches."""
    return bool(np.any(tree.missing_child[tree.kind != LEAF] == NONE))


def pack(tree: Tree) -> Packed:
    """Packed once a Tree: Trees never change."""
    if tree not in _wide:
        _wide[tree] = _pack_wide(tree)
    return _wide[tree]


def pack_narrow(tree: Tree) -> Packed | None:
    """The same for float32 rows; None if the tree does not fit."""
    if tree not in _narrow:
        _narrow[tree] = _pack_narrow(tree)
    return _narrow[tree]


def pack_forked(tree: Tree) -> Forked:
    if tree not in _forked:
        _forked[tree] = _pack_forked(tree)
    return _forked[tree]


def _pack_forked(tree: Tree) -> Forked:
    nodes = np.zeros(tree.n_nodes, FORK)
    nodes["threshold"], nodes["words"], nodes["child"] = tree.threshold, tree.subset_start, tree.first_child
    nodes["feature"], nodes["n_children"], nodes["kind"] = tree.feature, tree.n_children, tree.kind
    nodes["missing"] = tree.missing_child
    nodes["levels"] = np.where(tree.kind == LEAF, 0, tree.n_levels[tree.feature])
    stand = np.zeros(len(tree.surrogate_node), STAND_IN)
    stand["threshold"], stand["words"] = tree.surrogate_threshold, tree.surrogate_start
    stand["feature"], stand["first_below"] = tree.surrogate_feature, tree.surrogate_first_below
    stand["levels"] = tree.n_levels[tree.surrogate_feature]
    begin = np.searchsorted(tree.surrogate_node, np.arange(tree.n_nodes + 1)).astype(np.int64)
    return Forked(
        nodes.view(np.uint8).reshape(-1, FORK.itemsize),
        tree.subset_bits,
        stand.view(np.uint8).reshape(-1, STAND_IN.itemsize),
        begin,
        tree.surrogate_bits,
        parts_of_siblings(tree),
    )


def parts_of_siblings(tree: Tree) -> Float:
    """By node: its part of its siblings' weight; equal parts where they weigh nothing; 1 at the root."""
    parts = np.ones(tree.n_nodes)
    up = tree.parent[1:]
    total = np.bincount(up, tree.weight[1:], tree.n_nodes)[up]
    empty = total <= 0
    parts[1:] = np.where(empty, 1.0, tree.weight[1:]) / np.where(empty, tree.n_children[up], total)
    return parts


def _missing_first(tree: Tree) -> Mask:
    """Leaves too: whatever comes, a leaf leads to itself."""
    return np.asarray((tree.kind == LEAF) | (tree.missing_child == tree.first_child))


def _pack_wide(tree: Tree) -> Packed:
    nodes = np.zeros(tree.n_nodes, WIDE)
    leaf, subset = tree.kind == LEAF, tree.kind == SUBSET
    nodes["threshold"] = np.where(leaf, np.inf, np.where(subset, tree.subset_start, tree.threshold))
    nodes["child"] = np.where(leaf, np.arange(tree.n_nodes), tree.first_child)
    feature = np.where(leaf, 0, tree.feature).astype(np.uint32)
    feature |= np.where(_missing_first(tree), MISSING_FIRST, np.uint32(0))
    nodes["feature"] = feature | np.where(subset, SUBSET_NODE, np.uint32(0))
    return Packed(nodes.view(np.uint8).reshape(-1, WIDE.itemsize), 0)


def _pack_narrow(tree: Tree) -> Packed | None:
    feature_bits = max(1, int(tree.n_features - 1).bit_length())
    if int(tree.n_nodes).bit_length() + 1 + feature_bits > 32 or np.any(tree.kind == SUBSET):
        return None
    nodes = np.zeros(tree.n_nodes, NARROW)
    leaf = tree.kind == LEAF
    exact = np.where(leaf, np.inf, tree.threshold)
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
    nodes["threshold"] = np.where(rounded > exact, np.nextafter(rounded, np.float32(-np.inf)), rounded)
    child = np.where(leaf, np.arange(tree.n_nodes), tree.first_child).astype(np.uint32)
    nodes["word"] = (
        child << np.uint32(feature_bits + 1)
        | _missing_first(tree).astype(np.uint32) << np.uint32(feature_bits)
        | np.where(leaf, 0, tree.feature).astype(np.uint32)
    )
    return Packed(nodes.view(np.uint8).reshape(-1, NARROW.itemsize), feature_bits)
