"""Which columns did the work?   In: a Tree.   Out: a number per split, or per column.

    decrease(node)     = (weight x impurity of the node - those of its children) / weight of the root
    importance(column) = sum of the decreases of the nodes that test it, as a share of all    (sums to 1)

The second is scikit-learn's `feature_importances_`: the mean decrease in impurity.
"""

import numpy as np

from hedgerow.tree.tree import Tree
from hedgerow.tree.walk import inner
from hedgerow.types import Float


def decrease(tree: Tree) -> Float:
    """For each node: how much its split lowers the impurity of the whole tree; 0 at a leaf."""
    load = tree.weight * tree.impurity
    nodes = inner(tree)
    gain = np.zeros(tree.n_nodes)
    gain[nodes] = load[nodes]
    np.subtract.at(gain, tree.parent[1:], load[1:])
    root = float(tree.weight[0])
    return gain / root if root > 0 else np.zeros(tree.n_nodes)


def importance(tree: Tree) -> Float:
    """For each column: its share of the total decrease; all zero when nothing was gained."""
    nodes = inner(tree)
    total = np.bincount(tree.feature[nodes], weights=decrease(tree)[nodes], minlength=tree.n_features)
    everything = float(total.sum())
    return total / everything if everything > 0 else np.zeros(tree.n_features)
