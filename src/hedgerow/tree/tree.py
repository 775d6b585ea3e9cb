"""The Tree: one row per node, parents before children, siblings next to each other.

In: arrays.   Out: the same arrays, read-only.   Everything else is a function over this one structure. ARRAYS lists
them, for whatever copies, reorders or saves them all.

            0                 feature      [2, -1,  0, -1, -1]
          /   \\               first_child  [1, -1,  3, -1, -1]
         1     2              n_children   [2,  0,  2,  0,  0]
              / \\
             3   4

A number is tested by `value <= threshold` (yes: the first child). A category is tested by its bit in the
node's subset: bit k of the words starting at `subset_bits[subset_start]` is one when level k goes to the
first child. The bit after the last level is the route of a level never seen in training. A missing cell goes
to `missing_child`; -1 there means to all children, by their share of the weight. Where it stops instead, a two-way
node has a third child, a leaf with the node's own value: `stop_leaves`.
"""

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray

from hedgerow.types import Byte, Count, Float, Index, Mask, Word

LEAF, THRESHOLD, SUBSET, MULTIWAY = 0, 1, 2, 3
NONE = -1


def _none() -> NDArray[Any]:
    return np.empty(0)


@dataclass(frozen=True, eq=False)
class Tree:
    feature: Index  # column tested; -1 at a leaf
    kind: Byte  # LEAF, THRESHOLD, SUBSET or MULTIWAY
    threshold: Float  # NaN where the kind is not THRESHOLD
    subset_start: Count  # -1 where the kind is not SUBSET
    first_child: Index  # -1 at a leaf
    n_children: Index  # 0 at a leaf
    missing_child: Index  # node a missing cell goes to; -1 = to all, by their share (and at a leaf)
    value: Float  # nodes x outputs: class shares, or the mean; at EVERY node
    weight: Float  # weight of the training rows that reached the node
    n_rows: Count  # their number
    impurity: Float
    subset_bits: Word  # words of all subsets, one after the other
    n_levels: Index  # per column: number of levels, 0 for a number
    # Surrogates (CART): tests that stand in when a node's cell is missing, by node, best first; mostly none.
    surrogate_node: Index = field(default_factory=_none)
    surrogate_feature: Index = field(default_factory=_none)
    surrogate_threshold: Float = field(default_factory=_none)  # NaN for categories
    surrogate_first_below: Byte = field(default_factory=_none)  # numbers: up to the threshold -> first child
    surrogate_start: Count = field(default_factory=_none)  # categories: first word in surrogate_bits; else -1
    surrogate_bits: Word = field(default_factory=_none)  # bit k: level k goes to the first child
    surrogate_agreement: Float = field(default_factory=_none)  # share of the rows it sends the node's own way
    surrogate_adjusted: Float = field(default_factory=_none)  # the same, 0 where all go with the majority

    def __post_init__(self) -> None:
        for name, spec in ARRAYS.items():
            array: NDArray[Any] = np.ascontiguousarray(getattr(self, name), dtype=spec.dtype)
            if array.flags.writeable:
                array = array.view()
                array.flags.writeable = False
            object.__setattr__(self, name, array)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """A copy (pickle, deepcopy) is as read-only as the Tree it was made of."""
        for name, value in state.items():
            if isinstance(value, np.ndarray):
                value.flags.writeable = False
            object.__setattr__(self, name, value)

    @property
    def n_nodes(self) -> int:
        return len(self.feature)

    @property
    def n_features(self) -> int:
        return len(self.n_levels)

    @property
    def n_outputs(self) -> int:
        return int(self.value.shape[1])

    @cached_property
    def n_leaves(self) -> int:
        return int(np.count_nonzero(self.kind == LEAF))

    @cached_property
    def parent(self) -> Index:
        """Parent of each node; -1 at the root."""
        inner = np.flatnonzero(self.n_children)
        parent = np.full(self.n_nodes, NONE, np.int32)
        many = self.n_children[inner]
        parent[np.repeat(self.first_child[inner], many) + ramp(many)] = np.repeat(inner, many)
        return parent

    @cached_property
    def depth(self) -> Index:
        """Depth of each node; 0 at the root. Level by level: no recursion, no loop over nodes."""
        depth = np.zeros(self.n_nodes, np.int32)
        level, here = 0, np.zeros(1, np.int64)
        while len(here):
            depth[here] = level
            many = self.n_children[here]
            here = np.repeat(self.first_child[here], many) + ramp(many)
            level += 1
        return depth

    @cached_property
    def stop_leaves(self) -> Mask:
        """Which nodes are leaves for the rows that stop at their parent, since the cell it tests is missing."""
        at = np.flatnonzero((self.kind != MULTIWAY) & (self.n_children == 3))
        mask = np.zeros(self.n_nodes, bool)
        mask[self.first_child[at] + 2] = True
        return mask

    @property
    def max_depth(self) -> int:
        return int(self.depth.max())


def ramp(many: Index | Count) -> Count:
    """[2, 3] -> [0, 1, 0, 1, 2]: the place of each child among its siblings."""
    ends = np.cumsum(many, dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    return np.arange(total, dtype=np.int64) - np.repeat(ends - many, many)


class ArraySpec(NamedTuple):
    """What an array of a Tree holds."""

    dtype: type  # as the field's annotation says
    per: str  # what it has an entry for: "node", "column", "surrogate", or "word" of bits
    rank: int

    @property
    def code(self) -> str:
        """The dtype as model files (safetensors) name it: I32, U8, F64."""
        dtype = np.dtype(self.dtype)
        return f"{dtype.kind.upper()}{8 * dtype.itemsize}"


def _spec(name: str, annotation: Any) -> ArraySpec:
    per = "surrogate" if name.startswith("surrogate_") else "node"
    per = {"subset_bits": "word", "surrogate_bits": "word", "n_levels": "column"}.get(name, per)
    return ArraySpec(_dtype_of(annotation), per, 2 if name == "value" else 1)


def _dtype_of(annotation: Any) -> type:
    """Of NDArray[dtype], which is ndarray[shape, np.dtype[dtype]], or from NumPy 2.5 on an alias by that name."""
    while inner := get_args(annotation):
        annotation = inner[-1]
    assert isinstance(annotation, type)
    return annotation


ARRAYS = {name: _spec(name, annotation) for name, annotation in Tree.__annotations__.items()}
PER_NODE = tuple(name for name, spec in ARRAYS.items() if spec.per == "node")
PER_SURROGATE = tuple(name for name, spec in ARRAYS.items() if spec.per == "surrogate")


def to_arrays(tree: Tree) -> dict[str, NDArray[Any]]:
    """Every array by name; `Tree(**arrays)` is the same tree."""
    return {name: getattr(tree, name) for name in ARRAYS}


def take_nodes(tree: Tree, nodes: Count) -> dict[str, NDArray[Any]]:
    """What the arrays of nodes hold for these nodes; children keep their old numbers, subsets their old places."""
    return {name: getattr(tree, name)[nodes] for name in PER_NODE}


def take_surrogates(tree: Tree, surrogates: Count) -> dict[str, NDArray[Any]]:
    """The same of surrogates."""
    return {name: getattr(tree, name)[surrogates] for name in PER_SURROGATE}
