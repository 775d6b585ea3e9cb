"""Forests.   In: Encoded rows, a target, a criterion, limits, Draws.   Out: a Forest: Trees, and who drew which rows.

Tree t is the tree that `grow` makes with the seed and the weights of tree t: it depends on nothing else, not on the
threads, not on how many trees are grown with it, so that growing on (`first_tree`) is the same as having grown more.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Encoded
from hedgerow.ensemble.draws import Draws
from hedgerow.grow import Classes, Limits, Target, grow
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, SmallInt

Progress = Callable[[int, int], None]  # trees grown, trees wanted


@dataclass(frozen=True, eq=False)
class Forest:
    trees: tuple[Tree, ...]
    draws: Draws

    @property
    def n_outputs(self) -> int:
        return self.trees[0].n_outputs

    def first(self, n_trees: int) -> "Forest":
        return replace(self, trees=self.trees[:n_trees])

    def with_more(self, more: "Forest") -> "Forest":
        return replace(self, trees=self.trees + more.trees)


def grow_forest(
    rows: Encoded,
    target: Target,
    criterion: str,
    limits: Limits,
    draws: Draws,
    n_trees: int,
    *,
    first_tree: int = 0,
    class_weight: Float | None = None,
    balanced: bool = False,
    monotone: SmallInt | None = None,
    threads: int = 1,
    progress: Progress | None = None,
) -> Forest:
    """Trees first_tree .. first_tree + n_trees - 1. The target's own weight is not looked at: the Draws have it.

    `class_weight`: by class, on top of the draws. `balanced`: all classes weigh the same in each tree.
    """
    trees = []
    for t in range(first_tree, first_tree + n_trees):
        weight = tree_weight(target, draws, t, class_weight, balanced)
        own = replace(target, weight=weight)
        seed = native.tree_seed(draws.seed, t)
        trees.append(grow(rows, own, criterion, limits, monotone=monotone, seed=seed, threads=threads))
        if progress:
            progress(len(trees), n_trees)
    return Forest(tuple(trees), draws)


def tree_weight(
    target: Target, draws: Draws, tree: int, class_weight: Float | None = None, balanced: bool = False
) -> Float | None:
    """The weight of each row in one tree."""
    weight = draws.weights(tree)
    if not isinstance(target, Classes):
        return weight
    if balanced:
        mass = np.bincount(target.codes, weight, minlength=target.n_classes)
        factor = np.where(mass > 0, mass.sum() / (target.n_classes * np.maximum(mass, 1e-300)), 1.0)
        class_weight = factor if class_weight is None else class_weight * factor
    if class_weight is None:
        return weight
    by_row = class_weight[target.codes]
    return by_row if weight is None else weight * by_row
