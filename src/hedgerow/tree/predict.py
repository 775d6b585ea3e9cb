"""Prediction.   In: a Tree and a matrix of numbers (see encode.matrix).   Out: the leaf, or the value, of each row.

Trees of two-way nodes take a walk of eight rows at once; those with more branches, shares or surrogates a walk of one
row at a time. decide.py does the same in NumPy.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.tree import decide
from hedgerow.tree.pack import Packed, pack, pack_forked, pack_narrow, packable
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, FloatAny, Index


def leaves(tree: Tree, rows: FloatAny, threads: int = 1) -> Index:
    if not packable(tree):
        leaf = native.multiway_leaves(*pack_forked(tree), rows, threads)
        return leaf if leaf.min(initial=0) >= 0 else decide.leaf_of(tree, rows)  # which says what is wrong
    packed = _packed_for(tree, rows)
    return native.leaves(packed.nodes, packed.feature_bits, tree.subset_bits, rows, threads)


def values(tree: Tree, rows: FloatAny, threads: int = 1) -> Float:
    """Rows x outputs."""
    if not packable(tree):
        return native.multiway_values(*pack_forked(tree), rows, tree.value, threads)
    packed = _packed_for(tree, rows)
    return native.values(packed.nodes, packed.feature_bits, tree.subset_bits, rows, tree.value, threads)


def _packed_for(tree: Tree, rows: FloatAny) -> Packed:
    return (pack_narrow(tree) if rows.dtype == np.float32 else None) or pack(tree)
