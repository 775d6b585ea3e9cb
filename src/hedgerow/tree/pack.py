"""The fast layout of a Tree: 16 bytes a node, as the native walk reads it.   In: a Tree.   Out: bytes.

The layout is PackedNode in native/walk.hpp: threshold (or the place of the subset's first word), first child (a leaf:
the bitwise complement of its own number), feature with two flags.
"""

from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.tree.tree import LEAF, MULTIWAY, NONE, SUBSET, Tree
from hedgerow.types import Byte

NODE = np.dtype([("threshold", np.float64), ("child", np.int32), ("feature", np.uint32)])
MISSING_FIRST, SUBSET_NODE = np.uint32(1 << 31), np.uint32(1 << 30)

_packed: "WeakKeyDictionary[Tree, Byte]" = WeakKeyDictionary()


def packable(tree: Tree) -> bool:
    """Two children a node, and one way for missing cells: all trees but multiway and fractional ones."""
    inner = tree.kind != LEAF
    return not np.any(tree.kind == MULTIWAY) and not np.any(tree.missing_child[inner] == NONE)


def pack(tree: Tree) -> Byte:
    """Packed once a Tree: Trees never change."""
    if tree not in _packed:
        _packed[tree] = _pack(tree)
    return _packed[tree]


def _pack(tree: Tree) -> Byte:
    nodes = np.zeros(tree.n_nodes, NODE)
    leaf, subset = tree.kind == LEAF, tree.kind == SUBSET
    nodes["threshold"] = np.where(subset, tree.subset_start, tree.threshold)
    nodes["child"] = np.where(leaf, ~np.arange(tree.n_nodes, dtype=np.int32), tree.first_child)
    feature = np.where(leaf, 0, tree.feature).astype(np.uint32)
    feature |= np.where(~leaf & (tree.missing_child == tree.first_child), MISSING_FIRST, np.uint32(0))
    nodes["feature"] = feature | np.where(subset, SUBSET_NODE, np.uint32(0))
    return nodes.view(np.uint8).reshape(-1, NODE.itemsize)
