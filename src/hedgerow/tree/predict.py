"""Prediction.   In: a Tree and a matrix of numbers (see encode.matrix).   Out: the leaf, or the value, of each row.

Trees of two-way nodes take the native walk; multiway and fractional ones the NumPy walk of decide.py.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.tree import decide
from hedgerow.tree.pack import Packed, pack, pack_narrow, packable
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, FloatAny, Index


def leaves(tree: Tree, rows: FloatAny, threads: int = 1) -> Index:
    if not packable(tree):
        return decide.leaf_of(tree, np.asarray(rows, np.float64))
    packed = _packed_for(tree, rows)
    return native.leaves(packed.nodes, packed.feature_bits, tree.subset_bits, rows, threads)


def values(tree: Tree, rows: FloatAny, threads: int = 1) -> Float:
    """Rows x outputs."""
    if not packable(tree):
        return decide.value_of(tree, np.asarray(rows, np.float64))
    packed = _packed_for(tree, rows)
    return native.values(packed.nodes, packed.feature_bits, tree.subset_bits, rows, tree.value, threads)


def _packed_for(tree: Tree, rows: FloatAny) -> Packed:
    return (pack_narrow(tree) if rows.dtype == np.float32 else None) or pack(tree)
