"""Grown trees.   In: trees of bins, one by one, as the native grower makes them.   Out: GradientTrees, whose nodes ask
about numbers and levels.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.gradient.bins import Bins
from hedgerow.gradient.trees import PER_NODE, GradientTrees, n_words
from hedgerow.tree.tree import NONE
from hedgerow.types import Byte, Count, Float, Index, UIndex, Word


@dataclass(frozen=True, eq=False)
class GrownTree:
    """What native.gradient_grow returns."""

    column: Index
    bin: Index
    first_child: Index
    categorical: Byte
    missing_left: Byte
    levels: Word
    value: Float
    gain: Float
    hessian: Float
    begin: Count
    n_rows: Count
    depth: Index
    low: Float  # bounds of the value, where columns are monotone
    high: Float
    rows: UIndex  # sorted by leaf


class TreesBuilder:
    """Trees added one by one; `finish` lays them behind each other."""

    def __init__(self, binned: Bins, baseline: Float, earlier: GradientTrees | None = None) -> None:
        self.binned, self.baseline, self.earlier = binned, baseline, earlier
        self._parts: list[dict[str, NDArray[Any]]] = []
        self._words: list[Word] = []  # of each part
        last = [np.finfo(np.float64).max]  # all that is not missing
        self._edges = np.concatenate([part for edges in binned.edges for part in (edges, last)])
        self._edge_start = np.cumsum([0, *(len(edges) + 1 for edges in binned.edges)])

    def add(self, grown: GrownTree, value: Float) -> None:
        inner = grown.first_child >= 0
        number = inner & (grown.categorical == 0)
        threshold = np.full(len(inner), np.nan)
        threshold[number] = self._edges[self._edge_start[grown.column[number]] + grown.bin[number]]
        subset_start, own, n_own = np.full(len(inner), NONE, np.int64), [np.empty(0, np.uint64)], 0
        for t in np.flatnonzero(grown.categorical):
            words = self._level_words(int(grown.column[t]), grown.levels[t], bool(grown.missing_left[t]))
            subset_start[t] = n_own
            own.append(words)
            n_own += len(words)
        self._words.append(np.concatenate(own))
        part = {
            name: getattr(grown, name) for name in ("column", "first_child", "missing_left", "gain", "n_rows")
        }
        self._parts.append(part | {"threshold": threshold, "subset_start": subset_start, "value": value})

    def _level_words(self, column: int, codes: Word, missing_left: bool) -> Word:
        """Codes that go left -> levels that go left. A level without rows goes where missing cells go."""
        code = self.binned.code_of_level[column]
        chosen = (
            codes[np.maximum(code, 0) >> 6] >> (np.maximum(code, 0) & 63).astype(np.uint64)
        ) & np.uint64(1)
        left = np.append(np.where(code < 0, missing_left, chosen > 0), missing_left)
        padded = np.zeros(n_words(self.binned.schema, column) * 64, np.uint8)
        padded[: len(left)] = left
        return np.packbits(padded, bitorder="little").view(np.uint64)

    @property
    def n_trees(self) -> int:
        return len(self._parts) + (0 if self.earlier is None else self.earlier.n_trees)

    def finish(self, since: int = 0) -> GradientTrees:
        """All trees, or those from number `since` of this builder on."""
        parts, words = self._parts[since:], self._words[since:]
        earlier = self.earlier if since == 0 else None
        columns: dict[str, NDArray[Any]] = {}
        for name in PER_NODE:
            added = [part[name] for part in parts]
            columns[name] = np.concatenate(
                [*([] if earlier is None else [getattr(earlier, name)]), *added] or [_none(name)]
            )
        old_sizes = [] if earlier is None else np.diff(earlier.start).tolist()
        old_words = np.empty(0, np.uint64) if earlier is None else earlier.subset_bits
        sizes = [len(part["column"]) for part in parts]
        own = columns["subset_start"][sum(old_sizes) :]
        before = np.cumsum([len(old_words), *(len(one) for one in words)])[:-1]
        own += np.where(own >= 0, np.repeat(before, sizes), 0)
        return GradientTrees(
            schema=self.binned.schema,
            baseline=self.baseline,
            start=np.concatenate([[0], np.cumsum([*old_sizes, *sizes])]).astype(np.int64),
            subset_bits=np.concatenate([old_words, *words]),
            **columns,
        )


def _none(name: str) -> NDArray[Any]:
    types = {"column": np.int32, "first_child": np.int32, "missing_left": np.uint8}
    counts = {"subset_start": np.int64, "n_rows": np.int64}
    return np.empty(0, {**types, **counts}.get(name, np.float64))
