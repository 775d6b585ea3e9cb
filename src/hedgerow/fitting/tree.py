"""fit_tree.   In: a table, a target, TreeParams.   Out: FittedTree: the pruned tree, its words, how it was found.

The path of data: hold rows out (if the pruning wants rows the tree has not seen), encode, grow, prune, merge. A row
that is held out has weight zero, so that codes are shared.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from hedgerow.encode import Encoded, Schema, matrix
from hedgerow.errors import ParameterError, Setting
from hedgerow.fitting.exact import with_exact_sums
from hedgerow.fitting.grower import Grower, grower_of, make_grower, regrower
from hedgerow.fitting.params import TreeParams
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Limits, Target, Trace, TraceReport, report_trace, strata_of
from hedgerow.prune import CpTable, PruningData, cut_path
from hedgerow.prune.merge_leaves import find_mergeable
from hedgerow.prune.method import can_only_cut, method_name
from hedgerow.prune.methods.cost_complexity import CostComplexity
from hedgerow.table import Table
from hedgerow.table.copies import find_copies
from hedgerow.table.split import stratified_split
from hedgerow.tree.cut import cut
from hedgerow.tree.labels import Labels, labels_of
from hedgerow.tree.tree import Tree
from hedgerow.tree.walk import below
from hedgerow.types import Mask


@dataclass(frozen=True, eq=False)
class FittedTree:
    tree: Tree
    unpruned: Tree  # as it was grown
    schema: Schema
    labels: Labels
    params: TreeParams
    max_features: int  # columns looked at in each node
    cp_table: CpTable | None = None  # of cross-validated cost-complexity pruning
    # The rows the pruning was decided on, where it wants rows the tree has not seen
    held_out: Mask | None = None
    trace: TraceReport | None = None  # with params.trace; of the unpruned tree where branches may be raised


def fit_tree(
    table: Table,
    target: Target,
    params: TreeParams,
    *,
    classes: Iterable[object] = (),
    target_name: str = "",
    prune_with: tuple[Table, Target] | None = None,
    on_step: Callable[[str], None] | None = None,
) -> FittedTree:
    """classes : the names of the target's classes, in order.   target_name : of its column, for the words at the tree
    prune_with : rows of the caller's own to prune on; then none are held out
    on_step : called with "growing" and "pruning" when they begin
    """
    on_step = on_step or _ignore
    if prune_with is not None:
        _refuse_pruning_rows(params)
    held_out = hold_out_for_pruning(table, target, params) if prune_with is None else None
    on_step("growing")
    grower = make_grower(table, drop_rows(target, held_out), params)
    return _grow_and_prune(grower, target, params, classes, target_name, held_out, prune_with, on_step)


def fit_encoded(
    rows: Encoded, target: Target, params: TreeParams, threads: int, *, classes: Iterable[object] = ()
) -> FittedTree:
    """The tree of bins alone, for prunings that ask for no rows."""
    target = with_exact_sums(target)
    return _grow_and_prune(
        grower_of(rows, target, params, threads), target, params, classes, "", None, None, _ignore
    )


def keep_grown(
    tree: Tree,
    schema: Schema,
    params: TreeParams,
    limits: Limits,
    classes: Iterable[object],
    missing: frozenset[int],
) -> FittedTree:
    """Of a tree that was grown elsewhere, for prunings that ask for no rows. `missing`: columns with missing cells."""
    pruned, _ = _prune_by(_Traced(tree), params, None)
    words = labels_of(
        schema.names,
        schema.kinds,
        schema.levels,
        classes,
        criterion=params.criterion,
        target="",
        missing=missing,
    )
    return FittedTree(pruned.tree, tree, schema, words, params, limits.max_features)


def _grow_and_prune(
    grower: Grower,
    target: Target,
    params: TreeParams,
    classes: Iterable[object],
    target_name: str,
    held_out: Mask | None,
    prune_with: tuple[Table, Target] | None,
    on_step: Callable[[str], None],
) -> FittedTree:
    grown = _Traced(*grower.grow_traced()) if params.trace else _Traced(grower.grow())
    on_step("pruning")
    pruned, cp_table = _prune_and_merge(grown, params, grower, target, held_out, prune_with)
    labels = make_labels(grower.rows, classes, params.criterion, target_name)
    # A branch that is raised leaves its node's trace behind
    traced = grown if pruned.trace is None else pruned
    return FittedTree(
        tree=pruned.tree,
        unpruned=grown.tree,
        schema=grower.rows.schema,
        labels=labels,
        params=params,
        max_features=grower.limits.max_features,
        cp_table=cp_table,
        held_out=held_out,
        trace=None if traced.trace is None else report_trace(traced.trace, traced.tree, labels),
    )


def refit_tree(grower: Grower, target: Target, params: TreeParams) -> Tree:
    """The tree of the same rows with another target, or other weights."""
    held_out = hold_out_for_pruning(grower.rows.table, target, params)
    again = regrower(grower, drop_rows(target, held_out), params)
    return _prune_and_merge(_Traced(again.grow()), params, again, target, held_out)[0].tree


def _prune_and_merge(
    grown: "_Traced",
    params: TreeParams,
    grower: Grower,
    target: Target,
    held_out: Mask | None,
    prune_with: tuple[Table, Target] | None = None,
) -> tuple["_Traced", CpTable | None]:
    data = None
    if params.prune is not None and params.prune.needs != "nothing":
        data = _pruning_data(grower, target, held_out, prune_with)
        if isinstance(params.prune, CostComplexity) and params.prune.alpha is None:
            data = replace(data, sets=find_copies(grower.rows.table))
    return _prune_by(grown, params, data)


def _prune_by(
    grown: "_Traced", params: TreeParams, data: PruningData | None
) -> tuple["_Traced", CpTable | None]:
    pruned, cp_table = _prune(grown, params, data)
    if params.ccp_alpha > 0:
        pruned = pruned.cut(cut_path(pruned.tree).mask(params.ccp_alpha))
    if params.merge_leaves:
        pruned = pruned.cut(find_mergeable(pruned.tree))
    return pruned, cp_table


def make_labels(
    rows: Encoded, classes: Iterable[object], criterion: str = "", target_name: str = ""
) -> Labels:
    """The words for a tree, or for rules, of these rows."""
    schema, missing = rows.schema, frozenset(np.flatnonzero(rows.n_missing).tolist())
    return labels_of(
        schema.names,
        schema.kinds,
        schema.levels,
        classes,
        criterion=criterion,
        target=target_name,
        missing=missing,
    )


def hold_out_for_pruning(table: Table, target: Target, params: TreeParams) -> Mask | None:
    """The rows held out for the pruning, of each class alike, copies together; None where it needs none."""
    method = params.prune
    if method is None or method.needs != "held_out":
        return None
    strata = strata_of(target)
    used = np.ones(len(strata), bool) if target.weight is None else target.weight > 0
    if used.sum() < 2:
        raise ValueError(
            f"prune={method!r} wants rows that the tree has not seen, but there is only {used.sum()} row. "
            "Give at least 2, or prune=None."
        )
    # As everything else in a tree, the same every time unless random_state asks for chance.
    seed = 0 if params.random_state is None else draw_seed(params.random_state)
    out = np.zeros(len(strata), bool)
    sets = find_copies(table)
    out[used] = stratified_split(
        strata[used], params.validation_fraction, seed, sets=None if sets is None else sets[used]
    )
    return out


def drop_rows(target: Target, held_out: Mask | None) -> Target:
    """The target with the rows held out taken out: their weight is zero."""
    if held_out is None:
        return target
    weight = np.ones(len(held_out)) if target.weight is None else target.weight
    return replace(target, weight=np.where(held_out, 0.0, weight))


@dataclass(frozen=True, eq=False)
class _Traced:
    """A tree with its trace, if it has one: what is cut from the one is cut from the other."""

    tree: Tree
    trace: Trace | None = None

    def cut(self, nodes: Mask) -> "_Traced":
        kept = None if self.trace is None else self.trace.take(~below(self.tree, nodes))
        return _Traced(cut(self.tree, nodes), kept)


def _pruning_data(
    grower: Grower, target: Target, held_out: Mask | None, prune_with: tuple[Table, Target] | None
) -> PruningData:
    """All rows, those held out, or those the caller gave."""
    if prune_with is not None:
        table, theirs = prune_with
        return PruningData(
            matrix(grower.rows.schema, table), theirs, grower.criterion, threads=grower.threads
        )
    data = grower.pruning_data(target)
    return data if held_out is None else data.take(np.flatnonzero(held_out))


def _refuse_pruning_rows(params: TreeParams) -> None:
    method = params.prune
    if method is None or method.needs != "held_out":
        given = "nothing is pruned" if method is None else f"{method_name(method)} needs no rows of its own"
        raise ParameterError(
            "prune_with is for prunings that need rows the tree has not seen, but {}. Use one such as {}.",
            given,
            Setting("prune", "reduced_error"),
        )


def _prune(grown: _Traced, params: TreeParams, data: PruningData | None) -> tuple[_Traced, CpTable | None]:
    method = params.prune
    if method is None:
        return grown, None
    if isinstance(method, CostComplexity) and method.alpha is None and data is not None:
        table = method.table(grown.tree, data)
        return grown.cut(table.mask(grown.tree)), table
    if can_only_cut(method):
        return grown.cut(method.nodes_to_cut(grown.tree, data)), None
    return _Traced(method.prune(grown.tree, data)), None


def _ignore(step: str) -> None:
    pass
