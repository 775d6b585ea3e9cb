"""compare_prunings.   In: a tree estimator, a table, a target.   Out: one grown tree pruned by every method, side
by side.

The rows are shared out in three, of each class alike:

    growing   the tree, and the methods that look at the rows it was grown on
    choosing  the methods that want rows the tree has not seen
    judging   the errors that are told

With cv=k each of k parts is the judging share in turn; the others are shared out in growing and choosing.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import clone

from hedgerow.core import threads_for
from hedgerow.encode import encode, matrix
from hedgerow.estimators.asked import check, monotone_of
from hedgerow.estimators.targets import weight_of
from hedgerow.grow import CLASS_CRITERIA, NUMBER_CRITERIA, grow
from hedgerow.prune import Comparison, Evidence, Round, compare, cross_compare
from hedgerow.prune.share_out import folds, held_out, strata_of
from hedgerow.table import to_table
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float


def compare_prunings(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    methods: Sequence[Any] | None = None,
    choosing: float = 0.2,
    judging: float = 0.3,
    cv: int | None = None,
    seed: int = 0,
) -> Comparison:
    """One tree, grown as `model` (a DecisionTreeClassifier or Regressor, fitted or not) is set; all prunings of it.

    methods : names, or methods of hedgerow.prune with their settings; all that suit the task if not given
    choosing, judging : shares of the rows
    cv : parts of a cross-validation, instead of `judging` once; sizes are then those of a tree of all rows

    Print the result, show it in a notebook, or `.draw()` it.
    """
    _check_shares(choosing, judging, cv)
    model = clone(model).set_params(prune=None, ccp_alpha=0.0, trace=False, merge_leaves=False)
    asked = check(model, CLASS_CRITERIA if hasattr(model, "class_weight") else NUMBER_CRITERIA)
    table = to_table(X, categories=model.categorical_features)
    target = model._target(y, table.n_rows, weight_of(sample_weight, table.n_rows), asked)
    weight = np.ones(table.n_rows) if target.weight is None else target.weight
    used = np.flatnonzero(weight > 0)
    if len(used) < 10:
        raise ValueError(f"X has {len(used)} rows that count; three shares want at least 10.")
    threads = threads_for(model.n_jobs, table.n_rows * len(table.columns))
    rows = encode(table, max_bins=asked.max_bins, weight=weight, threads=threads)
    monotone = monotone_of(asked.monotone, rows.schema.names, rows.schema.kinds)

    def grown(weight: Float) -> Tree:
        limits = asked.limits(int(np.count_nonzero(weight)), len(table.columns), float(weight.sum()))
        part = replace(target, weight=weight)
        return grow(rows, part, asked.criterion, limits, monotone=monotone, seed=seed)

    everything = Evidence(matrix(rows.schema, table), target, asked.criterion, grown, threads)
    strata = strata_of(target)

    def judged_on(judged: Count) -> Round:
        others = np.setdiff1d(used, judged)
        aside = others[held_out(strata[others], choosing, seed + 1)]
        return _round(everything, grown, weight, aside, judged)

    if cv is None:
        out = used[held_out(strata[used], choosing + judging, seed)]
        last = held_out(strata[out], judging / (choosing + judging), seed + 1)
        return compare(_round(everything, grown, weight, out[~last], out[last]), methods=methods)
    fold = folds(strata[used], min(cv, len(used)), seed)
    parts = [judged_on(used[fold == k]) for k in range(int(fold.max()) + 1)]
    return cross_compare(judged_on(used[:0]), parts, methods=methods)


def _round(
    everything: Evidence, grown: Callable[[Float], Tree], weight: Float, aside: Count, judged: Count
) -> Round:
    growing = weight.copy()
    growing[aside] = growing[judged] = 0.0
    return Round(
        grown(growing),
        replace(everything, target=replace(everything.target, weight=growing)),
        everything.take(aside),
        everything.take(judged),
    )


def _check_shares(choosing: float, judging: float, cv: int | None) -> None:
    if cv is not None and (isinstance(cv, bool) or not isinstance(cv, (int, np.integer)) or cv < 2):
        raise ValueError(
            f"cv={cv!r} is out of range. Give a whole number of at least 2, or None to judge once."
        )
    whole = choosing if cv is not None else choosing + judging
    if not 0 < choosing < 1 or not 0 < judging < 1 or whole >= 1:
        raise ValueError(
            f"choosing={choosing!r} and judging={judging!r} must be shares above 0 that leave something to grow on. "
            "Give such as 0.2 and 0.3."
        )
