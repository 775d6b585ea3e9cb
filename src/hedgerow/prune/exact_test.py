"""Exact tests of splits.   In: a Tree.   Out: for each node, how likely branches so different are by chance, and how
many splits competed for it.

The number of rows of a class in a branch, given the sums of both, is hypergeometric if branches and classes have
nothing to do with each other (Fisher). Of all branches and classes of a split the most surprising number counts, times
how many numbers there are (Bonferroni): never too small a probability, however few the rows.

              class no   yes
    branch a      9       1       P(9 or more of 12 in a branch of 10 of 20) = 0.0099
           b      3       7       times two: in a table of two by two, two of the four say the same
"""

import numpy as np

from hedgerow.prune.evidence import class_weights
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Float

MOST_BITS = 1000  # of a number of subsets: more is as good as infinite


def exact_chance(tree: Tree) -> Float:
    """1 at leaves and where nothing can differ. Weights that are no counts are rounded to them."""
    from scipy.stats import hypergeom

    chance = np.ones(tree.n_nodes)
    if tree.n_nodes == 1:
        return chance
    counts, parent = np.rint(class_weights(tree)[1:]), tree.parent[1:]
    total = np.column_stack([np.bincount(parent, column, tree.n_nodes) for column in counts.T])
    branch, whole = counts.sum(axis=1), total.sum(axis=1)
    row, label = np.nonzero((counts > 0) & (branch > 0)[:, None])
    at = parent[row]
    tail = hypergeom.sf(counts[row, label] - 1, whole[at], total[at, label], branch[row])
    np.minimum.at(chance, at, tail)
    branches = np.bincount(parent, branch > 0, tree.n_nodes)
    classes = np.count_nonzero(total > 0, axis=1)
    tests = np.where((branches == 2) & (classes == 2), 2.0, branches * classes)
    differs = (branches > 1) & (classes > 1)
    return np.where(differs, np.minimum(1.0, chance * tests), 1.0)


def competitors(tree: Tree) -> Float:
    """For each node that splits: the thresholds, subsets and multiway splits of all columns there; 0 at a leaf."""
    rows = np.maximum(tree.n_rows, 2).astype(np.float64)
    multiway = bool(np.any(tree.n_children > 2))
    many = np.zeros(tree.n_nodes)
    for levels in tree.n_levels.tolist():
        if levels == 0:
            many += rows - 1.0
        elif multiway:
            many += 1.0
        else:
            many += np.exp2(np.minimum(np.minimum(levels, rows) - 1.0, MOST_BITS)) - 1.0
    return np.where(tree.kind == LEAF, 0.0, many)
