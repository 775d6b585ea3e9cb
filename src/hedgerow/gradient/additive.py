"""Trees as a sum of shapes.   In: GradientTrees whose branches test one column each, or two.   Out: Shapes; with
the trees of refits, also their bands.

A leaf adds its value where its branch leads, and so belongs to the columns that the branch tests: a tree is the
sum of its leaves, by columns. Their mean over the training rows goes to the intercept, so that every shape has mean
zero.
"""

from collections.abc import Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from scipy.optimize import nnls

from hedgerow.gradient.shape import PairShape, Pieces, Shape, Shapes
from hedgerow.gradient.trees import GradientTrees
from hedgerow.tree.predict import leaves
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Float, FloatAny, Mask


class Part(NamedTuple):
    """The leaves of one tree whose branches test the same columns."""

    number: int  # of the tree
    output: int
    tree: Tree
    mine: Mask  # nodes: which leaves they are


Parts = list[Part]


def find_shapes(
    trees: GradientTrees, outputs: tuple[str, ...], missing: frozenset[int] | None = None
) -> Shapes:
    """baseline + sum of the trees = intercept + sum of the shapes, at any row. `missing`: columns with missing cells
    in training, if that is known."""
    intercept, groups = trees.baseline.copy(), group_leaves(trees)
    for columns, own in groups.items():
        intercept += mean_of_parts(own, trees.n_outputs)
        if len(columns) > 2:
            names = " and ".join(trees.schema.names[j] for j in columns)
            raise ValueError(
                f"A branch tests {names}, so that there are no shapes of single columns. Fit with max_depth=1 or "
                "interaction_cst='no_interactions'; with interaction_cst='pairwise' for pairs."
            )
    shapes = [
        _shape(trees, *key, own, missing is None or key[0] in missing)
        for key, own in groups.items()
        if len(key) == 1
    ]
    pairs = [_pair(trees, *key, own) for key, own in groups.items() if len(key) == 2]
    return Shapes(
        intercept,
        tuple(sorted(shapes, key=lambda one: -one.span)),
        tuple(sorted(pairs, key=lambda one: -one.span)),
        outputs,
    )


def group_leaves(trees: GradientTrees) -> dict[tuple[int, ...], Parts]:
    """By the columns that their branches test; () for trees of a single leaf."""
    groups: dict[tuple[int, ...], Parts] = {}
    for t in range(trees.n_trees):
        tree = trees.tree(t)
        by_columns: dict[tuple[int, ...], list[int]] = {}
        tested: list[tuple[int, ...]] = [()] * tree.n_nodes
        for node in range(tree.n_nodes):  # parents stand before children
            if tree.kind[node] == LEAF:
                by_columns.setdefault(tested[node], []).append(node)
                continue
            first = int(tree.first_child[node])
            tested[first] = tested[first + 1] = tuple(sorted({*tested[node], int(tree.feature[node])}))
        for columns, nodes in by_columns.items():
            mine = np.zeros(tree.n_nodes, bool)
            mine[nodes] = True
            groups.setdefault(columns, []).append(Part(t, t % trees.n_outputs, tree, mine))
    return groups


def mean_of_parts(own: Parts, n_outputs: int) -> Float:
    """What they add to each output, on average over the training rows."""
    mean = np.zeros(n_outputs)
    for part in own:
        rows = part.tree.n_rows
        mean[part.output] += part.tree.value[part.mine, 0] @ rows[part.mine] / max(rows[0], 1)
    return mean


def _shape(trees: GradientTrees, column: int, own: Parts, has_missing: bool) -> Shape:
    pieces = _pieces(trees, column, own)
    values = _added(trees, own, [(column, pieces.points)]) - mean_of_parts(own, trees.n_outputs)
    return Shape(pieces, values, _rows_of_pieces(trees, pieces, own, has_missing))


def _pair(trees: GradientTrees, first: int, second: int, own: Parts) -> PairShape:
    a, b = _pieces(trees, first, own), _pieces(trees, second, own)
    across, down = np.meshgrid(b.points, a.points)
    added = _added(trees, own, [(first, down.ravel()), (second, across.ravel())])
    centred = added - mean_of_parts(own, trees.n_outputs)
    return PairShape(a, b, centred.reshape(len(a) + 1, len(b) + 1, trees.n_outputs))


def _pieces(trees: GradientTrees, column: int, own: Parts) -> Pieces:
    levels = trees.schema.levels[column]
    cuts = np.concatenate([part.tree.threshold[part.tree.feature == column] for part in own])
    cuts = cuts[np.isfinite(cuts) & (cuts < np.finfo(np.float64).max)]
    return Pieces(trees.schema.names[column], column, levels, np.empty(0) if levels else np.unique(cuts))


def _cells(trees: GradientTrees, at: Sequence[tuple[int, Float]]) -> FloatAny:
    cells = np.full((len(at[0][1]), len(trees.schema.names)), np.nan)
    for column, points in at:
        cells[:, column] = points
    return cells


def _added(trees: GradientTrees, own: Parts, at: Sequence[tuple[int, Float]]) -> Float:
    """What the trees add where columns have these cells: points x outputs."""
    cells = _cells(trees, at)
    added = np.zeros((len(cells), trees.n_outputs))
    for part in own:
        reached = leaves(part.tree, cells)
        added[:, part.output] += np.where(part.mine[reached], part.tree.value[reached, 0], 0.0)
    return added


def _rows_of_pieces(trees: GradientTrees, pieces: Pieces, own: Parts, has_missing: bool) -> Float:
    """Rows in each piece and missing, such that the leaves have the rows that they have (non-negative least squares).
    Pieces that no leaf tells apart share theirs."""
    cells = _cells(trees, [(pieces.column, pieces.points)])
    sums: dict[bytes, tuple[Float, float]] = {}
    for part in own:
        reached = leaves(part.tree, cells)
        for leaf in np.flatnonzero(part.mine):
            inside = (reached == leaf).astype(np.float64)
            sums.setdefault(inside.tobytes(), (inside, float(part.tree.n_rows[leaf])))
    inside = np.array([a for a, _ in sums.values()])
    inside[:, -1] *= has_missing
    apart, which, many = np.unique(inside, axis=1, return_inverse=True, return_counts=True)
    found, _ = nnls(apart, np.array([n for _, n in sums.values()]))
    return np.asarray((found / many)[which.reshape(-1)])


def add_bands(shapes: Shapes, refits: Sequence[GradientTrees], confidence_level: float) -> Shapes:
    """value +- z times the standard deviation over the refits, each centred by the same rows."""
    reach = NormalDist().inv_cdf((1 + confidence_level) / 2)
    grouped = [group_leaves(trees) for trees in refits]
    banded = []
    for shape in shapes:
        key, at = (shape.pieces.column,), [(shape.pieces.column, shape.pieces.points)]
        curves = np.array(
            [_added(trees, own.get(key, []), at) for trees, own in zip(refits, grouped, strict=True)]
        )
        weight = shape.rows if shape.rows.sum() > 0 else np.ones(len(shape.rows))
        curves -= np.average(curves, axis=1, weights=weight)[:, None]
        half = reach * curves.std(axis=0, ddof=1)
        banded.append(replace(shape, low=shape.values - half, high=shape.values + half))
    return replace(shapes, shapes=tuple(banded), confidence_level=confidence_level, n_refits=len(refits))
