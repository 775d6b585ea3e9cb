"""Chi-square pruning (Quinlan 1986).   In: a Tree.   Out: the Tree without splits that chance explains.

For a node with branches b and classes c, rows n_bc, the statistic

    sum over b, c of (n_bc - e_bc)^2 / e_bc,     e_bc = n_b n_c / n

is large when classes differ between branches. If they do not, it follows the chi-square distribution with
(non-empty branches - 1) x (classes present - 1) degrees of freedom. From the leaves up, a split all of whose
branches are leaves and whose statistic chance would exceed with a probability of `significance` or more becomes a
leaf.

The level is that of one test of a split that was not picked among others. A tree picks the best of many:
`candidates` corrects for so many independent ones (Sidak): p -> 1 - (1 - p)^candidates.

A whole tree makes hundreds of such picks, and in its small nodes the chi-square distribution is far off: one odd
row in a hundred, put in a branch of its own, has a statistic of 100. With level="tree" the tests are exact
(`exact_p_value`) and corrected for all splits that competed anywhere in the tree: of a tree grown on noise anything is
kept with a probability of at most `significance`.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.docstrings import document
from hedgerow.prune.data import PruningData, class_weights, tally
from hedgerow.prune.method import (
    CLASSES_ONLY,
    CuttingMethod,
    check_range,
    check_word,
    no_nodes,
    refuse_regression,
    setting,
)
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Float, Mask

LEVELS = ("split", "tree")
MOST_BITS = 1000  # of a number of subsets: more is as good as infinite
RANGE = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 1e-4, 1e-6, 1e-9)


@document(CuttingMethod)
@dataclass(frozen=True)
class ChiSquare(CuttingMethod):
    """Cut splits that chance explains, by the chi-square test.

    Parameters
    ----------
    significance : float
        The probability of keeping a split that means nothing; smaller prunes more.
    candidates : int
        Independent splits that each was the best of.
    level : {"split", "tree"}
        "split", of one split tested by itself; "tree", of the whole tree, whatever competed in it.

    References
    ----------
    Quinlan, J. R. (1986). Induction of decision trees. Machine Learning 1, 81-106.

    Examples
    --------
    >>> from hedgerow import DecisionTreeClassifier
    >>> from hedgerow.prune import ChiSquare
    >>> tree = DecisionTreeClassifier(prune=ChiSquare(significance=0.01))
    """

    significance: float = setting(0.05, "Smaller prunes more.")
    candidates: int = 1
    level: str = "split"
    tasks: ClassVar[tuple[str, ...]] = CLASSES_ONLY

    def __post_init__(self) -> None:
        check_range(self, "significance", 0.0, 1.0)
        check_range(self, "candidates", 1, np.inf)
        check_word(self, "level", LEVELS)

    def nodes_to_cut(self, tree: Tree, data: PruningData | None = None) -> Mask:
        refuse_regression(self, tree)
        if tree.n_nodes == 1:
            return no_nodes(tree)
        if self.level == "tree":
            return find_insignificant(tree, exact_p_value(tree) * competitors(tree).sum() < self.significance)
        p = p_value(tree)
        with np.errstate(divide="ignore"):  # a p-value of 1 stays 1
            p = -np.expm1(self.candidates * np.log1p(-p))
        return find_insignificant(tree, p < self.significance)

    def strengths(self, tree: Tree) -> tuple[Self, ...]:
        return self._each("significance", RANGE)


def _answers(tree: Tree) -> Float:
    """Nodes x classes; rows that stop at a node are on none of its branches."""
    return np.where(tree.stop_leaves[:, None], 0.0, class_weights(tree))


def statistic(tree: Tree) -> tuple[Float, Float]:
    """For each node: the statistic over its branches, and its degrees of freedom; 0 and 0 at a leaf."""
    counts, parent = _answers(tree)[1:], tree.parent[1:]
    n = tree.n_nodes
    total = np.column_stack([np.bincount(parent, column, n) for column in counts.T])
    everything = total.sum(axis=1)
    branch = counts.sum(axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        expected = total[parent] * (branch / everything[parent])[:, None]
        terms = np.where(expected > 0, np.square(counts - expected) / expected, 0.0)
    none = 1e-9 * everything
    branches = np.bincount(parent, branch > none[parent], n)
    classes = np.sum(total > none[:, None], axis=1)
    freedom = np.maximum(0, branches - 1) * np.maximum(0, classes - 1)
    return tally(parent, terms.sum(axis=1), n), np.where(tree.kind == LEAF, 0.0, freedom)


def p_value(tree: Tree) -> Float:
    """For each node: the probability of branches at least as different by chance; 1 where nothing can differ."""
    from scipy.special import chdtrc

    value, freedom = statistic(tree)
    return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1.0), value), 1.0)


def find_insignificant(tree: Tree, worth: Mask) -> Mask:
    """The nodes that are not worth a split and have no split worth keeping below them."""
    kept = worth & (tree.kind != LEAF)
    for level in reversed(by_level(tree)[1:]):
        kept[tree.parent[level[kept[level]]]] = True
    return np.asarray(~kept & (tree.kind != LEAF))


def exact_p_value(tree: Tree) -> Float:
    """For each node: the probability of branches so different by chance; 1 at leaves and where nothing can differ.

    The number of rows of a class in a branch, given the sums of both, is hypergeometric if branches and classes have
    nothing to do with each other (Fisher). Of all branches and classes of a split the most surprising number counts,
    times how many numbers there are (Bonferroni): never too small a probability, however few the rows.

                  class no   yes
        branch a      9       1       P(9 or more of 12 in a branch of 10 of 20) = 0.0099
               b      3       7       times two: in a table of two by two, two of the four say the same

    Weights that are no counts are rounded to them.
    """
    from scipy.stats import hypergeom

    p = np.ones(tree.n_nodes)
    if tree.n_nodes == 1:
        return p
    counts, parent = np.rint(_answers(tree)[1:]), tree.parent[1:]
    total = np.column_stack([np.bincount(parent, column, tree.n_nodes) for column in counts.T])
    branch, whole = counts.sum(axis=1), total.sum(axis=1)
    row, label = np.nonzero((counts > 0) & (branch > 0)[:, None])
    at = parent[row]
    tail = hypergeom.sf(counts[row, label] - 1, whole[at], total[at, label], branch[row])
    np.minimum.at(p, at, tail)
    branches = np.bincount(parent, branch > 0, tree.n_nodes)
    classes = np.count_nonzero(total > 0, axis=1)
    tests = np.where((branches == 2) & (classes == 2), 2.0, branches * classes)
    differs = (branches > 1) & (classes > 1)
    return np.where(differs, np.minimum(1.0, p * tests), 1.0)


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
