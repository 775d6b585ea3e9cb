"""GradientTrees: a fitted booster.   In: trees as the native grower makes them.   Out: arrays of all trees, one behind
the other, and what rows sum up to in them.

Trees are in the order of the rounds, within a round of the outputs. A node's value is what it adds to raw, the learning
rate included. `tree(t)` is one of them as a Tree, for everything that draws, prints or explains trees.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from hedgerow.core import native
from hedgerow.encode import Schema
from hedgerow.tree.pack import MISSING_FIRST, SUBSET_NODE, WIDE
from hedgerow.tree.tree import LEAF, NONE, SUBSET, THRESHOLD, Tree
from hedgerow.types import Byte, Count, Float, FloatAny, Index, Word

MANY_ROWS = 48  # from here on 64 rows at a time are faster,
MANY_STEPS = 5_000  # rows times trees, if there are so many: laying out the blocks takes time
MOST_LEAVES = 256  # of a tree, for 64 rows at a time
# As native/gradient/predict_blocks.hpp reads them.
N_EDGES = 384  # of a column
BLOCK_BYTES = 64
FOUR_BYTES = 0x01010101  # times a code
CODE_NODE = np.dtype(
    [
        ("place", np.uint32),
        ("left", np.uint16),
        ("right", np.uint16),
        ("index", np.uint32),
        ("n_left", np.uint32),
    ]
)
PER_NODE = ("column", "threshold", "subset_start", "first_child", "missing_left", "value", "gain", "n_rows")


@dataclass(frozen=True, eq=False)
class GradientTrees:
    schema: Schema
    baseline: Float  # of each output: raw before the first round
    start: Count  # first node of each tree, and the end
    column: Index  # -1 at a leaf
    threshold: Float  # numbers: values up to it go left; NaN elsewhere
    subset_start: Count  # categories: first word of the levels that go left; -1 elsewhere
    first_child: Index  # counted from the tree's own root; -1 at a leaf
    missing_left: Byte
    value: Float
    gain: Float  # by how much the loss of the training rows fell by this split, to second order
    n_rows: Count
    subset_bits: Word

    @property
    def n_outputs(self) -> int:
        return len(self.baseline)

    @property
    def n_trees(self) -> int:
        return len(self.start) - 1

    @property
    def n_rounds(self) -> int:
        return self.n_trees // self.n_outputs

    def head(self, n_rounds: int) -> "GradientTrees":
        """The first rounds alone."""
        trees = n_rounds * self.n_outputs
        nodes = int(self.start[trees])
        return replace(
            self, start=self.start[: trees + 1], **{name: getattr(self, name)[:nodes] for name in PER_NODE}
        )

    @cached_property
    def _depth(self) -> Index:
        return np.array([_depth_of(self.first_child[a:b]) for a, b in self._spans()], np.int32)

    def _spans(self) -> Iterator[tuple[int, int]]:
        return zip(self.start[:-1].tolist(), self.start[1:].tolist(), strict=True)

    @cached_property
    def packed(self) -> tuple[Byte, Word, Count, Index, Index, Float]:
        """As native/gradient/predict.hpp reads them."""
        nodes = np.zeros(len(self.column), WIDE)
        root = np.repeat(self.start[:-1], np.diff(self.start))
        leaf = self.first_child < 0
        nodes["child"] = np.where(leaf, np.arange(len(leaf)), self.first_child + root)
        subset = self.subset_start >= 0
        nodes["threshold"] = np.where(leaf, np.inf, np.where(subset, self.subset_start, self.threshold))
        feature = np.where(leaf, 0, self.column).astype(np.uint32)
        feature |= np.where(leaf | (self.missing_left > 0), MISSING_FIRST, np.uint32(0))
        nodes["feature"] = feature | np.where(subset, SUBSET_NODE, np.uint32(0))
        output = np.tile(np.arange(self.n_outputs, dtype=np.int32), self.n_rounds)
        return (
            nodes.view(np.uint8).reshape(-1, WIDE.itemsize),
            self.subset_bits,
            np.ascontiguousarray(self.start[:-1]),
            self._depth,
            output,
            np.ascontiguousarray(self.value),
        )

    @cached_property
    def blocks(self) -> dict[str, Any] | None:
        """As native/gradient/predict_blocks.hpp reads them; None where a column has too many thresholds or levels, or a
        tree too many leaves."""
        tested = np.unique(self.column[self.column >= 0])
        n_levels = self.schema.n_levels[tested]
        if np.any(n_levels > 253) or np.any(np.diff(self.start) >= 2 * MOST_LEAVES):
            return None
        edges = np.full((len(tested), N_EDGES), np.inf)
        index = np.zeros(len(self.column), np.int64)
        for k, j in enumerate(tested):
            at = np.flatnonzero((self.column == j) & (self.subset_start < 0))
            own, index[at] = np.unique(self.threshold[at], return_inverse=True)
            if len(own) > 254:
                return None
            edges[k, : len(own)] = own
        leaves = number_leaves(self.start, self.first_child)
        inner = np.flatnonzero(self.first_child >= 0)
        subset, goes_left = self._codes_that_go_left()
        missing_left = (self.missing_left[inner] > 0) & (subset[inner] < 0)  # a subset says it itself
        place = 2 * np.searchsorted(tested, self.column[inner]) + missing_left
        nodes = np.zeros(len(inner), CODE_NODE)
        nodes["place"] = place * BLOCK_BYTES + (subset[inner] >= 0)
        nodes["index"] = np.where(
            subset[inner] >= 0, subset[inner], (index[inner] + missing_left) * FOUR_BYTES
        )
        nodes["left"], nodes["right"] = leaves.child_slots[:, inner] * BLOCK_BYTES
        nodes["n_left"] = leaves.n_below[leaves.left[inner]] * FOUR_BYTES
        return {
            "nodes": nodes.view(np.uint8).reshape(-1, CODE_NODE.itemsize),
            "start": leaves.inner_start,
            "value": self.value[leaves.order],
            "leaf_start": leaves.leaf_start,
            "output": np.tile(np.arange(self.n_outputs, dtype=np.int32), self.n_rounds),
            "goes_left": goes_left,
            "column": tested.astype(np.int32),
            "n_levels": n_levels.astype(np.int32),
            "edges": edges,
            "cells": native.gradient_find_cells(edges),
        }

    def _codes_that_go_left(self) -> tuple[Count, Byte]:
        """Of each node the number of its subset (-1: none), and of each subset 255 at codes that go left, else 0; the
        last code is a missing cell."""
        subset = np.flatnonzero(self.subset_start >= 0)
        number = np.full(len(self.column), NONE, np.int64)
        number[subset] = np.arange(len(subset))
        words = np.zeros((len(subset), 4), np.uint64)
        n_words = self.schema.n_levels[self.column[subset]] // 64 + 1
        for k in range(4):
            has = n_words > k
            words[has, k] = self.subset_bits[self.subset_start[subset[has]] + k]
        goes_left = np.unpackbits(words.view(np.uint8), axis=1, bitorder="little") * np.uint8(255)
        goes_left[:, -1] = self.missing_left[subset] * 255
        return number, goes_left.reshape(-1, 256)

    def add_to(
        self, raw: Float, rows: FloatAny, threads: int = 1, first: int = 0, last: int | None = None
    ) -> None:
        """raw (rows x outputs) += the rounds from `first` to before `last`."""
        is_much = len(rows) >= MANY_ROWS and len(rows) * self.n_trees >= MANY_STEPS
        blocks = self.blocks if first == 0 and last is None and is_much else None
        if blocks is not None:
            native.gradient_add_blocks(**blocks, rows=rows, out=raw, threads=threads)
            return
        nodes, words, root, depth, output, value = self.packed
        part = slice(first * self.n_outputs, None if last is None else last * self.n_outputs)
        native.gradient_add_trees(
            nodes, words, root[part], depth[part], output[part], value, rows, raw, threads
        )

    def raw(self, rows: FloatAny, threads: int = 1) -> Float:
        """Rows x outputs."""
        out = np.empty((len(rows), self.n_outputs))
        out[:] = self.baseline
        if self.n_trees:
            self.add_to(out, rows, threads)
        return out

    def staged_raw(self, rows: FloatAny, threads: int = 1) -> Iterator[Float]:
        """After each round; the array is a new one each time."""
        out = np.tile(self.baseline, (len(rows), 1))
        for k in range(self.n_rounds):
            self.add_to(out, rows, threads, k, k + 1)
            yield out.copy()

    def tree(self, t: int) -> Tree:
        a, b = int(self.start[t]), int(self.start[t + 1])
        first = self.first_child[a:b]
        leaf = first < 0
        subset_start = self.subset_start[a:b]
        words, own_start = self._own_words(a, b)
        weight = self.n_rows[a:b].astype(np.float64)
        return Tree(
            feature=self.column[a:b],
            kind=np.where(leaf, LEAF, np.where(subset_start >= 0, SUBSET, THRESHOLD)).astype(np.uint8),
            threshold=self.threshold[a:b],
            subset_start=own_start,
            first_child=first,
            n_children=np.where(leaf, 0, 2).astype(np.int32),
            missing_child=np.where(leaf, NONE, first + 1 - self.missing_left[a:b]).astype(np.int32),
            value=self.value[a:b, None],
            weight=weight,
            n_rows=self.n_rows[a:b],
            impurity=np.zeros(b - a),
            subset_bits=words,
            n_levels=self.schema.n_levels,
        )

    def _own_words(self, a: int, b: int) -> tuple[Word, Count]:
        start = self.subset_start[a:b]
        used = np.flatnonzero(start >= 0)
        if not len(used):
            return np.empty(0, np.uint64), start
        low = int(start[used].min())
        last = used[np.argmax(start[used])]
        high = int(start[last]) + n_words(self.schema, int(self.column[a + last]))
        return self.subset_bits[low:high], np.where(start >= 0, start - low, NONE)

    def trees(self) -> Iterator[Tree]:
        return map(self.tree, range(self.n_trees))


def n_words(schema: Schema, column: int) -> int:
    """Words of a subset: a bit for each level and one for levels never seen."""
    return len(schema.levels[column]) // 64 + 1


@dataclass(frozen=True, eq=False)
class Leaves:
    """Where leaves stand, of trees one behind the other."""

    left: Count  # of each node its left child, counted from the first node of all; a leaf: itself
    n_below: Count  # of each node, leaves below it; a leaf: 1
    child_slots: (
        Count  # 2 x nodes: each child's number among the tree's inner nodes; a leaf: how many there are
    )
    inner_start: Count  # inner nodes before each tree, and of all
    leaf_start: Count  # leaves before each tree
    order: Count  # leaves, tree by tree and from left to right


def number_leaves(start: Count, first_child: Index) -> Leaves:
    inner = first_child >= 0
    tree = np.repeat(np.arange(len(start) - 1), np.diff(start))
    left = np.where(inner, start[tree] + first_child, np.arange(len(tree)))
    n_below, passed = np.ones(len(tree), np.int64), np.zeros(len(tree), np.int64)
    levels, here = [], start[:-1]
    while len(here := here[inner[here]]):  # the inner nodes of a depth, of all trees
        levels.append(here)
        here = np.concatenate([left[here], left[here] + 1])
    for here in reversed(levels):
        n_below[here] = n_below[left[here]] + n_below[left[here] + 1]
    for here in levels:
        passed[left[here]] = passed[here]
        passed[left[here] + 1] = passed[here] + n_below[left[here]]
    before = np.concatenate([[0], np.cumsum(inner)])
    inner_start = before[start]
    slot = np.where(inner, before[:-1] - inner_start[tree], np.diff(inner_start)[tree])
    leaf = np.flatnonzero(~inner)
    leaf_start = np.cumsum(n_below[start[:-1]]) - n_below[start[:-1]]
    order = np.empty(len(leaf), np.int64)
    order[leaf_start[tree[leaf]] + passed[leaf]] = leaf
    right = np.where(inner, left + 1, left)
    return Leaves(left, n_below, np.stack([slot[left], slot[right]]), inner_start, leaf_start, order)


def _depth_of(first_child: Index) -> int:
    depth, here = 0, first_child[:1]
    while True:
        here = here[here >= 0]
        if not len(here):
            return depth
        depth += 1
        here = first_child[np.concatenate([here, here + 1])]
