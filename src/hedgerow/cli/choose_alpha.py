"""How much to prune.   In: training rows.   Out: Choice: the alpha, and how it was found.

Five folds. For each a tree is grown once, on the other four, and asked about the rows it has not seen, at
every alpha at once: a node is a leaf of the pruned tree from the alpha where it is cut until the one where an
ancestor is. The largest alpha is taken whose error is within one standard error of the smallest (the 1-SE
rule): the simplest tree that is not clearly worse.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.cli.grown import Grower
from hedgerow.cli.split import folds
from hedgerow.prune import CutPath, cut_path
from hedgerow.tree import predict
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Count, Float

N_FOLDS = 5


@dataclass(frozen=True)
class Choice:
    alpha: float
    how: str  # for the user


@dataclass(frozen=True, eq=False)
class _Fold:
    tree: Tree
    path: CutPath
    unseen: Count  # rows


def choose_alpha(
    grower: Grower, whole: Tree, strata: Count, seed: int, step: Callable[[str], None]
) -> Choice:
    """In: what grows trees on some of the training rows, and the tree of all of them."""
    n_folds = min(N_FOLDS, len(strata))
    fold_of = folds(strata, n_folds, seed)
    grown = []
    for k in range(n_folds):
        step(f"cross-validation, fold {k + 1} of {n_folds}")
        tree = grower.grow(fold_of != k)
        grown.append(_Fold(tree, cut_path(tree), np.flatnonzero(fold_of == k)))
    alphas = _between(cut_path(whole).alpha)
    error = np.sum([_errors(grower, fold, alphas) for fold in grown], axis=0) / len(strata)
    best = int(np.flatnonzero(error == error.min())[-1])
    losses = np.concatenate([_losses(grower, fold, alphas[best]) for fold in grown])
    bound = error[best] + losses.std() / np.sqrt(len(losses))
    alpha = float(f"{alphas[np.flatnonzero(error <= bound)[-1]]:.4g}")  # short enough to type again
    return Choice(alpha, f"{n_folds}-fold cross-validation on the training rows, 1-SE rule")


def _between(alpha: Float) -> Float:
    """An alpha inside each interval in which the tree stays the same: the geometric mean of its ends."""
    ends = np.unique(alpha)
    return np.append(np.sqrt(ends[:-1] * ends[1:]), ends[-1] * 1.001)


def _errors(grower: Grower, fold: _Fold, alphas: Float) -> Float:
    """Summed loss over the unseen rows at each alpha."""
    at_node = grower.losses_by_node(fold.tree, fold.unseen)
    begin = np.where(fold.tree.kind == LEAF, -np.inf, fold.path.node_alpha)  # when a node becomes a leaf
    end = _cut_above(fold.tree, fold.path)  # when it is gone
    is_leaf = begin < end
    changes = np.concatenate([begin[is_leaf], end[is_leaf]])
    amounts = np.concatenate([at_node[is_leaf], -at_node[is_leaf]])
    order = np.argsort(changes, kind="stable")
    until = np.searchsorted(changes[order], alphas, side="right")
    return np.concatenate([[0.0], np.cumsum(amounts[order])])[until]


def _cut_above(tree: Tree, path: CutPath) -> Float:
    """The smallest alpha at which an ancestor of the node is cut; +inf at the root."""
    end = np.full(tree.n_nodes, np.inf)
    for level in range(1, tree.max_depth + 1):
        nodes = np.flatnonzero(tree.depth == level)
        parents = tree.parent[nodes]
        end[nodes] = np.minimum(end[parents], path.node_alpha[parents])
    return end


def _losses(grower: Grower, fold: _Fold, alpha: float) -> Float:
    pruned = cut(fold.tree, fold.path.mask(alpha))
    return grower.losses(fold.unseen, predict.values(pruned, grower.matrix(fold.unseen), grower.threads))
