"""Growing on some of the rows.   In: the training rows, encoded once.   Out: a tree of any part, and losses.

A row that takes no part has weight zero, which for a tree is the same as not being there; so codes are
shared by the whole tree and by every fold. The loss of a class is 1 when it is guessed wrong, that of a
number its squared error.
"""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from hedgerow.encode import Encoded, matrix
from hedgerow.grow import Classes, Limits, Target, grow
from hedgerow.tree import predict
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float, FloatAny, Mask


@dataclass(frozen=True, eq=False)
class Grower:
    rows: Encoded
    target: Target
    criterion: str
    limits: Limits
    threads: int

    def grow(self, used: Mask | None = None) -> Tree:
        """The tree of the rows marked in `used`, or of all."""
        weight = None if used is None else used.astype(np.float64)
        target = replace(self.target, weight=weight)
        return grow(self.rows, target, self.criterion, self.limits, threads=self.threads)

    def matrix(self, rows: Count) -> FloatAny:
        return self._matrix[rows]

    @cached_property
    def _matrix(self) -> FloatAny:
        return matrix(self.rows.schema, self.rows.table)

    def losses(self, rows: Count, values: Float) -> Float:
        """Of each row, given the values of its leaf."""
        if isinstance(self.target, Classes):
            wrong: Mask = values.argmax(axis=1) != self.target.codes[rows]
            return wrong.astype(np.float64)
        return np.square(values[:, 0] - self.target.values[rows])

    def losses_by_node(self, tree: Tree, rows: Count) -> Float:
        """Of all rows that pass a node, if the node were their leaf: added up from the leaves to the root."""
        leaf = predict.leaves(tree, self.matrix(rows), self.threads).astype(np.int64)
        sums = self._sums(leaf, tree.n_nodes, rows)
        for level in range(tree.max_depth, 0, -1):
            nodes = np.flatnonzero(tree.depth == level)
            np.add.at(sums, tree.parent[nodes], sums[nodes])
        if isinstance(self.target, Classes):
            right: Float = sums[np.arange(tree.n_nodes), tree.value.argmax(axis=1)]
            wrong: Float = sums.sum(axis=1) - right
            return wrong
        value = tree.value[:, 0]
        return np.maximum(0.0, sums[:, 2] - 2 * value * sums[:, 1] + value**2 * sums[:, 0])

    def _sums(self, leaf: Count, n_nodes: int, rows: Count) -> Float:
        """Nodes x what a loss is made of: rows of each class; or of rows, y and y squared."""
        if isinstance(self.target, Classes):
            k = self.target.n_classes
            counts = np.bincount(leaf * k + self.target.codes[rows], minlength=n_nodes * k)
            return counts.reshape(n_nodes, k).astype(np.float64)
        y = self.target.values[rows]
        return np.column_stack([np.bincount(leaf, weight, n_nodes) for weight in (None, y, y * y)]).astype(
            np.float64
        )
