"""compare_prunings.   In: a table, a target, TreeParams.   Out: one grown tree pruned by every method, side by side.

The rows are split in three, of each class alike:

    growing   the tree, and the methods that look at the rows it was grown on
    choosing  the methods that want rows the tree has not seen
    judging   the errors that are reported

With cv=k each of k parts is the judging share in turn; the others are split in growing and choosing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.fitting.grower import make_grower
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.validate import is_whole
from hedgerow.grow import Target, strata_of
from hedgerow.prune import Comparison, Evidence, Round, compare, cross_compare
from hedgerow.table import Table
from hedgerow.table.split import stratified_folds, stratified_split
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float

FEWEST_ROWS = 10  # for three shares
GROWING, CHOOSING, JUDGING = range(3)


@dataclass(frozen=True, eq=False)
class PruningComparison:
    comparison: Comparison
    part: Count  # of each row: GROWING, CHOOSING or JUDGING; of a cross-validation GROWING or CHOOSING
    round: Round  # the tree and its rows, which the comparison is of


def compare_prunings(
    table: Table,
    target: Target,
    params: TreeParams,
    *,
    methods: Sequence[Any] | None = None,
    choosing: float = 0.2,
    judging: float = 0.3,
    cv: int | None = None,
    seed: int = 0,
) -> PruningComparison:
    """params : of the tree; its own pruning has no say here
    methods : names, or methods of hedgerow.prune with their settings; all that suit the task if not given
    choosing, judging : shares of the rows.   cv : parts of a cross-validation, instead of `judging` once
    """
    _check_shares(choosing, judging, cv)
    weight = np.ones(table.n_rows) if target.weight is None else target.weight
    used, strata = np.flatnonzero(weight > 0), strata_of(target)
    if len(used) < FEWEST_ROWS:
        raise ValueError(f"X has {len(used)} rows that count; three shares want at least {FEWEST_ROWS}.")
    everything, grow = _prepare(table, replace(target, weight=weight), target, params, seed)

    def split(judged: Count) -> Count:
        """GROWING, CHOOSING or JUDGING of each row."""
        part = np.full(table.n_rows, GROWING)
        others = np.setdiff1d(used, judged)
        part[others[stratified_split(strata[others], choosing, seed + 1)]] = CHOOSING
        part[judged] = JUDGING
        return part

    if cv is None:
        part = np.full(table.n_rows, GROWING)
        out = used[stratified_split(strata[used], choosing + judging, seed)]
        part[out] = CHOOSING
        part[out[stratified_split(strata[out], judging / (choosing + judging), seed + 1)]] = JUDGING
        one = _round(everything, grow, weight, part)
        return PruningComparison(compare(one, methods=methods), part, one)
    fold = stratified_folds(strata[used], min(cv, len(used)), seed)
    rounds = [_round(everything, grow, weight, split(used[fold == k])) for k in range(int(fold.max()) + 1)]
    part = split(used[:0])
    whole = _round(everything, grow, weight, part)
    return PruningComparison(cross_compare(whole, rounds, methods=methods), part, whole)


def _prepare(
    table: Table, weighted: Target, target: Target, params: TreeParams, seed: int
) -> tuple[Evidence, Callable[[Float], Tree]]:
    """All rows, and how a tree of some of them is grown: shares of rows are shares of those."""
    plain = replace(params, prune=None, ccp_alpha=0.0, trace=False, merge_leaves=False, random_state=0)
    grower = replace(make_grower(table, weighted, plain), seed=seed)

    def grow(weight: Float) -> Tree:
        n_rows, total = int(np.count_nonzero(weight)), float(weight.sum())
        return replace(grower, limits=plain.limits(n_rows, len(table.columns), total)).regrow(weight)

    return grower.pruning_data(target, grow), grow


def _round(everything: Evidence, grow: Callable[[Float], Tree], weight: Float, part: Count) -> Round:
    growing = np.where(part == GROWING, weight, 0.0)
    return Round(
        grow(growing),
        replace(everything, target=replace(everything.target, weight=growing)),
        everything.take(np.flatnonzero(part == CHOOSING)),
        everything.take(np.flatnonzero(part == JUDGING)),
    )


def _check_shares(choosing: float, judging: float, cv: int | None) -> None:
    if cv is not None and (not is_whole(cv) or cv < 2):
        raise ValueError(
            f"cv={cv!r} is out of range. Give a whole number of at least 2, or None to judge once."
        )
    taken = choosing if cv is not None else choosing + judging
    if not 0 < choosing < 1 or not 0 < judging < 1 or taken >= 1:
        raise ValueError(
            f"choosing={choosing!r} and judging={judging!r} must be shares above 0 that leave something to grow on. "
            "Give such as 0.2 and 0.3."
        )
