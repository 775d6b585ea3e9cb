"""Classes from linear SVMs.   In: rows, class numbers, costs.   Out: a binary SVM for each class, or one for two.

The hard margin (an infinite cost) raises NotSeparable, with rows that prove it, where the classes cannot be separated.
"""

import time
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from hedgerow.svm.certificate import Certificate
from hedgerow.svm.classes import sides
from hedgerow.svm.hard import NotSeparable
from hedgerow.svm.kernel import Kernel
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.linear import (
    LinearProblem,
    LinearSolution,
    LinearSolverOptions,
    class_problem,
    column_products,
    linear_certificate,
    longest_row,
    solve_linear,
)
from hedgerow.svm.linear_l1 import l1_certificate, solve_l1, transpose
from hedgerow.svm.separable import common_point, opposite_twins
from hedgerow.svm.solution import Solution
from hedgerow.types import Count, Float, Index


@dataclass(frozen=True)
class LinearBinarySVM:
    positive: int  # class number
    solution: LinearSolution
    certificate: Certificate


def learn_linear_classes(
    rows: KernelInput,
    codes: Index,
    n_classes: int,
    cost: Float,
    options: LinearSolverOptions,
    *,
    squared: bool,
    intercept: bool,
    starts: list[LinearSolution] | None = None,
) -> list[LinearBinarySVM]:
    """One model after another, sharing the time limit."""
    ends = None if options.time_limit is None else time.perf_counter() + options.time_limit
    radius, products = longest_row(rows), column_products(rows, options, intercept=intercept)
    models = []
    for k, (positive, _) in enumerate(sides(n_classes, "ovr")):
        left = options
        if ends is not None:
            left = replace(options, time_limit=max(ends - time.perf_counter(), 0.0))
        signs = np.where(codes == positive, 1.0, -1.0)
        problem = class_problem(signs, cost, squared=squared, intercept=intercept)
        if problem.hard:
            _refuse_twins(problem, rows)
        start = starts[k] if starts else None
        solution = solve_linear(problem, rows, left, start=start, products=products)
        if solution.ending == "inseparable":
            _refuse(problem, rows, solution)
        models.append(
            LinearBinarySVM(positive, solution, linear_certificate(problem, rows, solution, radius=radius))
        )
    return models


def learn_l1_classes(
    rows: KernelInput,
    codes: Index,
    n_classes: int,
    cost: Float,
    options: LinearSolverOptions,
    intercept_scaling: float | None,
) -> list[LinearBinarySVM]:
    """The same with the l1 norm, whose intercept carries a penalty. None: no intercept."""
    ends = None if options.time_limit is None else time.perf_counter() + options.time_limit
    columns, radius = transpose(rows, intercept_scaling), longest_row(rows)
    models = []
    for positive, _ in sides(n_classes, "ovr"):
        left = options
        if ends is not None:
            left = replace(options, time_limit=max(ends - time.perf_counter(), 0.0))
        signs = np.where(codes == positive, 1.0, -1.0)
        solution = solve_l1(columns, signs, cost, intercept_scaling, left)
        proof = l1_certificate(rows, signs, cost, intercept_scaling, solution, radius=radius)
        models.append(LinearBinarySVM(positive, solution, proof))
    return models


def _refuse_twins(problem: LinearProblem, rows: KernelInput) -> None:
    which = np.flatnonzero(problem.cost > 0)
    twins = opposite_twins(problem.target[which], rows.take(which))
    if twins is not None:
        i, j = (int(which[k]) for k in twins)
        raise NotSeparable(
            [i, j],
            [1.0, 1.0],
            f"C=inf wants a boundary without error, but there is none: rows {i} and {j} are the same and have "
            "different classes. Use a finite C, or drop one of the two.",
        )


def _refuse(problem: LinearProblem, rows: KernelInput, solution: LinearSolution) -> None:
    alpha = np.abs(solution.beta)
    leaning = Solution(alpha, 0.0, alpha, alpha, alpha, 0.0, 0, 0, 0.0, 0.0, np.zeros((0, 2)), "solved", 0.0)
    found = common_point(problem.target, Kernel("linear"), rows, leaning) if problem.intercept else None
    if found is None:
        raise NotSeparable(
            [],
            [],
            "C=inf wants a boundary without error, and none was found: the margin, if there is one, is tiny beside the "
            "length of the rows. Use a finite C, such as C=1e6.",
        )
    which, weights = found
    shown = ", ".join(str(int(k)) for k in which[:12]) + (", ..." if len(which) > 12 else "")
    raise NotSeparable(
        which.tolist(),
        weights.tolist(),
        f"C=inf wants a boundary without error, but there is none: {len(which)} rows prove it ({shown}). Some mixture "
        "of those of one class is the same point as some mixture of those of the other, so that no plane can part "
        "them. Use a finite C, or SVC with a kernel that bends.",
    )


def linear_scores(X: Any, coef: Any, intercept: Any) -> Float:
    """Rows x models. The same bits for any layout of a dense X. `coef` may be sparse (LinearSVC.sparsify)."""
    rows = X if hasattr(X, "tocsr") else np.ascontiguousarray(X, np.float64)
    if hasattr(coef, "tocsr"):
        products = rows @ coef.T
        scores: Float = np.asarray(products.toarray() if hasattr(products, "tocsr") else products) + intercept
        return scores
    found: Float = np.asarray(rows @ np.atleast_2d(coef).T) + intercept
    return found


def decide_linear(scores: Float) -> Count:
    """Class numbers: of two, the second where the score is above 0; of more, the largest score."""
    return (scores > 0).astype(np.int64) if scores.ndim == 1 else np.argmax(scores, axis=1)
