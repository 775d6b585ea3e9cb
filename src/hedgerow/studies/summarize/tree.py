"""A tree to read, and its columns by use.   In: training rows, the goal.   Out: FullTree: the tree before any pruning,
and its complexity table; and TreeRecord: every node, and every size it can be cut to.

A tree of thousands of leaves is nothing to look at: the record starts at the first size of at most MOST_LEAVES.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hedgerow.fitting.params import validate_tree
from hedgerow.fitting.tree import fit_tree
from hedgerow.grow import Classes, Numbers, Target
from hedgerow.intake import Samples, TargetData
from hedgerow.prune import CpTable
from hedgerow.prune.sequence import cut_alphas, node_risk
from hedgerow.studies.records import ColumnProfile, NodeRecord, PruningStep, TreeRecord
from hedgerow.tree.conditions import level_mask
from hedgerow.tree.cut import cut
from hedgerow.tree.importance import importance
from hedgerow.tree.labels import LabeledTree, Labels, label_tree
from hedgerow.tree.tree import LEAF, SUBSET, THRESHOLD, Tree
from hedgerow.tree.wording import branch_in_words
from hedgerow.types import Count, Float

MOST_LEAVES = 200
PRUNE = {"method": "cost_complexity", "risk": "log_loss", "choose": "min"}  # as the candidate "tree"
KIND = {LEAF: "leaf", THRESHOLD: "threshold", SUBSET: "subset"}


@dataclass(frozen=True, eq=False)
class FullTree:
    tree: Tree
    labels: Labels
    table: CpTable | None  # None for a root alone
    options: Mapping[str, Any]  # that it is grown with: the criterion, where it is not the default

    @property
    def columns_by_use(self) -> Count:
        """The columns, the most useful to the tree first."""
        return np.argsort(-importance(self.tree), kind="stable")


def grow_full_tree(
    train: Samples,
    goal: TargetData,
    n_jobs: int | None,
    known: CpTable | None = None,
    options: Mapping[str, Any] | None = None,
) -> FullTree:
    """`known`: the table of the tree that was chosen, where one was: it is the same, and not found again. `options`:
    of the candidate "tree" in this study."""
    given = dict(options or {})
    params = validate_tree(goal.task, {"prune": PRUNE if known is None else None, "n_jobs": n_jobs, **given})
    classes = [] if goal.classes is None else goal.classes.tolist()
    fitted = fit_tree(train.table, make_target(train, goal), params, classes=classes)
    table = known if known is not None else fitted.cp_table
    return FullTree(fitted.unpruned, fitted.labels, table if fitted.unpruned.n_leaves > 1 else None, given)


def make_target(train: Samples, goal: TargetData) -> Target:
    values = np.ascontiguousarray(train.target)
    target = Numbers(values) if goal.classes is None else Classes(values, len(goal.classes))
    return replace(target, weight=train.weight)


def summarize_tree(
    full: FullTree | None,
    goal: TargetData,
    columns: tuple[ColumnProfile, ...],
    target: str,
    classes: NDArray[Any] | None = None,
) -> TreeRecord | None:
    """`classes`: in the order of the result, if it is another than the tree's."""
    if full is None or full.table is None:
        return None
    order = None
    if goal.classes is not None and classes is not None:
        order = [goal.classes.tolist().index(label) for label in classes.tolist()]
    return record_tree(full.tree, replace(full.labels, target=target), columns, full.table, order)


def cut_to_read(whole: Tree, table: CpTable) -> Tree:
    """Its first size of at most MOST_LEAVES."""
    return cut(whole, table.mask(whole, _readable_sizes(table)[-1]))


def _readable_sizes(table: CpTable) -> list[int]:
    return [row for row in range(len(table)) if table.nsplit[row] < MOST_LEAVES]


def record_tree(
    whole: Tree,
    labels: Labels,
    columns: tuple[ColumnProfile, ...],
    table: CpTable,
    order: list[int] | None = None,
) -> TreeRecord:
    """`order`: of the classes; as in the tree, if not given."""
    rows = _readable_sizes(table)
    tree = cut_to_read(whole, table)
    alpha = cut_alphas(tree, node_risk(tree, table.risk), table.links, float(table.cp[rows[-1]]) * table.unit)
    words = label_tree(tree, labels)
    steps = tuple(_record_step(table, row) for row in reversed(rows))
    return TreeRecord(
        columns=columns,
        nodes=tuple(_record_node(words, node, alpha, order) for node in range(tree.n_nodes)),
        steps=steps,
        chosen=len(rows) - 1 - min(table.chosen, len(rows) - 1),
        error_title=_error_title(words, table),
    )


def _error_title(words: LabeledTree, table: CpTable) -> str:
    if table.is_error_rate:
        return "error rate"
    if words.tree.n_outputs > 1:
        return "log loss"
    return "mean absolute error" if words.labels.value == "median" else "mean squared error"


def _record_step(table: CpTable, row: int) -> PruningStep:
    scale = table.root_error / table.root_weight
    return PruningStep(
        alpha=float(table.cp[row]) * table.unit,
        n_leaves=int(table.nsplit[row]) + 1,
        error=float(table.rel_error[row]) * scale,
        cv_error=float(table.xerror[row]) * scale,
        cv_std=float(table.xstd[row]) * scale,
    )


def _record_node(words: LabeledTree, node: int, alpha: Float, order: list[int] | None) -> NodeRecord:
    tree = words.tree
    first, many = int(tree.first_child[node]), int(tree.n_children[node])
    children = tuple(range(first, first + many)) if many else ()
    is_leaf = tree.kind[node] == LEAF
    by_number = tree.kind[node] == THRESHOLD
    parent = int(tree.parent[node])
    return NodeRecord(
        parent=parent,
        condition="" if parent < 0 else branch_in_words(words, parent, node - int(tree.first_child[parent])),
        column=int(tree.feature[node]),
        kind=KIND.get(int(tree.kind[node]), "multiway"),
        threshold=_finite(float(tree.threshold[node])) if by_number else None,
        levels=() if is_leaf or by_number else tuple(_levels(words, node, k) for k in range(many)),
        children=children,
        missing_child=int(tree.missing_child[node]) if many else -1,
        n_rows=int(tree.n_rows[node]),
        share=float(tree.weight[node] / tree.weight[0]),
        values=tuple((tree.value[node] if order is None else tree.value[node][order]).tolist()),
        alpha=None if is_leaf or not np.isfinite(alpha[node]) else float(alpha[node]),
    )


def _finite(threshold: float) -> float:
    """A test that only parts known cells from missing ones has an infinite threshold, which JSON has not."""
    return float(np.clip(threshold, -np.finfo(float).max, np.finfo(float).max))


def _levels(words: LabeledTree, node: int, place: int) -> tuple[str, ...]:
    every = words.labels.levels[int(words.tree.feature[node])]
    mask = level_mask(words.tree, node, place)[:-1]
    return tuple(every[k] for k in np.flatnonzero(mask))
