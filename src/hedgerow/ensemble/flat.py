"""Trees of any kind, one after the other, as the native kernels that explain them read them.

In: Trees.   Out: arrays, laid out as FlatNode and FlatSurrogate in native/explain/flat.hpp.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.ensemble.forest import Forest
from hedgerow.tree.tree import LEAF, NONE, SUBSET, Tree
from hedgerow.types import Byte, Count, Float, Word

NODE = np.dtype(
    [
        ("threshold", np.float64),
        *((name, np.int32) for name in ("first", "n_children", "missing", "feature", "kind")),
        *((name, np.int32) for name in ("stand_begin", "stand_end", "spare")),
    ]
)
STAND = np.dtype(
    [
        ("threshold", np.float64),
        ("start", np.int64),
        *((name, np.int32) for name in ("feature", "n_levels", "first_below", "spare")),
    ]
)


@dataclass(frozen=True, eq=False)
class Flat:
    nodes: Byte
    starts: Count  # the root of each tree, and the end
    words: Word
    surrogates: Byte
    surrogate_words: Word
    value: Float
    weight: Float

    def arrays(self) -> dict[str, Any]:
        return dict(vars(self))

    @property
    def n_trees(self) -> int:
        return len(self.starts) - 1


_flat: "WeakKeyDictionary[Forest, Flat]" = WeakKeyDictionary()


def flat_of(forest: Forest) -> Flat:
    """Made once a Forest: Forests never change."""
    if forest not in _flat:
        _flat[forest] = flatten(forest.trees)
    return _flat[forest]


def flatten(trees: Sequence[Tree]) -> Flat:
    trees = tuple(trees)
    sizes = [tree.n_nodes for tree in trees]
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    nodes, stands = [], []
    words, stand_words, n_stands = 0, 0, 0
    for tree in trees:
        nodes.append(_nodes(tree, words, n_stands))
        stands.append(_stands(tree, stand_words))
        words += len(tree.subset_bits)
        stand_words += len(tree.surrogate_bits)
        n_stands += len(tree.surrogate_node)
    return Flat(
        np.concatenate(nodes).view(np.uint8).reshape(-1, NODE.itemsize),
        starts,
        np.concatenate([tree.subset_bits for tree in trees]),
        np.concatenate(stands).view(np.uint8).reshape(-1, STAND.itemsize),
        np.concatenate([tree.surrogate_bits for tree in trees]),
        np.concatenate([tree.value for tree in trees]),
        np.concatenate([tree.weight for tree in trees]),
    )


def _nodes(tree: Tree, words: int, stands: int) -> np.ndarray[Any, Any]:
    out = np.zeros(tree.n_nodes, NODE)
    out["threshold"] = np.where(tree.kind == SUBSET, tree.subset_start + words, tree.threshold)
    out["first"], out["n_children"] = tree.first_child, tree.n_children
    spread = (tree.missing_child == NONE) | (tree.kind == LEAF)
    out["missing"] = np.where(spread, NONE, tree.missing_child - tree.first_child)
    out["feature"], out["kind"] = tree.feature, tree.kind
    if len(tree.surrogate_node):
        ends = np.searchsorted(tree.surrogate_node, np.arange(tree.n_nodes + 1))
        out["stand_begin"], out["stand_end"] = ends[:-1] + stands, ends[1:] + stands
    return out


def _stands(tree: Tree, words: int) -> np.ndarray[Any, Any]:
    out = np.zeros(len(tree.surrogate_node), STAND)
    out["threshold"] = tree.surrogate_threshold
    out["start"] = np.where(tree.surrogate_start == NONE, NONE, tree.surrogate_start + words)
    out["feature"], out["first_below"] = tree.surrogate_feature, tree.surrogate_first_below
    out["n_levels"] = tree.n_levels[tree.surrogate_feature]
    return out
