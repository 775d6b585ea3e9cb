"""The trees of a forest.   In: Trees, or slim ones.   Out: a sequence of Trees.

A slim tree takes 14 bytes a node and a small table, a Tree a hundred or more. Trees of classes whose rows count as
often as they were drawn are kept slim; each becomes a Tree again, to the last bit, when it is looked at.
native/forest/slim.hpp has the layout.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload
from weakref import WeakValueDictionary

import numpy as np

from hedgerow.core import native
from hedgerow.grow.grow import Grown
from hedgerow.tree.tree import NONE, Tree
from hedgerow.types import Float, Index, UIndex


@dataclass(frozen=True, eq=False)
class Slim:
    n_levels: Index
    criterion: str
    first_child: Index  # by node; -1: a leaf
    feature: Index  # by inner node: the column, or ~column where missing cells go to the second child
    threshold: Float  # by inner node
    n_rows: UIndex  # by leaf
    place: UIndex  # by leaf: its row of the table
    table: UIndex  # places x classes: counts

    @property
    def arrays(self) -> tuple[Any, ...]:
        return (self.first_child, self.feature, self.threshold, self.n_rows, self.place, self.table)

    @property
    def n_nodes(self) -> int:
        return len(self.first_child)

    @property
    def n_leaves(self) -> int:
        return len(self.n_rows)

    @property
    def n_outputs(self) -> int:
        return int(self.table.shape[1])

    @property
    def n_bytes(self) -> int:
        return sum(array.nbytes for array in self.arrays)

    def to_tree(self) -> Tree:
        grown = Grown(**native.made_whole(self.arrays, self.criterion))
        inner = grown.missing_branch != NONE
        return Tree(
            feature=grown.feature,
            kind=grown.kind,
            threshold=grown.threshold,
            subset_start=grown.subset_start,
            first_child=grown.first_child,
            n_children=grown.n_children,
            missing_child=np.where(inner, grown.first_child + grown.missing_branch, np.int32(NONE)),
            value=grown.value / grown.value.sum(axis=1, keepdims=True),
            weight=grown.weight,
            n_rows=grown.n_rows,
            impurity=grown.impurity,
            subset_bits=grown.subset_bits,
            n_levels=self.n_levels,
        )


class Trees(Sequence[Tree]):
    """Frozen. A tree that somebody still holds is given again."""

    def __init__(self, parts: Iterable[Tree | Slim]) -> None:
        self.parts = tuple(parts)
        self._held: WeakValueDictionary[int, Tree] = WeakValueDictionary()

    def __len__(self) -> int:
        return len(self.parts)

    @overload
    def __getitem__(self, at: int) -> Tree: ...
    @overload
    def __getitem__(self, at: slice) -> "Trees": ...
    def __getitem__(self, at: int | slice) -> "Tree | Trees":
        if isinstance(at, slice):
            return Trees(self.parts[at])
        part = self.parts[at]
        if isinstance(part, Tree):
            return part
        at = at % len(self.parts)
        tree = self._held.get(at)
        if tree is None:
            tree = self._held[at] = part.to_tree()
        return tree

    def __iter__(self) -> Iterator[Tree]:
        return (self[t] for t in range(len(self.parts)))

    def __add__(self, more: "Sequence[Tree]") -> "Trees":
        return Trees(self.parts + parts_of(more))

    def __reduce__(self) -> tuple[Any, ...]:
        return Trees, (self.parts,)

    @property
    def sizes(self) -> list[int]:
        """Nodes of each."""
        return [part.n_nodes for part in self.parts]


def parts_of(trees: Sequence[Tree]) -> tuple[Tree | Slim, ...]:
    return trees.parts if isinstance(trees, Trees) else tuple(trees)
