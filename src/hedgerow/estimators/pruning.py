"""What `prune=` does in `fit`.   In: a grown Tree, its rows, a method.   Out: the Tree that is kept, and what is
told of it.

A method that needs rows which the tree has not seen gets a share of them, of each class alike; the tree is then
grown on the others. A row set aside has weight zero, so that codes are shared.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from hedgerow.encode import Encoded, matrix
from hedgerow.estimators.asked import Asked
from hedgerow.grow import Limits, Target
from hedgerow.prune import CostComplexity, CpTable, Evidence, Method
from hedgerow.prune.method import Cutting
from hedgerow.prune.share_out import held_out, strata_of
from hedgerow.tree.cut import cut
from hedgerow.tree.tree import Tree
from hedgerow.types import Float, Mask

CLEARLY = 1.0 - 1e-6  # what is near the price is left to the pruning


@dataclass(frozen=True, eq=False)
class Kept:
    tree: Tree
    cut: Mask | None = None  # which nodes of the grown tree became leaves; None where branches were raised
    table: CpTable | None = None


def set_aside(method: Method | None, share: float, target: Target, random_state: Any) -> Mask | None:
    """The rows held out for the method; None where it needs none."""
    if method is None or method.needs != "held_out":
        return None
    strata = strata_of(target)
    used = np.ones(len(strata), bool) if target.weight is None else target.weight > 0
    if used.sum() < 2:
        raise ValueError(
            f"prune={method!r} wants rows that the tree has not seen, but there is only {used.sum()} row. "
            "Give at least 2, or prune=None."
        )
    # As everything else in a tree, the same every time unless chance is asked for.
    seed = 0 if random_state is None else int(check_random_state(random_state).randint(2**31 - 1))
    out = np.zeros(len(strata), bool)
    out[used] = held_out(strata[used], share, seed)
    return out


def not_in_vain(limits: Limits, asked: Asked, target: Target) -> Limits:
    """Limits under which nothing is grown that the pruning asked for would cut away in any case."""
    if limits.max_leaves or asked.monotone is not None or asked.trace:
        return limits  # a budget of leaves, clipped values and traces want the whole tree
    if isinstance(asked.prune, CostComplexity):
        wrong, loss = asked.prune.never_worth_it(target, asked.criterion)
    else:
        wrong, loss = 0.0, asked.alpha
    return replace(limits, min_wrong=wrong * CLEARLY, min_loss=loss * CLEARLY)


def without(target: Target, aside: Mask | None) -> Target:
    """The target with the rows set aside taken out."""
    if aside is None:
        return target
    weight = np.ones(len(aside)) if target.weight is None else target.weight
    return replace(target, weight=np.where(aside, 0.0, weight))


def evidence_for(
    method: Method,
    rows: Encoded,
    target: Target,
    aside: Mask | None,
    criterion: str,
    regrow: Callable[[Float], Tree],
    threads: int,
) -> Evidence | None:
    """What the method needs, and no more."""
    if method.needs == "nothing":
        return None
    whole = Evidence(matrix(rows.schema, rows.table), target, criterion, regrow, threads)
    return whole if aside is None else whole.take(np.flatnonzero(aside))


def keep(method: Method, tree: Tree, evidence: Evidence | None) -> Kept:
    if isinstance(method, CostComplexity) and method.alpha is None and evidence is not None:
        table = method.table(tree, evidence)
        nodes = table.mask(tree)
        return Kept(cut(tree, nodes), nodes, table)
    if isinstance(method, Cutting):
        nodes = method.nodes_to_cut(tree, evidence)
        return Kept(cut(tree, nodes), nodes)
    return Kept(method.pruned(tree, evidence))
