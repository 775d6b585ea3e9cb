"""A shape put into the trees.   In: GradientTrees, a Shape as it shall be.   Out: GradientTrees that add exactly that.

Leaves whose branches test the column alone add nothing any more, and a last round is the shape: a tree for each
output with a leaf for each run of equal pieces, missing cells apart.

    number     is it missing? no -> halves, and halves of them, by the ends      category   halves of the levels
"""

from collections import deque
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.gradient.additive import group_leaves, mean_of_parts
from hedgerow.gradient.shape import Pieces, Shape
from hedgerow.gradient.trees import PER_NODE, GradientTrees, n_words
from hedgerow.tree.tree import NONE
from hedgerow.types import Float, Word
from hedgerow.words import quote

Arrays = dict[str, NDArray[Any]]  # the arrays of PER_NODE of one tree, and "words", its subsets
NO_NUMBER_ABOVE = float(np.finfo(np.float64).max)


def replace_shape(trees: GradientTrees, shape: Shape) -> GradientTrees:
    _check(trees, shape)
    column = shape.pieces.column
    own = group_leaves(trees).get((column,), [])
    replaced = {part.number: part for part in own}
    parts: list[Arrays] = []
    gain = np.zeros(trees.n_outputs)
    for t in range(trees.n_trees):
        tree, nodes = trees.tree(t), slice(int(trees.start[t]), int(trees.start[t + 1]))
        arrays = {name: getattr(trees, name)[nodes] for name in PER_NODE}
        arrays |= {"subset_start": tree.subset_start, "words": tree.subset_bits}
        if t in replaced and np.all(tree.feature[tree.feature >= 0] == column):
            gain[replaced[t].output] += arrays["gain"].sum()
            arrays = _leaf(0.0, int(tree.n_rows[0]))
        elif t in replaced:
            arrays["value"] = np.where(replaced[t].mine, 0.0, arrays["value"])
        parts.append(arrays)
    values = shape.values + mean_of_parts(own, trees.n_outputs)
    parts += [
        _tree(trees, shape.pieces, values[:, k], shape.rows, float(gain[k])) for k in range(trees.n_outputs)
    ]
    return _lay(trees, parts)


def _check(trees: GradientTrees, shape: Shape) -> None:
    schema, pieces = trees.schema, shape.pieces
    known = (
        0 <= pieces.column < len(schema.names)
        and schema.names[pieces.column] == pieces.name
        and schema.levels[pieces.column] == pieces.levels
    )
    if not known:
        raise ValueError(f"The shape is of a column {quote(pieces.name)} that this model does not have so.")
    wanted = (len(pieces) + 1, trees.n_outputs)
    if shape.values.shape != wanted or not np.isfinite(shape.values).all():
        raise ValueError(
            f"The values of the shape want {wanted[0]} pieces x {wanted[1]} outputs, all finite."
        )
    if np.any(np.diff(pieces.ends) <= 0):
        raise ValueError(f"The ends of the shape of {quote(pieces.name)} do not rise.")


def _leaf(value: float, n_rows: int) -> Arrays:
    return {
        "column": np.array([NONE], np.int32),
        "threshold": np.array([np.nan]),
        "subset_start": np.array([NONE], np.int64),
        "first_child": np.array([NONE], np.int32),
        "missing_left": np.zeros(1, np.uint8),
        "value": np.array([value]),
        "gain": np.zeros(1),
        "n_rows": np.array([n_rows], np.int64),
        "words": np.empty(0, np.uint64),
    }


def _tree(trees: GradientTrees, pieces: Pieces, values: Float, rows: Float, gain: float) -> Arrays:
    """A balanced tree over runs of equal pieces. Missing is a piece like the others, of numbers always the last."""
    counts = np.maximum(np.rint(rows), 1).astype(np.int64)
    if np.all(values == values[0]):
        return _leaf(float(values[0]), int(counts.sum()))
    runs = _runs(pieces, values)
    nodes: list[Arrays] = [_leaf(0.0, 0)]
    words: list[Word] = []
    todo = deque([(0, 0, len(runs))])
    while todo:
        node, first, last = todo.popleft()
        inside = np.concatenate(runs[first:last])
        own = _leaf(float(np.average(values[inside], weights=counts[inside])), int(counts[inside].sum()))
        nodes[node] = own
        if last - first == 1:
            own["value"][0] = values[inside[0]]  # to the bit
            continue
        apart = not pieces.levels and last == len(runs)  # missing cells of a number leave first
        middle = last - 1 if apart else (first + last) // 2
        left = np.concatenate(runs[first:middle])
        own["column"][0], own["first_child"][0] = pieces.column, len(nodes)
        if pieces.levels:
            own["subset_start"][0] = sum(map(len, words))
            own["missing_left"][0] = len(pieces) in left
            words.append(_subset(trees, pieces, left))
        else:
            own["threshold"][0] = NO_NUMBER_ABOVE if apart else pieces.ends[left[-1]]
        todo += [(len(nodes), first, middle), (len(nodes) + 1, middle, last)]
        nodes += [own, own]  # to be replaced
    nodes[0]["gain"][0] = gain
    part = {name: np.concatenate([node[name] for node in nodes]) for name in PER_NODE}
    return {**part, "words": np.concatenate(words) if words else np.empty(0, np.uint64)}


def _runs(pieces: Pieces, values: Float) -> list[NDArray[np.int64]]:
    """Pieces that one leaf can hold: neighbours of one value; levels of one value. Missing is the last of numbers."""
    order = np.argsort(values, kind="stable") if pieces.levels else np.arange(len(values))
    new = np.flatnonzero(np.diff(values[order])) + 1
    cuts = new if pieces.levels else np.union1d(new, [len(values) - 1])
    return [np.asarray(run) for run in np.split(order, cuts)]


def _subset(trees: GradientTrees, pieces: Pieces, left: NDArray[np.int64]) -> Word:
    """A bit for each level that goes left; the one after them is a level never seen, which goes as missing cells do."""
    bits = np.zeros(n_words(trees.schema, pieces.column) * 64, np.uint8)
    bits[left] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


def _lay(trees: GradientTrees, parts: list[Arrays]) -> GradientTrees:
    """All trees one behind the other, and their subsets too."""
    before = 0
    for part in parts:
        start = part["subset_start"]
        part["subset_start"] = np.where(start >= 0, start + before, NONE)
        before += len(part["words"])
    sizes = [len(part["column"]) for part in parts]
    per_node: dict[str, Any] = {name: np.concatenate([part[name] for part in parts]) for name in PER_NODE}
    return replace(
        trees,
        start=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        subset_bits=np.concatenate([part["words"] for part in parts]),
        **per_node,
    )
