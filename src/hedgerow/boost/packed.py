"""Scores of all rounds at once.   In: Rounds and rows.   Out: what combine.py says, faster.

Stumps are added up into one table for each column, trees are laid one behind the other; both are made once for a
Rounds. Other predictors are evaluated one by one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from hedgerow.boost import combine
from hedgerow.boost.boost_input import BoostInput
from hedgerow.boost.combine import staged_scores
from hedgerow.boost.rounds import Round, Rounds
from hedgerow.boost.weak.stump import StumpWeak
from hedgerow.boost.weak.tree import TreeWeak
from hedgerow.core import native
from hedgerow.core.sparse_rows import in_blocks
from hedgerow.table.sparse import SparseTable
from hedgerow.tree.pack import SUBSET_NODE, WIDE, pack, packable
from hedgerow.types import Byte, Count, Float, FloatAny, Index, Word

__all__ = ["scores", "staged_scores"]


@dataclass(frozen=True, eq=False)
class Tables:
    """See native/boost/score.hpp."""

    column: Index
    n_levels: Index
    end_start: Count
    ends: Float
    line_start: Count
    lines: Float

    def scores(self, rows: BoostInput) -> Float:
        if isinstance(rows.table, SparseTable):
            own = rows.table.select_places(self.column.astype(np.int64)).by_row
            places = np.arange(len(self.column), dtype=np.int32)
            return np.asarray(in_blocks(lambda block: self._scores(places, block, rows.threads), own))
        return self._scores(self.column, rows.matrix, rows.threads)

    def _scores(self, column: Index, cells: FloatAny, threads: int) -> Float:
        return native.table_scores(
            column, self.n_levels, self.end_start, self.ends, self.line_start, self.lines, cells, threads
        )


@dataclass(frozen=True, eq=False)
class Trees:
    nodes: Byte
    words: Word
    root: Count
    depth: Index
    column: Index
    amount: Float
    width: int

    def scores(self, rows: BoostInput) -> Float:
        return native.tree_scores(
            self.nodes,
            self.words,
            self.root,
            self.depth,
            self.column,
            self.amount,
            rows.matrix,
            self.width,
            rows.threads,
        )


_packed: "WeakKeyDictionary[Rounds, Tables | Trees | None]" = WeakKeyDictionary()


def scores_form(rounds: Rounds) -> Tables | Trees | None:
    """How scores are added up; None: predictor by predictor."""
    if rounds not in _packed:
        _packed[rounds] = _pack(rounds)
    return _packed[rounds]


def scores(rounds: Rounds, rows: BoostInput) -> Float:
    packed = scores_form(rounds)
    if packed is None or (isinstance(packed, Trees) and isinstance(rows.table, SparseTable)):
        return combine.scores(rounds, rows)
    return packed.scores(rows)


def _pack(rounds: Rounds) -> Tables | Trees | None:
    each = list(_weaks(rounds))
    if each and all(isinstance(weak, StumpWeak) for _, _, weak in each):
        return _tables(rounds)
    if each and all(isinstance(weak, TreeWeak) and packable(weak.tree) for _, _, weak in each):
        return _trees(rounds)
    return None


def _weaks(rounds: Rounds) -> Iterator[tuple[Round, int, object]]:
    """Every predictor that counts, and the column of the score it adds to."""
    for round in rounds.rounds:
        if not round.reset:
            for k, weak in enumerate(round.weaks):
                yield round, k, weak


def _amounts(round: Round, k: int, outputs: Float, rounds: Rounds) -> Float:
    """What outputs add to each column of the score: outputs x width."""
    added = combine.weigh_outputs(outputs[:, None], round.alpha, round.alpha_no, rounds.form, rounds.width)
    if rounds.form == "votes" or rounds.width == 1:
        return added
    out = np.zeros((len(outputs), rounds.width))
    out[:, k] = added[:, 0]
    return out


def _tables(rounds: Rounds) -> Tables:
    by_column: dict[int, list[tuple[Round, int, StumpWeak]]] = {}
    for round, k, weak in _weaks(rounds):
        assert isinstance(weak, StumpWeak)
        by_column.setdefault(weak.column, []).append((round, k, weak))
    columns = sorted(by_column)
    n_levels = [by_column[j][0][2].n_levels for j in columns]
    ends = [
        np.unique([weak.threshold for *_, weak in by_column[j] if np.isfinite(weak.threshold)])
        for j in columns
    ]
    lines = [_table(rounds, by_column[j], ends[i]) for i, j in enumerate(columns)]
    return Tables(
        np.array(columns, np.int32),
        np.array(n_levels, np.int32),
        np.cumsum([0, *map(len, ends)], dtype=np.int64),
        np.concatenate(ends),
        np.cumsum([0, *map(len, lines)], dtype=np.int64),
        np.ascontiguousarray(np.vstack(lines)),
    )


def _table(rounds: Rounds, asking: list[tuple[Round, int, StumpWeak]], ends: Float) -> Float:
    """A line for each piece or level, one for levels never seen, one for missing cells."""
    n_levels = asking[0][2].n_levels
    total = np.zeros((n_levels or len(ends) + 1, rounds.width))
    rest = np.zeros((2, rounds.width))
    for round, k, weak in asking:
        amounts = _amounts(round, k, np.array([weak.first, weak.second, weak.unseen, weak.missing]), rounds)
        pieces = np.append(ends, np.inf)
        first = np.isin(np.arange(n_levels), weak.levels) if n_levels else pieces <= weak.threshold
        total += np.where(first[:, None], amounts[0], amounts[1])
        rest += amounts[2:]
    return np.vstack([total, rest])


def _trees(rounds: Rounds) -> Trees:
    nodes, words, roots, depths, columns, amounts = [], [], [], [], [], []
    n_nodes = n_words = 0
    for round, k, weak in _weaks(rounds):
        assert isinstance(weak, TreeWeak)
        own = pack(weak.tree).nodes.reshape(-1).view(WIDE).copy()
        own["child"] += n_nodes
        own["threshold"] += np.where(own["feature"] & SUBSET_NODE, n_words, 0)
        value = weak.tree.value
        if rounds.form == "votes":
            column = np.argmax(value, axis=1)
            amount = np.full(len(value), round.alpha)
        else:
            output = value[:, 0] if value.shape[1] == 1 else np.where(value[:, 1] > value[:, 0], 1.0, -1.0)
            column = np.full(len(value), k)
            amount = output * np.where(output > 0, round.alpha, round.alpha_no)
        nodes.append(own)
        words.append(weak.tree.subset_bits)
        roots.append(n_nodes)
        depths.append(weak.tree.max_depth)
        columns.append(column)
        amounts.append(amount)
        n_nodes += len(own)
        n_words += len(weak.tree.subset_bits)
    return Trees(
        np.concatenate(nodes).view(np.uint8).reshape(-1, WIDE.itemsize),
        np.concatenate(words),
        np.array(roots, np.int64),
        np.array(depths, np.int32),
        np.concatenate(columns).astype(np.int32),
        np.concatenate(amounts),
        rounds.width,
    )
