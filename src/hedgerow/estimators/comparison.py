"""compare_prunings.   In: a tree estimator, a table, a target.   Out: one grown tree pruned by every method, side
by side.

The rows are shared out in three, of each class alike:

    growing   the tree, and the methods that look at the rows it was grown on
    choosing  the methods that want rows the tree has not seen
    judging   the errors that are told
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.core import threads_for
from hedgerow.encode import encode, matrix
from hedgerow.estimators.asked import check, monotone_of
from hedgerow.estimators.targets import weight_of
from hedgerow.grow import CLASS_CRITERIA, NUMBER_CRITERIA, grow
from hedgerow.prune import Comparison, Evidence, compare
from hedgerow.prune.share_out import held_out, strata_of
from hedgerow.table import to_table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float


def compare_prunings(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    methods: Sequence[Any] | None = None,
    choosing: float = 0.2,
    judging: float = 0.3,
    seed: int = 0,
) -> Comparison:
    """One tree, grown as `model` (a DecisionTreeClassifier or Regressor, fitted or not) is set; all prunings of it.

    methods : names, or methods of hedgerow.prune with their settings; all that suit the task if not given
    choosing, judging : shares of the rows

    Print the result, show it in a notebook, or `.draw()` it.
    """
    if not 0 < choosing < 1 or not 0 < judging < 1 or choosing + judging >= 1:
        raise ValueError(
            f"choosing={choosing!r} and judging={judging!r} must be shares above 0 that leave something to grow on. "
            "Give such as 0.2 and 0.3."
        )
    model = clone(model).set_params(prune=None, ccp_alpha=0.0, trace=False)
    asked = check(model, CLASS_CRITERIA if hasattr(model, "class_weight") else NUMBER_CRITERIA)
    table = to_table(X, categories=model.categorical_features)
    target = model._target(y, table.n_rows, weight_of(sample_weight, table.n_rows), asked)
    weight = np.ones(table.n_rows) if target.weight is None else target.weight
    if np.count_nonzero(weight) < 10:
        raise ValueError(f"X has {np.count_nonzero(weight)} rows that count; three shares want at least 10.")
    part = np.full(table.n_rows, -1)
    used = np.flatnonzero(weight > 0)
    part[used] = 0
    out = held_out(strata_of(target)[used], choosing + judging, seed)
    part[used[out]] = 1
    last = held_out(strata_of(target)[used[out]], judging / (choosing + judging), seed + 1)
    part[used[out][last]] = 2
    growing = np.where(part == 0, weight, 0.0)
    threads = threads_for(model.n_jobs, table.n_rows * len(table.columns))
    rows = encode(table, max_bins=asked.max_bins, weight=growing, threads=threads)
    limits = asked.limits(int(np.count_nonzero(growing)), len(table.columns), float(growing.sum()))
    monotone = monotone_of(asked.monotone, rows.schema.names, rows.schema.kinds)

    def grown(weight: Float) -> Tree:
        return grow(
            rows, replace(target, weight=weight), asked.criterion, limits, monotone=monotone, seed=seed
        )

    everything = Evidence(matrix(rows.schema, table), target, asked.criterion, grown, threads)
    return compare(
        grown(growing),
        training=replace(everything, target=replace(target, weight=growing)),
        choosing=everything.take(np.flatnonzero(part == 1)),
        judging=everything.take(np.flatnonzero(part == 2)),
        methods=methods,
    )
