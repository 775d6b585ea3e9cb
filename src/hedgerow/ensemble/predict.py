"""Prediction by a Forest.   In: a Forest and rows (see encode.read_rows).   Out: for each row the mean of the trees'
values, their votes, each tree's leaf or value.

Forests of two-way trees take the native walk; with multiway or fractional trees each predicts by itself.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.pack import PackedForest, packed_for
from hedgerow.tree import predict
from hedgerow.types import Float, FloatAny, Index


def values(forest: Forest, rows: FloatAny | SparseRows, threads: int = 1) -> Float:
    """Rows x outputs: the mean over the trees, summed in their order."""
    packed = packed_for(forest, rows)
    if packed is not None:
        return _means(packed, packed.table, rows, threads)
    total = np.zeros((len(rows), forest.n_outputs))
    for tree in forest.trees:
        total += predict.values(tree, rows, threads)
    return total / len(forest.trees)


def votes(forest: Forest, rows: FloatAny | SparseRows, threads: int = 1) -> Float:
    """Rows x classes: the share of trees whose leaf has most of the class; a tie goes to the first class."""
    packed = packed_for(forest, rows)
    if packed is not None:
        return _means(packed, packed.vote_table, rows, threads)
    total = np.zeros((len(rows), forest.n_outputs))
    for t in range(len(forest.trees)):
        total[np.arange(len(rows)), tree_values(forest, t, rows, threads).argmax(axis=1)] += 1
    return total / len(forest.trees)


def leaves(forest: Forest, rows: FloatAny | SparseRows, threads: int = 1) -> Index:
    """Rows x trees: the leaf of each row in each tree."""
    packed = packed_for(forest, rows)
    if packed is not None and isinstance(rows, SparseRows):
        return native.forest_leaves_sparse(
            packed.nodes, packed.feature_bits, packed.start, packed.words, rows.arrays, threads
        )
    if packed is not None and not isinstance(rows, SparseRows):
        return native.forest_leaves(
            packed.nodes, packed.feature_bits, packed.start, packed.words, rows, threads
        )
    out = np.empty((len(rows), len(forest.trees)), np.int32)
    for t, tree in enumerate(forest.trees):
        out[:, t] = predict.leaves(tree, rows, threads)
    return out


def tree_values(forest: Forest, tree: int, rows: FloatAny | SparseRows, threads: int = 1) -> Float:
    """Rows x outputs: what one tree says."""
    return predict.values(forest.trees[tree], rows, threads)


def _means(packed: PackedForest, table: Float, rows: FloatAny | SparseRows, threads: int) -> Float:
    """Of the table's rows for the leaves that each row ends in."""
    forest = (packed.nodes, packed.feature_bits, packed.start, packed.words, table)
    if isinstance(rows, SparseRows):
        return native.forest_values_sparse(*forest, rows.arrays, threads)
    return native.forest_values(*forest, rows, threads)
