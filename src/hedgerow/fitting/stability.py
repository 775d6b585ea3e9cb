"""Split stability.   In: a Tree, its rows, a way to fit it again with other weights.   Out: Stability: how much of the
tree comes back on bootstrap rows.

A replica is a tree of as many rows, drawn with replacement: a row drawn twice has weight two. Codes and questions are
those of all rows, made once.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hedgerow.grow import Target
from hedgerow.tree import agreement
from hedgerow.tree.agreement import Rows, match, rows_of, stands
from hedgerow.tree.predict import values as predict_values
from hedgerow.tree.tree import LEAF, Tree
from hedgerow.types import Count, Float, FloatAny, Index


@dataclass(frozen=True, eq=False)
class Counts:
    """Of the replicas, by node."""

    reached: Count  # that ask the same, or a rival, at every node above
    same_split: Count  # the same column, and every row of the node goes the same way
    same_column: Count  # the same column, same_split included
    rival: Count  # another column that sends nine rows in ten the same way
    other: Count
    no_question: Count  # that have a leaf there
    columns: Count  # nodes x columns: how often each is tested there
    thresholds: Float  # replicas x nodes; NaN where it is not the same column
    stays: Count  # leaves: the decision of most of its weight is the same; numbers: 0
    kept: Float  # leaves: mean share of its weight with the same decision; numbers: NaN
    values: Float  # replicas x nodes: leaves of numbers: the mean prediction of its rows; else NaN


def draw_weights(target: Target, n_rows: int, n_replicas: int, seed: int) -> list[Float]:
    """Bootstrap weights: of the rows that count, as many as there are, with replacement."""
    weight = np.ones(n_rows) if target.weight is None else target.weight
    used = np.flatnonzero(weight)
    rng = np.random.default_rng(seed)
    drawn = [rng.multinomial(len(used), np.full(len(used), 1 / len(used))) for _ in range(n_replicas)]
    every = []
    for counts in drawn:
        one = np.zeros(n_rows)
        one[used] = counts * weight[used]
        every.append(one)
    return every


def count_agreement(
    tree: Tree, cells: FloatAny, weight: Float, replicas: list[Float], refit: Callable[[Float], Tree]
) -> Counts:
    """`refit` gives the tree of other weights; `replicas` are such weights."""
    rows = rows_of(tree, np.asarray(cells, np.float64), weight)
    n, shape = tree.n_nodes, (len(replicas), tree.n_nodes)
    outcome = np.zeros(shape, np.int32)
    column = np.full(shape, -1, np.int32)
    threshold, kept, values = np.full(shape, np.nan), np.full(shape, np.nan), np.full(shape, np.nan)
    for b, drawn in enumerate(replicas):
        other = refit(drawn)
        found = match(tree, other, rows)
        outcome[b], column[b], threshold[b] = found.outcome, found.column, found.threshold
        kept[b], values[b] = _leaves(tree, other, rows)
    count = {k: np.count_nonzero(outcome == k, axis=0) for k in range(1, 6)}
    columns = np.zeros((n, tree.n_features), np.int64)
    replica, node = np.nonzero(column >= 0)
    np.add.at(columns, (node, column[replica, node]), 1)
    return Counts(
        reached=np.count_nonzero(outcome, axis=0) + (tree.kind == LEAF) * _reached_leaves(tree, outcome),
        same_split=count[agreement.SAME_SPLIT],
        same_column=count[agreement.SAME_SPLIT] + count[agreement.SAME_COLUMN],
        rival=count[agreement.RIVAL_COLUMN],
        other=count[agreement.OTHER_COLUMN],
        no_question=count[agreement.NO_QUESTION],
        columns=columns,
        thresholds=threshold,
        stays=np.count_nonzero(np.nan_to_num(kept) > 0.5, axis=0),
        kept=_mean(kept),
        values=values,
    )


def _reached_leaves(tree: Tree, outcome: Index) -> Count:
    """A leaf is reached where the question above it stands."""
    parent = np.maximum(tree.parent, 0)
    reached: Count = np.count_nonzero(stands(outcome)[:, parent], axis=0)
    return reached if tree.n_nodes > 1 else np.array([len(outcome)])


def _leaves(tree: Tree, other: Tree, rows: Rows) -> tuple[Float, Float]:
    """Of each leaf: the share of its weight that is decided as before; of numbers, its rows' mean prediction."""
    kept, mean = np.full(tree.n_nodes, np.nan), np.full(tree.n_nodes, np.nan)
    predicted = predict_values(other, rows.cells, 1)
    for leaf in np.flatnonzero(tree.kind == LEAF):
        here = rows.members[leaf]
        if not len(here):
            continue
        weight = rows.weight[here]
        if tree.n_outputs > 1:
            same = predicted[here].argmax(axis=1) == tree.value[leaf].argmax()
            kept[leaf] = weight @ same / weight.sum()
        else:
            mean[leaf] = weight @ predicted[here, 0] / weight.sum()
    return kept, mean


def _mean(shares: Float) -> Float:
    known = ~np.isnan(shares)
    many = known.sum(axis=0)
    return np.where(many > 0, np.where(known, shares, 0.0).sum(axis=0) / np.maximum(many, 1), np.nan)
