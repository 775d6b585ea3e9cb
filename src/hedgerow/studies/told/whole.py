"""The whole tree of the training rows.   In: rows, the goal.   Out: Whole: the tree before any pruning, and its
complexity table. Grown once, for two purposes: the slider cuts it back, and its columns are tried first.
"""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.encode import Encoded, encode, matrix
from hedgerow.grow import Limits, Target, grow
from hedgerow.intake.task import Goal
from hedgerow.prune import CostComplexity, CpTable, Evidence
from hedgerow.studies.result import ColumnTold, TreeTold
from hedgerow.studies.seal import Rows
from hedgerow.studies.told.tree import tree_told
from hedgerow.tree.importance import importance
from hedgerow.tree.labels import labels_of
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float


@dataclass(frozen=True, eq=False)
class Whole:
    rows: Encoded
    tree: Tree
    table: CpTable | None  # None for a root alone
    criterion: str

    @property
    def useful(self) -> Count:
        """The columns, the most useful to the tree first."""
        return np.argsort(-importance(self.tree), kind="stable")


def whole_of(train: Rows, goal: Goal, n_jobs: int | None, known: CpTable | None = None) -> Whole:
    """`known`: the table of the tree that was chosen, where one was: it is the same, and not found again."""
    threads = threads_for(n_jobs, train.table.n_rows * len(train.table.columns))
    rows = encode(train.table, weight=train.weight, threads=threads)
    target = _target(train, goal)
    criterion = "squared_error" if goal.classes is None else "gini"
    limits = Limits(max_features=len(train.table.columns))

    def grown(weight: Float | None, threads: int = 1) -> Any:
        return grow(rows, replace(target, weight=weight), criterion, limits, threads=threads)

    tree = grown(train.weight, threads)
    table = known if tree.n_leaves > 1 else None
    if tree.n_leaves > 1 and table is None:
        evidence = Evidence(matrix(rows.schema, train.table), target, criterion, grown, threads)
        table = CostComplexity().table(tree, evidence)
    return Whole(rows, tree, table, criterion)


def _target(train: Rows, goal: Goal) -> Target:
    own = Goal(goal.task, goal.why, train.target, goal.classes)
    return replace(own.target(np.arange(len(train.target))), weight=train.weight)


def whole_told(whole: Whole, goal: Goal, columns: tuple[ColumnTold, ...], target: str) -> TreeTold | None:
    if whole.table is None:
        return None
    schema = whole.rows.schema
    labels = labels_of(
        schema.names,
        schema.kinds,
        schema.levels,
        [] if goal.classes is None else goal.classes.tolist(),
        criterion=whole.criterion,
        target=target,
        missing=frozenset(np.flatnonzero(whole.rows.n_missing).tolist()),
    )
    return tree_told(whole.tree, labels, columns, whole.table)
