"""Prediction by a Forest.   In: a Forest and a matrix of numbers (see encode.matrix).   Out: for each row the mean of
the trees' values, their votes, each tree's leaf or value.

Forests of two-way trees take the native walk; with multiway or fractional trees each predicts by itself.
"""

import numpy as np

from hedgerow.core import native
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.pack import packed_for
from hedgerow.tree import predict
from hedgerow.types import Float, FloatAny, Index


def values(forest: Forest, rows: FloatAny, threads: int = 1) -> Float:
    """Rows x outputs: the mean over the trees, summed in their order."""
    packed = packed_for(forest, rows)
    if packed is not None:
        return native.forest_values(
            packed.nodes, packed.feature_bits, packed.start, packed.words, packed.table, rows, threads
        )
    total = np.zeros((len(rows), forest.n_outputs))
    for tree in forest.trees:
        total += predict.values(tree, rows, threads)
    return total / len(forest.trees)


def votes(forest: Forest, rows: FloatAny, threads: int = 1) -> Float:
    """Rows x classes: the share of trees whose leaf has most of the class; a tie goes to the first class."""
    packed = packed_for(forest, rows)
    if packed is not None:
        return native.forest_values(
            packed.nodes, packed.feature_bits, packed.start, packed.words, packed.vote_table, rows, threads
        )
    total = np.zeros((len(rows), forest.n_outputs))
    for t in range(len(forest.trees)):
        total[np.arange(len(rows)), tree_values(forest, t, rows, threads).argmax(axis=1)] += 1
    return total / len(forest.trees)


def leaves(forest: Forest, rows: FloatAny, threads: int = 1) -> Index:
    """Rows x trees: the leaf of each row in each tree."""
    packed = packed_for(forest, rows)
    if packed is not None:
        return native.forest_leaves(
            packed.nodes, packed.feature_bits, packed.start, packed.words, rows, threads
        )
    out = np.empty((len(rows), len(forest.trees)), np.int32)
    for t, tree in enumerate(forest.trees):
        out[:, t] = predict.leaves(tree, rows, threads)
    return out


def tree_values(forest: Forest, tree: int, rows: FloatAny, threads: int = 1) -> Float:
    """Rows x outputs: what one tree says."""
    return predict.values(forest.trees[tree], rows, threads)
