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
(exact_test.py) and corrected for all splits that competed anywhere in the tree: of a tree grown on noise anything is
kept with a probability of at most `significance`.
"""

from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from hedgerow.prune.evidence import Evidence, class_weights, tally
from hedgerow.prune.exact_test import competitors, exact_chance
from hedgerow.prune.method import CLASSES_ONLY, Cutting, check_range, check_word, no_nodes, refuse_regression
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.tree.walk import by_level
from hedgerow.types import Float, Mask

LEVELS = ("split", "tree")
RANGE = (1.0, 0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.001, 1e-4, 1e-6, 1e-9)


@dataclass(frozen=True)
class ChiSquare(Cutting):
    """significance : the chance of keeping a split that means nothing; smaller prunes more
    candidates : independent splits that each was the best of
    level : "split", of one split tested by itself; "tree", of the whole tree, whatever competed in it
    """

    significance: float = 0.05
    candidates: int = 1
    level: str = "split"
    tasks: ClassVar[tuple[str, ...]] = CLASSES_ONLY

    def __post_init__(self) -> None:
        check_range(self, "significance", 0.0, 1.0)
        check_range(self, "candidates", 1, np.inf)
        check_word(self, "level", LEVELS)

    def nodes_to_cut(self, tree: Tree, evidence: Evidence | None = None) -> Mask:
        refuse_regression(self, tree)
        if tree.n_nodes == 1:
            return no_nodes(tree)
        if self.level == "tree":
            return fruitless(tree, exact_chance(tree) * competitors(tree).sum() < self.significance)
        chance = by_chance(tree)
        with np.errstate(divide="ignore"):  # a chance of 1 stays 1
            chance = -np.expm1(self.candidates * np.log1p(-chance))
        return fruitless(tree, chance < self.significance)

    def over_a_range(self, tree: Tree) -> tuple[Self, ...]:
        return self._each("significance", RANGE)


def statistic(tree: Tree) -> tuple[Float, Float]:
    """For each node: the statistic over its branches, and its degrees of freedom; 0 and 0 at a leaf."""
    counts, parent = class_weights(tree)[1:], tree.parent[1:]
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


def by_chance(tree: Tree) -> Float:
    """For each node: the probability of branches at least as different by chance; 1 where nothing can differ."""
    from scipy.special import chdtrc

    value, freedom = statistic(tree)
    return np.where(freedom > 0, chdtrc(np.maximum(freedom, 1.0), value), 1.0)


def fruitless(tree: Tree, worth: Mask) -> Mask:
    """The nodes that are not worth a split and have no split worth keeping below them."""
    kept = worth & (tree.kind != LEAF)
    for level in reversed(by_level(tree)[1:]):
        kept[tree.parent[level[kept[level]]]] = True
    return np.asarray(~kept & (tree.kind != LEAF))
