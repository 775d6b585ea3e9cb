"""Grower: trees of any part of the same rows.   In: a table, encoded once.   Out: a tree for each weight of the rows.

A row of weight zero is a row that is not there; so codes are shared by the whole tree and by every fold.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from hedgerow.core import threads_for
from hedgerow.encode import Encoded, encode, matrix
from hedgerow.fitting.exact import with_exact_sums
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Classes, Limits, Target, Trace, extent, grow, grow_traced
from hedgerow.prune import PruningData
from hedgerow.prune.methods.cost_complexity import CostComplexity
from hedgerow.table import Table
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, SmallInt

CLEARLY = 1.0 - 1e-6  # what is near the price is left to the pruning


@dataclass(frozen=True, eq=False)
class Grower:
    rows: Encoded
    target: Target  # its weight is that of the rows the tree is grown on
    criterion: str
    limits: Limits
    monotone: SmallInt | None
    seed: int
    threads: int

    def grow(self) -> Tree:
        return self._grow(self.target.weight, self.threads)

    def grow_traced(self) -> tuple[Tree, Trace]:
        return grow_traced(
            self.rows,
            self.target,
            self.criterion,
            self.limits,
            monotone=self.monotone,
            seed=self.seed,
            threads=self.threads,
        )

    def grow_weighted(self, weight: Float | None) -> Tree:
        """The same with other weights."""
        return self._grow(weight, self.threads)

    def regrow(self, weight: Float) -> Tree:
        """The same with other weights, by one thread: a fold of a cross-validation."""
        return self._grow(weight, 1)

    def pruning_data(self, target: Target, regrow: Callable[[Float], Tree] | None = None) -> PruningData:
        """All rows, with this target and its weights, and how the tree of some of them is grown."""
        cells = matrix(self.rows.schema, self.rows.table)
        return PruningData(cells, target, self.criterion, regrow or self.regrow, self.threads)

    def _grow(self, weight: Float | None, threads: int) -> Tree:
        part = replace(self.target, weight=weight)
        return grow(
            self.rows,
            part,
            self.criterion,
            self.limits,
            monotone=self.monotone,
            seed=self.seed,
            threads=threads,
        )


def make_grower(table: Table, target: Target, params: TreeParams) -> Grower:
    """Encodes the table."""
    threads = threads_for(params.n_jobs, table.n_rows * len(table.columns))
    if params.max_bins is not None:
        target = with_exact_sums(target)
    rows = encode(table, max_bins=params.max_bins, weight=target.weight, threads=threads)
    return grower_of(rows, target, params, threads)


def grower_of(rows: Encoded, target: Target, params: TreeParams, threads: int) -> Grower:
    """Random numbers are drawn only where something is left to chance."""
    _refuse_monotone(params, target)
    n_columns = len(rows.codes)
    limits = _limits(target, n_columns, params)
    monotone = params.monotone(rows.schema.names, rows.schema.kinds)
    random = limits.max_features < n_columns or limits.random_splits
    seed = draw_seed(params.random_state) if random else 0
    return Grower(rows, target, params.criterion, limits, monotone, seed, threads)


def regrower(grower: Grower, target: Target, params: TreeParams) -> Grower:
    """The same rows with another target, or other weights: nothing is encoded again."""
    return replace(grower, target=target, limits=_limits(target, len(grower.rows.codes), params))


def _limits(target: Target, n_columns: int, params: TreeParams) -> Limits:
    n_rows, weight = extent(target)
    return prune_while_growing(params.limits(n_rows, n_columns, weight), params, target)


def prune_while_growing(limits: Limits, params: TreeParams, target: Target) -> Limits:
    """Limits under which nothing is grown that the pruning would cut away in any case."""
    if limits.max_leaves or params.monotonic_cst is not None or params.trace:
        return limits  # a budget of leaves, clipped values and traces want the whole tree
    if isinstance(params.prune, CostComplexity):
        wrong, loss = params.prune.bounds_while_growing(target, params.criterion)
    else:
        wrong, loss = 0.0, params.ccp_alpha
    return replace(limits, min_wrong=wrong * CLEARLY, min_loss=loss * CLEARLY)


def _refuse_monotone(params: TreeParams, target: Target) -> None:
    if params.monotonic_cst is not None and isinstance(target, Classes) and target.n_classes > 2:
        raise ValueError(
            f"monotonic_cst needs two classes, but y has {target.n_classes}. Leave it out, or join classes."
        )
