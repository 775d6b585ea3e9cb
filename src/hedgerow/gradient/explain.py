"""Why?   In: GradientTrees.   Out: Shapley values of rows, importance of columns, and what each column adds where every
tree asks about one column."""

from dataclasses import dataclass

import numpy as np

from hedgerow.ensemble.flat import flatten
from hedgerow.ensemble.shap import shap_values
from hedgerow.gradient.loss import Loss
from hedgerow.gradient.trees import GradientTrees
from hedgerow.tree.predict import values
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, FloatAny


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


@dataclass(frozen=True, eq=False)
class Shape:
    """What one column adds to raw."""

    name: str
    column: int
    levels: tuple[str, ...]  # of a category; () for numbers
    ends: Float  # numbers: the value up to which each piece but the last reaches
    scores: Float  # pieces (or levels) x outputs
    missing: Float  # outputs: what a missing cell adds

    @property
    def span(self) -> float:
        """From the least it adds to the most."""
        return float(np.ptp(self.scores, axis=0).max())

    def constant(self) -> "Shape":
        """The same with its mean over the pieces everywhere: the column is edited out."""
        mean = self.scores.mean(axis=0)
        return Shape(
            self.name, self.column, self.levels, self.ends, np.tile(mean, (len(self.scores), 1)), mean
        )


def additive_shapes(trees: GradientTrees) -> tuple[Shape, ...]:
    """For trees of one split each; columns with the widest span first. The mean over training rows stays where the
    trees put it: baseline + sum of the shapes = raw."""
    if np.any(np.diff(trees.start) > 3):
        raise ValueError(
            "The trees ask about more than one column each, so that there are no shapes of single columns. Fit with "
            "max_depth=1."
        )
    by_column: dict[int, list[tuple[int, Tree]]] = {}
    for t in range(trees.n_trees):
        tree = trees.tree(t)
        if tree.n_nodes > 1:
            by_column.setdefault(int(tree.feature[0]), []).append((t % trees.n_outputs, tree))
    shapes = [_shape(trees, j, own) for j, own in by_column.items()]
    return tuple(sorted(shapes, key=lambda shape: -shape.span))


def _shape(trees: GradientTrees, column: int, own: list[tuple[int, Tree]]) -> Shape:
    schema = trees.schema
    levels = schema.levels[column]
    ends = (
        np.unique([t.threshold[0] for _, t in own if np.isfinite(t.threshold[0])])
        if not levels
        else np.empty(0)
    )
    at = np.arange(len(levels), dtype=np.float64) if levels else _points(ends)
    cells = np.full((len(at) + 1, len(schema.names)), np.nan)
    cells[:-1, column] = at
    scores = np.zeros((len(cells), trees.n_outputs))
    for output, tree in own:
        scores[:, output] += values(tree, cells)[:, 0]
    return Shape(schema.names[column], column, levels, ends, scores[:-1], scores[-1])


def _points(ends: Float) -> Float:
    """A value in each piece."""
    if not len(ends):
        return np.zeros(1)
    return np.concatenate([ends, [ends[-1] + max(1.0, abs(ends[-1]))]])
