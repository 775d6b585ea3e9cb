"""The fast layout of a Forest, as the native walk reads it.   In: a Forest.   Out: bytes, 16 or 8 a node, and a table
of leaf values.

Narrow nodes (8 bytes) are for float32 rows and forests without categories. Equal leaf values stand in the table once:
a forest grown to the end has little more of them than classes. native/forest/pack.hpp has the layout.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.core import native
from hedgerow.core.sparse_rows import SparseRows
from hedgerow.ensemble.forest import Forest
from hedgerow.ensemble.trees import Slim
from hedgerow.tree.pack import packable as tree_packable
from hedgerow.tree.tree import Tree
from hedgerow.types import Byte, Count, Float, FloatAny, Word


@dataclass(frozen=True, eq=False)
class PackedForest:
    nodes: Byte  # nodes of all trees x bytes
    feature_bits: int  # of a narrow node's word; 0: wide nodes
    start: Count  # first node of each tree, and the end
    words: Word  # of subsets
    table: Float  # leaf values x outputs

    @property
    def n_bytes(self) -> int:
        """All of it."""
        parts = (self.nodes, self.start, self.words, self.table)
        return sum(part.nbytes for part in parts)

    @cached_property
    def vote_table(self) -> Float:
        """What a leaf votes for: its largest class; a tie goes to the first."""
        votes: Float = np.eye(self.table.shape[1])[self.table.argmax(axis=1)]
        return votes


_packed: "WeakKeyDictionary[Forest, dict[bool, PackedForest | None]]" = WeakKeyDictionary()


def packed_for(forest: Forest, rows: FloatAny | SparseRows) -> PackedForest | None:
    """Packed once a Forest and width of rows; None if some tree does not go by two-way steps."""
    made = _packed.setdefault(forest, {})
    narrow = rows.dtype == np.float32
    if narrow not in made:
        made[narrow] = pack(forest, narrow=bool(narrow))
    return made[narrow]


def pack(forest: Forest, *, narrow: bool) -> PackedForest | None:
    """`narrow`: for float32 rows; where nodes do not fit into 8 bytes they take 16."""
    parts = forest.trees.parts
    if not all(isinstance(part, Slim) or tree_packable(part) for part in parts):
        return None
    trees = [_arrays(part) for part in parts]
    return PackedForest(*native.pack_forest(trees, len(parts[0].n_levels), narrow))


def _arrays(part: Tree | Slim) -> tuple[Any, ...]:
    if isinstance(part, Slim):
        return part.arrays
    return (
        part.feature,
        part.kind,
        part.threshold,
        part.first_child,
        part.missing_child,
        part.subset_start,
        part.subset_bits,
        part.value,
    )
