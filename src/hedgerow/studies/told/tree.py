"""A tree, told.   In: a grown Tree, its complexity table.   Out: TreeTold: every node, and every size it can be cut to.

A tree of thousands of leaves is nothing to look at: what is told starts at the first size of at most MOST_LEAVES.
"""

import numpy as np

from hedgerow.prune import CpTable
from hedgerow.prune.links import cut_at, risk_of
from hedgerow.studies.result import ColumnTold, NodeTold, Step, TreeTold
from hedgerow.tree.conditions import level_mask
from hedgerow.tree.cut import cut
from hedgerow.tree.labels import Labels
from hedgerow.tree.phrases import branch_in_words
from hedgerow.tree.tree import LEAF, SUBSET, THRESHOLD, Tree
from hedgerow.tree.words import Words, words_of
from hedgerow.types import Float

MOST_LEAVES = 200
KIND = {LEAF: "leaf", THRESHOLD: "threshold", SUBSET: "subset"}


def tree_told(whole: Tree, labels: Labels, columns: tuple[ColumnTold, ...], table: CpTable) -> TreeTold:
    rows = [row for row in range(len(table)) if table.nsplit[row] < MOST_LEAVES]
    tree = cut(whole, table.mask(whole, rows[-1]))
    alpha = cut_at(tree, risk_of(tree, table.risk), table.links, float(table.cp[rows[-1]]) * table.unit)
    words = words_of(tree, labels)
    steps = tuple(_step(table, row) for row in reversed(rows))
    return TreeTold(
        columns=columns,
        nodes=tuple(_node(words, node, alpha) for node in range(tree.n_nodes)),
        steps=steps,
        chosen=len(rows) - 1 - min(table.chosen, len(rows) - 1),
        error_title="error rate" if table.is_error_rate else "mean squared error",
    )


def _step(table: CpTable, row: int) -> Step:
    scale = table.root_error / table.root_weight
    return Step(
        alpha=float(table.cp[row]) * table.unit,
        n_leaves=int(table.nsplit[row]) + 1,
        error=float(table.rel_error[row]) * scale,
        cv_error=float(table.xerror[row]) * scale,
        cv_std=float(table.xstd[row]) * scale,
    )


def _node(words: Words, node: int, alpha: Float) -> NodeTold:
    tree = words.tree
    first, many = int(tree.first_child[node]), int(tree.n_children[node])
    children = tuple(range(first, first + many)) if many else ()
    is_leaf = tree.kind[node] == LEAF
    by_number = tree.kind[node] == THRESHOLD
    parent = int(tree.parent[node])
    return NodeTold(
        parent=parent,
        words="" if parent < 0 else branch_in_words(words, parent, node - int(tree.first_child[parent])),
        column=int(tree.feature[node]),
        kind=KIND.get(int(tree.kind[node]), "multiway"),
        threshold=_finite(float(tree.threshold[node])) if by_number else None,
        levels=() if is_leaf or by_number else tuple(_levels(words, node, k) for k in range(many)),
        children=children,
        missing_child=int(tree.missing_child[node]) if many else -1,
        n_rows=int(tree.n_rows[node]),
        share=float(tree.weight[node] / tree.weight[0]),
        values=tuple(tree.value[node].tolist()),
        alpha=None if is_leaf or not np.isfinite(alpha[node]) else float(alpha[node]),
    )


def _finite(threshold: float) -> float:
    """A test that only parts known cells from missing ones has an infinite threshold, which JSON has not."""
    return float(np.clip(threshold, -np.finfo(float).max, np.finfo(float).max))


def _levels(words: Words, node: int, place: int) -> tuple[str, ...]:
    every = words.labels.levels[int(words.tree.feature[node])]
    mask = level_mask(words.tree, node, place)[:-1]
    return tuple(every[k] for k in np.flatnonzero(mask))
