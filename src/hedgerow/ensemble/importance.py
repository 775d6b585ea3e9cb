"""Which columns did the work?   In: Trees, and rows outside their bags.   Out: a number a column.

impurity      mean decrease of impurity over the trees. Biased: a column of many values has more splits to choose from.
corrected     the same decrease, measured on the rows the tree has not seen. A node on column j with children c gains

                  sum over c of  m_c . (Y_c - n_c Y / n)  / N          m_c: the child's value, learned in the bag
                                                                       Y_c, n_c: sum and number of the rows out of it

              in the bag this is the decrease of Gini impurity (squared error) itself. Out of the bag the cells of a
              column that has nothing to do with the target are exchangeable among a node's rows, so that the sum is
              zero on average, whatever the number of values: docs/decisions/0010.
permutation   the rise of the loss out of bag when the column's cell is taken from another row.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.core import native
from hedgerow.ensemble.draws import Draws
from hedgerow.ensemble.flat import Flat
from hedgerow.ensemble.oob import outside_bits, truth
from hedgerow.grow import Classes, Target
from hedgerow.tree import predict
from hedgerow.tree.decide import arrivals
from hedgerow.tree.importance import decrease, importance
from hedgerow.tree.pack import spreads
from hedgerow.tree.tree import Tree
from hedgerow.tree.walk import by_level, inner
from hedgerow.types import Count, Float, FloatAny


def impurity(trees: Sequence[Tree]) -> Float:
    """Mean decrease of impurity a column, over the trees."""
    total = np.zeros(trees[0].n_features)
    for tree in trees:
        nodes = inner(tree)
        total += np.bincount(tree.feature[nodes], decrease(tree)[nodes], minlength=len(total))
    return total / len(trees)


def shares(trees: Sequence[Tree]) -> Float:
    """scikit-learn's feature_importances_: each tree's shares, averaged over the trees that split at all."""
    each = [importance(tree) for tree in trees if tree.n_nodes > 1]
    if not each:
        return np.zeros(trees[0].n_features)
    mean = np.mean(each, axis=0)
    whole = float(mean.sum())
    return np.asarray(mean / whole) if whole > 0 else np.zeros(len(mean))


def corrected(trees: Sequence[Tree], rows: FloatAny, target: Target, draws: Draws, threads: int = 1) -> Float:
    total = np.zeros(trees[0].n_features)
    used = 0
    for t, tree in enumerate(trees):
        out = np.flatnonzero(draws.oob(t))
        if len(out):
            total += _corrected(tree, rows[out], _outputs(target, out), _weight(draws, out), threads)
            used += 1
    return total / max(1, used)


def _corrected(tree: Tree, rows: FloatAny, y: Float, weight: Float, threads: int) -> Float:
    row, leaf, share = _arrivals(tree, rows, threads)
    w = weight[row] * share
    mass = _up(tree, np.bincount(leaf, w, minlength=tree.n_nodes))
    square = _up(tree, np.bincount(leaf, w * w, minlength=tree.n_nodes))
    sums = np.stack(
        [_up(tree, np.bincount(leaf, w * y[row, k], minlength=tree.n_nodes)) for k in range(y.shape[1])],
        axis=1,
    )
    child = np.arange(1, tree.n_nodes)
    up = tree.parent[1:]
    with np.errstate(invalid="ignore", divide="ignore", over="ignore"):
        mean = np.where(mass[:, None] > 0, sums / mass[:, None], 0.0)
        lone = np.where(mass > 0, square / mass**2, 1.0)  # 1 / number of rows
        whole = np.where(lone < 1 - 1e-12, 1 / (1 - lone), 0.0)  # one row says nothing about a difference
        away = tree.value[child] - tree.value[up]  # about the parent: nothing large cancels
        gain = (away * (sums[child] - mass[child, None] * mean[up])).sum(axis=1) * whole[up]
    return np.asarray(np.bincount(tree.feature[up], gain, minlength=tree.n_features) / mass[0])


def _arrivals(tree: Tree, rows: FloatAny, threads: int) -> tuple[Count, Count, Float]:
    if spreads(tree):
        return arrivals(tree, rows)
    return np.arange(len(rows)), predict.leaves(tree, rows, threads).astype(np.int64), np.ones(len(rows))


def _up(tree: Tree, own: NDArray[Any]) -> Float:
    """Sums at the leaves to sums at every node."""
    total: Float = own.astype(np.float64)
    for level in reversed(by_level(tree)[1:]):
        total += np.bincount(tree.parent[level], total[level], minlength=len(total))
    return total


def _outputs(target: Target, rows: Count) -> Float:
    if isinstance(target, Classes):
        return np.eye(target.n_classes)[target.codes[rows]]
    return target.values[rows, None]


def _weight(draws: Draws, rows: Count) -> Float:
    """Shares of the largest, so that weights may be as large or small as they like."""
    return np.ones(len(rows)) if draws.weight is None else draws.weight[rows] / draws.weight.max()


@dataclass(frozen=True, eq=False)
class Permuted:
    rise: Float  # of the loss, a column
    standard_error: Float
    n_rows: float  # that were out of some bag; by weight, the number of equal weights that say as much


def permutation(
    flat: Flat,
    rows: FloatAny,
    target: Target,
    draws: Draws,
    *,
    repeats: int = 1,
    seed: int = 0,
    threads: int = 1,
) -> Permuted:
    """The standard error has two parts: rows, and pairs of rows.

    D_i is the rise of row i, the mean of d_ti over the trees t that have not seen it. Given the trees, rows are
    independent, and the variance of their mean is var(D) / n. But trees are made of the same rows: i is predicted by
    trees that learned from k, and k by trees that learned from i, so that D_i and D_k go together. For pure noise
    that is all their covariance comes from, and what i takes from k is what k takes from i; summed over all k it is
    then what two different trees have in common about i: the mean of d_ti d_si over t != s, less the square of the
    mean. What one tree alone is wrong about, and the luck of the exchange, count once. docs/decisions/0010."""
    total, square, pairs, mass, mass_square = native.permuted_rise(
        **flat.arrays(),
        rows=rows,
        outside=outside_bits(draws, 0, flat.n_trees),
        **truth(target),
        row_weight=None if draws.weight is None else _weight(draws, np.arange(draws.n_rows)),
        seed=seed,
        repeats=repeats,
        threads=threads,
    )
    if mass == 0:
        raise ValueError(
            f"No row is out of any bag (n_samples={draws.n_rows}), so that nothing can be permuted honestly. Give more "
            "rows or trees, or kind='impurity'."
        )
    n = mass**2 / mass_square
    mean = total / mass
    with np.errstate(over="ignore", invalid="ignore"):  # targets beyond squaring
        rows_apart = np.maximum(0.0, square / mass - mean**2) * n / max(1.0, n - 1)
        together = np.maximum(0.0, pairs / mass - mean**2)
    return Permuted(mean, np.sqrt((rows_apart + together) / n), float(n))
