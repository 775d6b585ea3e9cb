"""Are the numbers at the nodes possible?   In: a Tree whose shape is sound.   Out: nothing, or a TreeError.

What reaches the children is what reached the parent. Where missing cells go to all children (missing_child is
-1) a row may reach several of them in part: there only the weights add up, and a child merely has no more
rows than its parent.
"""

import numpy as np

from hedgerow.tree.errors import refuse
from hedgerow.tree.tree import LEAF, NONE, Tree
from hedgerow.types import Mask

SLACK = 1e-6  # of the parent's weight: the same floats, summed in another order
MOST_ROWS = 2**53  # counted exactly by a float64, so that no sum wraps


def check_numbers(tree: Tree) -> None:
    finite: Mask = np.isfinite(tree.value)
    refuse(tree, "value", finite.sum(axis=1) < tree.n_outputs, "finite numbers")
    refuse(tree, "weight", ~(np.isfinite(tree.weight) & (tree.weight >= 0)), "a finite number, at least 0")
    refuse(tree, "n_rows", (tree.n_rows < 0) | (tree.n_rows > MOST_ROWS), "a count from 0 to 2**53")
    root = float(tree.impurity[0])
    low = -1e-9 * max(1.0, root if np.isfinite(root) else 1.0)  # what cancellation may leave of a zero
    sound = np.isfinite(tree.impurity) & (tree.impurity >= low)
    refuse(tree, "impurity", ~sound, "a finite number, at least 0")


def check_sums(tree: Tree) -> None:
    parents = np.flatnonzero(tree.kind != LEAF)
    if len(parents) == 0:
        return
    parents = parents[np.argsort(tree.first_child[parents], kind="stable")]
    starts = tree.first_child[parents].astype(np.int64) - 1  # the children tile 1, 2, ... n-1
    weight, children = tree.weight[parents], np.add.reduceat(tree.weight[1:], starts)
    off = ~(np.abs(children - weight) <= SLACK * weight)
    refuse(tree, "weight", off, "the sum of its children's weights", parents)
    rows = tree.n_rows[parents]
    fewer = np.maximum.reduceat(tree.n_rows[1:], starts) > rows
    refuse(tree, "n_rows", fewer, "at least as many as each of its children has", parents)
    whole = tree.missing_child[parents] != NONE
    off = whole & (np.add.reduceat(tree.n_rows[1:].astype(np.float64), starts) != rows)
    refuse(tree, "n_rows", off, "the sum of its children's rows", parents)
