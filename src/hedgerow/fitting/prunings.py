"""compare_prunings.   In: a table, a target, TreeParams.   Out: one grown tree pruned by every method, side by side.

The rows are split in three, of each class alike:

    training    the tree, and the methods that look at the rows it was grown on
    validation  the methods that want rows the tree has not seen
    test        the errors that are reported

With cv=k each of k parts is the test share in turn; the others are split in training and validation.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.errors import ParameterError, or_none, out_of_range
from hedgerow.fitting.grower import make_grower
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.validate import is_whole
from hedgerow.grow import Target, strata_of
from hedgerow.prune import Comparison, PruningData, Round, compare, cross_compare
from hedgerow.table import Table
from hedgerow.table.split import stratified_folds, stratified_split
from hedgerow.tree.tree import Tree
from hedgerow.types import Count, Float

FEWEST_ROWS = 10  # for three shares
TRAINING, VALIDATION, TEST = range(3)


@dataclass(frozen=True, eq=False)
class PruningComparison:
    comparison: Comparison
    part: Count  # of each row: TRAINING, VALIDATION or TEST; of a cross-validation TRAINING or VALIDATION
    round: Round  # the tree and its rows, which the comparison is of


def compare_prunings(
    table: Table,
    target: Target,
    params: TreeParams,
    *,
    methods: Sequence[Any] | None = None,
    validation_fraction: float = 0.2,
    test_share: float = 0.3,
    cv: int | None = None,
    random_state: int = 0,
) -> PruningComparison:
    """params : of the tree; its own pruning has no say here
    methods : names, or methods of hedgerow.prune with their settings; all that suit the task if not given
    validation_fraction, test_share : shares of the rows
    cv : parts of a cross-validation, instead of `test_share` once
    """
    _check_shares(validation_fraction, test_share, cv)
    weight = np.ones(table.n_rows) if target.weight is None else target.weight
    used, strata = np.flatnonzero(weight > 0), strata_of(target)
    if len(used) < FEWEST_ROWS:
        raise ValueError(f"X has {len(used)} rows that count; three shares want at least {FEWEST_ROWS}.")
    data, grow = _prepare(table, target, weight, params, random_state)

    def split(test: Count) -> Count:
        """The part of each row: those that are not tested are split in training and validation."""
        part = np.full(table.n_rows, TRAINING)
        others = np.setdiff1d(used, test)
        part[others[stratified_split(strata[others], validation_fraction, random_state + 1)]] = VALIDATION
        part[test] = TEST
        return part

    if cv is None:
        part = split_in_three(strata, used, validation_fraction, test_share, random_state)
        one = _round(data, grow, weight, part)
        return PruningComparison(compare(one, methods=methods), part, one)
    fold = stratified_folds(strata[used], min(cv, len(used)), random_state)
    rounds = [_round(data, grow, weight, split(used[fold == k])) for k in range(int(fold.max()) + 1)]
    part = split(used[:0])
    whole = _round(data, grow, weight, part)
    return PruningComparison(cross_compare(whole, rounds, methods=methods), part, whole)


def split_in_three(
    strata: Count, used: Count, validation_fraction: float, test_share: float, random_state: int
) -> Count:
    """TRAINING, VALIDATION or TEST for each row, of each class alike."""
    part, both = np.full(len(strata), TRAINING), validation_fraction + test_share
    out = used[stratified_split(strata[used], both, random_state)]
    part[out] = VALIDATION
    part[out[stratified_split(strata[out], test_share / both, random_state + 1)]] = TEST
    return part


def _prepare(
    table: Table, target: Target, weight: Float, params: TreeParams, seed: int
) -> tuple[PruningData, Callable[[Float], Tree]]:
    """All rows, and how a tree of some of them is grown: shares of rows are shares of those."""
    plain = replace(params, prune=None, ccp_alpha=0.0, trace=False, merge_leaves=False, random_state=0)
    grower = replace(make_grower(table, replace(target, weight=weight), plain), seed=seed)

    def grow(weight: Float) -> Tree:
        n_rows, total = int(np.count_nonzero(weight)), float(weight.sum())
        return replace(grower, limits=plain.limits(n_rows, len(table.columns), total)).regrow(weight)

    return grower.pruning_data(target, grow), grow


def _round(everything: PruningData, grow: Callable[[Float], Tree], weight: Float, part: Count) -> Round:
    growing = np.where(part == TRAINING, weight, 0.0)
    return Round(
        grow(growing),
        replace(everything, target=replace(everything.target, weight=growing)),
        everything.take(np.flatnonzero(part == VALIDATION)),
        everything.take(np.flatnonzero(part == TEST)),
    )


def _check_shares(validation_fraction: float, test_share: float, cv: int | None) -> None:
    if cv is not None and (not is_whole(cv) or cv < 2):
        raise out_of_range("cv", cv, or_none("a whole number of at least 2", "to test once"))
    taken = validation_fraction if cv is not None else validation_fraction + test_share
    if not 0 < validation_fraction < 1 or not 0 < test_share < 1 or taken >= 1:
        raise ParameterError(
            "{validation_fraction} and {test_share} must be shares above 0 that leave something to grow on. Give such "
            "as 0.2 and 0.3.",
            validation_fraction=validation_fraction,
            test_share=test_share,
        )
