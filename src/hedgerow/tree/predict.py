"""Prediction.   In: a Tree and rows (see encode.read_rows).   Out: the leaf, or the value, of each row.

Trees of two-way nodes take a walk of eight rows at once; those with more branches, shares or surrogates a walk of one
row at a time. decide.py does the same in NumPy. Sparse rows walk as through a forest of one tree.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.tree import decide
from hedgerow.tree.pack import Packed, pack, pack_forked, pack_narrow, packable
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, FloatAny, Index


def leaves(tree: Tree, rows: FloatAny | SparseRows, threads: int = 1) -> Index:
    if isinstance(rows, SparseRows):
        return _leaves_of_sparse(tree, rows, threads)
    if not packable(tree):
        leaf = native.multiway_leaves(*pack_forked(tree), rows, threads)
        return leaf if leaf.min(initial=0) >= 0 else decide.leaf_of(tree, rows)  # which says what is wrong
    packed = _packed_for(tree, rows)
    return native.leaves(packed.nodes, packed.feature_bits, tree.subset_bits, rows, threads)


def values(tree: Tree, rows: FloatAny | SparseRows, threads: int = 1) -> Float:
    """Rows x outputs."""
    if isinstance(rows, SparseRows):
        if packable(tree):
            return tree.value[_leaves_of_sparse(tree, rows, threads)]
        return np.concatenate([values(tree, block, threads) for block in rows.blocks()])
    if not packable(tree):
        return native.multiway_values(*pack_forked(tree), rows, tree.value, threads)
    packed = _packed_for(tree, rows)
    return native.values(packed.nodes, packed.feature_bits, tree.subset_bits, rows, tree.value, threads)


def _leaves_of_sparse(tree: Tree, rows: SparseRows, threads: int) -> Index:
    if not packable(tree):
        return np.concatenate([leaves(tree, block, threads) for block in rows.blocks()])
    arrays = (
        tree.feature,
        tree.kind,
        tree.threshold,
        tree.first_child,
        tree.missing_child,
        tree.subset_start,
        tree.subset_bits,
        tree.value,
    )
    narrow = rows.dtype == np.float32
    nodes, feature_bits, start, words, _ = native.pack_forest([arrays], tree.n_features, bool(narrow))
    return native.forest_leaves_sparse(nodes, feature_bits, start, words, rows.arrays, threads)[:, 0]


def _packed_for(tree: Tree, rows: FloatAny) -> Packed:
    return (pack_narrow(tree) if rows.dtype == np.float32 else None) or pack(tree)
