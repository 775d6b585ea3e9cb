"""fit_rules.   In: a table, its classes, RuleParams.   Out: FittedRules: the rules, the columns, the words for them.

The path of data: hold rows out (if errors are to be estimated on them), grow a tree on the others, one rule a leaf,
post-prune.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from hedgerow.encode import Schema, matrix
from hedgerow.fitting.grower import make_grower
from hedgerow.fitting.params import RuleParams
from hedgerow.fitting.tree import drop_rows, make_labels
from hedgerow.fitting.validate import draw_seed
from hedgerow.grow import Classes, strata_of
from hedgerow.rules import RuleList, label_rows, post_prune, rules_from_tree
from hedgerow.table import Table
from hedgerow.table.copies import find_copies
from hedgerow.table.split import stratified_split
from hedgerow.tree.labels import Labels
from hedgerow.types import Float, Mask


@dataclass(frozen=True, eq=False)
class FittedRules:
    rules: RuleList
    schema: Schema
    labels: Labels


def fit_rules(
    table: Table,
    target: Classes,
    params: RuleParams,
    *,
    classes: Iterable[object],
    target_name: str = "",
    prune_with: tuple[Table, Classes] | None = None,
) -> FittedRules:
    """classes : the names of the target's classes, in order.   target_name : of its column, for the words
    prune_with : rows of the caller's own that errors are estimated on; then none are held out"""
    weight = np.ones(table.n_rows) if target.weight is None else target.weight
    held_out = _hold_out(table, target, weight, params) if params.held_out and prune_with is None else None
    grower = make_grower(table, target, params.tree)
    labels = make_labels(grower.rows, classes, target_name=target_name)
    tree = grower.grow() if held_out is None else grower.grow_weighted(drop_rows(target, held_out).weight)
    cells = matrix(grower.rows.schema, table)
    unseen = None
    if held_out is not None:
        unseen = label_rows(labels, cells, target.codes, np.where(held_out, weight, 0.0))
    elif prune_with is not None:
        other, theirs = prune_with
        unseen = label_rows(labels, matrix(grower.rows.schema, other), theirs.codes, np.ones(other.n_rows))
    rules = post_prune(
        rules_from_tree(tree, labels),
        label_rows(labels, cells, target.codes, weight),
        confidence=params.confidence,
        unseen=unseen,
        max_rules=params.max_rules,
        threads=grower.threads,
    )
    return FittedRules(rules, grower.rows.schema, labels)


def _hold_out(table: Table, target: Classes, weight: Float, params: RuleParams) -> Mask:
    """Rows that errors are estimated on: of each class its share, copies together; never all rows there are."""
    used = weight > 0
    out = np.zeros(len(weight), bool)
    seed = draw_seed(params.random_state)
    sets = find_copies(table)
    out[used] = stratified_split(
        strata_of(target)[used], params.held_out, seed, sets=None if sets is None else sets[used]
    )
    return out
