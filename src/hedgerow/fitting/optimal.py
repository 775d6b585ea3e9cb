"""fit_optimal.   In: a table, a target, OptimalParams.   Out: FittedOptimal: the tree, its words, its certificate."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.core import threads_for
from hedgerow.encode import Encoded, Schema, encode
from hedgerow.errors import ParameterError, or_none, out_of_range
from hedgerow.fitting.tree import make_labels
from hedgerow.fitting.validate import LARGEST, is_real, number, rows_or_share, whole, whole_or_none
from hedgerow.grow import Classes, Target, extent
from hedgerow.optimal import Certificate, Costs, Questions, Size, make_questions, solve, to_tree
from hedgerow.optimal.certificate import certify
from hedgerow.table import Table
from hedgerow.tree.labels import Labels
from hedgerow.tree.tree import Tree
from hedgerow.types import Float

MOST_DEPTH = 62  # beyond, only leaves limit a tree


@dataclass(frozen=True)
class OptimalParams:
    """Made by `validate_optimal`."""

    max_depth: int
    max_leaves: int
    min_samples_leaf: int | float
    min_weight_fraction_leaf: float
    ccp_alpha: float
    max_thresholds: int | None
    max_subset_size: int
    time_limit: float
    cost_matrix: Float | None
    balanced: bool
    n_jobs: int | None

    def size(self, target: Target) -> Size:
        n_rows, weight = extent(target)
        least = self.min_samples_leaf
        rows = int(least) if isinstance(least, int) else int(np.ceil(least * n_rows))
        return Size(
            self.max_depth,
            self.max_leaves,
            min(rows, n_rows),
            self.min_weight_fraction_leaf * weight,
            self.ccp_alpha * weight,
        )


@dataclass(frozen=True, eq=False)
class FittedOptimal:
    tree: Tree
    schema: Schema
    labels: Labels
    certificate: Certificate
    interrupt: BaseException | None  # Ctrl-C: the tree is the best so far


def validate_optimal(given: Mapping[str, Any]) -> OptimalParams:
    leaves = whole_or_none("max_leaf_nodes", given["max_leaf_nodes"], 2, LARGEST)
    depth = whole_or_none("max_depth", given["max_depth"], 1, LARGEST)
    if depth == LARGEST and leaves == LARGEST:
        raise ParameterError(
            "{max_depth} and {max_leaf_nodes} leave the size of the tree open. Give one of them, such as {}.",
            "max_leaf_nodes=8",
            max_depth=None,
            max_leaf_nodes=None,
        )
    depth = min(depth, leaves - 1, MOST_DEPTH)
    return OptimalParams(
        max_depth=depth,
        max_leaves=min(leaves, 2 ** min(depth, 30)),
        min_samples_leaf=rows_or_share("min_samples_leaf", given["min_samples_leaf"], 1, all_rows=False),
        min_weight_fraction_leaf=number(
            "min_weight_fraction_leaf", given["min_weight_fraction_leaf"], 0.0, 0.5
        ),
        ccp_alpha=number("ccp_alpha", given["ccp_alpha"], 0.0, np.inf),
        max_thresholds=_or_none("max_thresholds", given["max_thresholds"]),
        max_subset_size=whole("max_subset_size", given["max_subset_size"], 1),
        time_limit=_time_limit(given["time_limit"]),
        cost_matrix=_cost_matrix(given.get("cost_matrix")),
        balanced=isinstance(given.get("class_weight"), str),
        n_jobs=given["n_jobs"],
    )


def _or_none(name: str, given: Any) -> int | None:
    return None if given is None else whole_or_none(name, given, 1, LARGEST)


def _time_limit(given: Any) -> float:
    if given is None:
        return np.inf
    if is_real(given) and given > 0:
        return float(given)
    raise out_of_range("time_limit", given, or_none("a number of seconds above 0", "for no limit"))


def _cost_matrix(given: Any) -> Float | None:
    """What a wrong decision costs more than the right one; its own class costs nothing."""
    if given is None:
        return None
    try:
        matrix = np.asarray(given, np.float64)
    except (TypeError, ValueError):
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not len(matrix):
        raise ParameterError(
            "{cost_matrix} is no square table of numbers. Give cost_matrix[true class][decided class], a row for each "
            "class in the order of classes_.",
            cost_matrix=given,
        )
    extra = matrix - np.diag(matrix)[:, None]
    if not np.isfinite(matrix).all() or extra.min() < 0:
        raise ParameterError(
            "{cost_matrix} holds a cost that is not finite, or a wrong decision that costs less than the right one.",
            cost_matrix=given,
        )
    return extra


def fit_optimal(
    table: Table,
    target: Target,
    params: OptimalParams,
    *,
    classes: Iterable[object] = (),
) -> FittedOptimal:
    threads = threads_for(params.n_jobs, table.n_rows * len(table.columns))
    rows = encode(table, threads=threads)
    target, costs = apply_costs(target, params.cost_matrix)
    questions = make_questions(
        rows,
        target,
        max_thresholds=params.max_thresholds,
        max_subset_size=params.max_subset_size,
        threads=threads,
    )
    found = solve_for(rows, target, costs, questions, params)
    labels = make_labels(rows, classes)
    return FittedOptimal(found.tree, rows.schema, labels, found.certificate, found.interrupt)


@dataclass(frozen=True, eq=False)
class Solved:
    tree: Tree
    certificate: Certificate
    interrupt: BaseException | None = None


def solve_for(
    rows: Encoded, target: Target, costs: Costs, questions: Questions, params: OptimalParams
) -> Solved:
    """The best tree of these questions."""
    size = params.size(target)
    threads = threads_for(params.n_jobs, rows.n_rows * len(questions))
    solution = solve(questions, target, costs, size, time_limit=params.time_limit, threads=threads)
    tree = to_tree(rows, target, questions, solution, costs)
    measure, scale = _measure(target, params)
    certificate = certify(
        solution,
        measure=measure,
        scale=scale,
        leaf_price=size.leaf_price / scale,
        max_leaves=params.max_leaves,
        max_depth=params.max_depth,
        n_questions=len(questions),
    )
    return Solved(tree, certificate, solution.interrupt)


def apply_costs(target: Target, matrix: Float | None) -> tuple[Target, Costs]:
    """Costs that depend on the true class alone are weights; others stay a matrix."""
    if matrix is None or not isinstance(target, Classes):
        return target, Costs()
    if len(matrix) != target.n_classes:
        raise ParameterError(
            f"{{cost_matrix}} has {len(matrix)} rows, but y has {target.n_classes} classes. Give a row and a column "
            "for each class, in the order of classes_.",
            cost_matrix=matrix.tolist(),
        )
    off = matrix[~np.eye(len(matrix), dtype=bool)].reshape(len(matrix), -1)
    if len(matrix) > 1 and np.all(off == off[:, :1]) and off.max() > 0:
        by_row = off[target.codes, 0]
        weight = by_row if target.weight is None else target.weight * by_row
        if weight.max() > 0:
            return replace(target, weight=np.ascontiguousarray(weight)), Costs()
    return target, Costs(matrix)


def _measure(target: Target, params: OptimalParams) -> tuple[str, float]:
    """What is minimised, in the field's words, and what sums are divided by."""
    total = extent(target)[1]
    if not isinstance(target, Classes):
        return "mean squared error", total
    if params.cost_matrix is not None:
        return "cost", 1.0
    if params.balanced:
        return "balanced error", total
    plain = target.weight is None or bool(np.all((target.weight == 1) | (target.weight == 0)))
    return ("errors", 1.0) if plain else ("weighted error", 1.0)
