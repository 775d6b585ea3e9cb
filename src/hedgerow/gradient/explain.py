"""Why?   In: GradientTrees.   Out: Shapley values of rows, importance of columns, partial dependence on one."""

import numpy as np

from hedgerow.ensemble.flat import flatten
from hedgerow.ensemble.shap import shap_values
from hedgerow.gradient.loss import Loss
from hedgerow.gradient.trees import GradientTrees
from hedgerow.tree.conditions import level_mask
from hedgerow.tree.tree import LEAF, THRESHOLD, Tree
from hedgerow.types import Float, FloatAny, Mask


def shapley_values(trees: GradientTrees, rows: FloatAny, threads: int = 1) -> tuple[Float, Float]:
    """Rows x columns x outputs, and the base of each output: base + sum over the columns = raw."""
    width = trees.n_outputs
    out = np.zeros((len(rows), len(trees.schema.names), width))
    base = trees.baseline.copy()
    for k in range(width if trees.n_trees else 0):
        own = [trees.tree(t) for t in range(k, trees.n_trees, width)]
        found = shap_values(flatten(own), rows, threads)  # the mean over the trees
        out[:, :, k] = found.values[:, :, 0] * len(own)
        base[k] += found.base[0] * len(own)
    return out, base


def gain_importance(trees: GradientTrees) -> Float:
    """The gain of all splits on each column."""
    inner = trees.column >= 0
    return np.bincount(trees.column[inner], trees.gain[inner], minlength=len(trees.schema.names)).astype(
        np.float64
    )


def permutation_importance(
    trees: GradientTrees,
    loss: Loss,
    rows: FloatAny,
    y: Float,
    repeats: int,
    rng: np.random.Generator,
    threads: int,
) -> tuple[Float, Float]:
    """By how much the mean loss rises when a column's cells are exchanged, and its standard error over the rows."""

    def losses(cells: FloatAny) -> Float:
        return loss.losses(y, np.ascontiguousarray(trees.raw(cells, threads).T))

    before = losses(rows)
    rise, error = np.zeros(rows.shape[1]), np.zeros(rows.shape[1])
    used = np.unique(trees.column[trees.column >= 0])
    changed = np.array(rows)
    for j in used:
        more = np.zeros(len(rows))
        for _ in range(repeats):
            changed[:, j] = rows[rng.permutation(len(rows)), j]
            more += losses(changed) - before
        changed[:, j] = rows[:, j]
        rise[j] = more.mean() / repeats
        error[j] = more.std(ddof=1) / repeats / np.sqrt(len(rows)) if len(rows) > 1 else 0.0
    return rise, error


def dependence_by_trees(trees: GradientTrees, column: int, points: Float) -> Float:
    """Raw where the column has these cells and the others are as in the training rows that went down each branch:
    points x outputs."""
    out = np.repeat(trees.baseline[None], len(points), axis=0)
    for t in range(trees.n_trees):
        out[:, t % trees.n_outputs] += _expected(trees.tree(t), column, points)
    return out


def _expected(tree: Tree, column: int, points: Float) -> Float:
    """The share of each point that reaches a node, from the root down; parents stand before their children."""
    reach = np.zeros((tree.n_nodes, len(points)))
    reach[0] = 1.0
    for node in np.flatnonzero(tree.kind != LEAF):
        first = int(tree.first_child[node])
        if tree.feature[node] == column:
            left: Float = _goes_left(tree, int(node), points).astype(np.float64)
        else:
            left = np.full(len(points), tree.n_rows[first] / max(tree.n_rows[node], 1))
        reach[first] = reach[node] * left
        reach[first + 1] = reach[node] * (1 - left)
    at = tree.kind == LEAF
    return np.asarray(tree.value[at, 0] @ reach[at])


def _goes_left(tree: Tree, node: int, points: Float) -> Mask:
    if tree.kind[node] == THRESHOLD:
        goes_left = points <= tree.threshold[node]
    else:
        mask = level_mask(tree, node, 0)
        goes_left = mask[np.minimum(np.nan_to_num(points), len(mask) - 1).astype(np.int64)]
    return np.asarray(
        np.where(np.isnan(points), tree.missing_child[node] == tree.first_child[node], goes_left)
    )


def dependence_by_rows(
    trees: GradientTrees, loss: Loss, column: int, points: Float, rows: FloatAny, threads: int
) -> Float:
    """What is predicted for each row when its cell is another: points x rows x outputs (class probabilities, or the
    expected target)."""
    changed = np.array(rows)
    found = []
    for point in points:
        changed[:, column] = point
        meant = loss.inverse_link(np.ascontiguousarray(trees.raw(changed, threads).T))
        found.append(meant if loss.options.n_classes else meant.T)
    return np.array(found)
