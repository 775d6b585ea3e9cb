"""Pruning, done.   In: a grown Tree, a Plan.   Out: Pruned: the Tree that is kept, and how it was found.

An alpha that is chosen is kept as a number short enough to type again: it is then ccp_alpha in Python.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from hedgerow.cli.grown import Grower
from hedgerow.cli.pruning import NONE, SETTINGS, Plan
from hedgerow.prune import CpTable, Method
from hedgerow.prune.method import method_name
from hedgerow.prune.methods.cost_complexity import CostComplexity
from hedgerow.tree.tree import Tree
from hedgerow.types import Mask


@dataclass(frozen=True, eq=False)
class Pruned:
    tree: Tree
    method: str  # "none" where nothing was pruned
    how: str  # for the user
    parameters: Mapping[str, Any]
    alpha: float | None = None  # where it is one
    settings: Mapping[str, Any] = field(default_factory=dict)
    table: CpTable | None = None


def pruned(whole: Tree, grower: Grower, plan: Plan, aside: Mask | None) -> Pruned:
    """`whole` was grown on the rows of the grower that are not set aside."""
    method = plan.method
    if method is None:
        return Pruned(whole, NONE, plan.why, plan.parameters)
    if plan.usual and isinstance(method, CostComplexity):
        return _by_cross_validation(whole, grower, method)
    if isinstance(method, CostComplexity) and method.alpha is not None:
        tree = _at(method.alpha, whole)
        return Pruned(tree, method_name(method), plan.why, plan.parameters, alpha=method.alpha)
    data = None if method.needs == "nothing" else grower.data()
    if data is not None and aside is not None:
        data = data.take(np.flatnonzero(aside))
    table = None
    if isinstance(method, CostComplexity) and data is not None:
        table = method.table(whole, data)
    tree = method.prune(whole, data) if table is None else table.cut(whole)
    settings = _settings(method)
    how = _how(settings, table, aside)
    return Pruned(tree, method_name(method), how, plan.parameters, settings=settings, table=table)


def _by_cross_validation(whole: Tree, grower: Grower, method: CostComplexity) -> Pruned:
    table = method.table(whole, grower.data())
    alpha = _short_alpha(table)
    how = f"{table.n_folds}-fold cross-validation on the training rows, 1-SE rule"
    return Pruned(_at(alpha, whole), method_name(method), how, {"ccp_alpha": alpha}, alpha=alpha, table=table)


def _at(alpha: float, whole: Tree) -> Tree:
    """As ccp_alpha does: at 0 nothing is cut, not even a split that gains nothing."""
    return CostComplexity(alpha=alpha).prune(whole) if alpha > 0 else whole


def _short_alpha(table: CpTable) -> float:
    """An alpha inside the interval in which the tree is the chosen one: the geometric mean of its ends."""
    low = table.cp[table.chosen]
    middle = np.sqrt(low * table.cp[table.chosen - 1]) if table.chosen else low * 1.001
    return float(f"{middle * table.unit / table.root_weight:.4g}")


def _settings(method: Method) -> dict[str, Any]:
    """Those the command line knows, as they are in force."""
    mine = [name for name, owner in SETTINGS.items() if owner == method_name(method)]
    return {name: getattr(method, name) for name in mine}


def _how(settings: Mapping[str, Any], table: CpTable | None, aside: Mask | None) -> str:
    if table is not None:
        rule = "1-SE rule" if table.choose == "1se" else "smallest error"
        return f"{table.n_folds}-fold cross-validation on the training rows, {rule}: CP {table.cp[table.chosen]:.4g}"
    told = [_told(name, value) for name, value in settings.items() if value is not None]
    if aside is not None:
        n_out = int(np.count_nonzero(aside))
        told.append(f"decided on {n_out:,} of the training rows, which the tree was not grown on")
    return ", ".join(told)


def _told(name: str, value: Any) -> str:
    if name == "raising":
        return "with subtree raising" if value else "without subtree raising"
    return f"{name} {value:g}"
