"""Linear SVMs with few coefficients.   In: rows, signs, costs.   Out: w, b, beta, and a Certificate.

The problem stands in native/linear/l1.hpp: |w|_1 in the place of |w|^2 / 2, and the squared hinge. As in scikit-learn,
the intercept is the coefficient of a column of its own, whose every cell is `intercept_scaling` (None: no intercept).
"""

import time

import numpy as np

from hedgerow.core import native
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.kernel_input import KernelInput, rows_of
from hedgerow.svm.linear import ENDINGS, LinearSolution, LinearSolverOptions, class_problem, scores
from hedgerow.types import Float


def transpose(rows: KernelInput, intercept_scaling: float | None) -> KernelInput:
    """A row for each column; the last is the intercept's."""
    constant = np.full((int(intercept_scaling is not None), rows.n_rows), intercept_scaling or 0.0)
    if rows.dense is not None:
        return rows_of(np.vstack([rows.dense.T, constant]))
    from scipy.sparse import csr_matrix, vstack  # here: a model is read without it

    return rows_of(vstack([rows.sparse().T, csr_matrix(constant)], format="csr"))


def solve_l1(
    columns: KernelInput,
    signs: Float,
    cost: Float,
    intercept_scaling: float | None,
    options: LinearSolverOptions,
) -> LinearSolution:
    begin = time.perf_counter()
    w, beta, iterations, ending, progress = native.linear_solve_l1(
        columns.native_args,
        signs,
        cost,
        **options.native_args,
    )
    b = 0.0
    if intercept_scaling is not None:
        w, b = w[:-1].copy(), float(w[-1] * intercept_scaling)
    return LinearSolution(w, b, beta, iterations, ENDINGS[ending], progress, time.perf_counter() - begin)


def l1_certificate(
    rows: KernelInput,
    signs: Float,
    cost: Float,
    intercept_scaling: float | None,
    solution: LinearSolution,
    *,
    radius: float | None = None,
) -> Certificate:
    """The gap between the cost of (w, b) and what the largest feasible share of beta proves. `violation`: how far the
    slope along a column is from what its coefficient allows."""
    problem = class_problem(signs, cost, squared=True)
    score = scores(rows, solution.w, solution.b)
    excess = problem.excess(score)
    penalty = 0.0 if intercept_scaling is None else abs(solution.b) / intercept_scaling
    primal = float(np.abs(solution.w).sum()) + penalty + problem.loss(score)
    matrix = rows.dense if rows.dense is not None else rows.sparse()
    reach = float(np.abs(np.asarray(matrix.T @ solution.beta)).max(initial=0.0))
    if intercept_scaling is not None:
        reach = max(reach, intercept_scaling * abs(float(solution.beta.sum())))
    beta = solution.beta / max(reach, 1.0)
    used = beta != 0
    dual = float(signs @ beta) - 0.25 * float((beta[used] ** 2 / cost[used]).sum())
    slope = -np.asarray(matrix.T @ (2 * cost * signs * excess))
    wrong = np.where(solution.w == 0, np.maximum(np.abs(slope) - 1, 0.0), np.abs(slope + np.sign(solution.w)))
    support = (excess > 0) & (cost > 0)
    return Certificate(
        primal=primal,
        dual=dual,
        gap=primal - dual,
        violation=float(wrong.max(initial=0.0)),
        norm=float(np.sqrt(solution.w @ solution.w)),
        n_rows=int((cost > 0).sum()),
        n_support=int(support.sum()),
        n_free=int(support.sum()),
        n_bounded=0,
        n_misclassified=int(((signs * score <= 0) & (cost > 0)).sum()),
        iterations=solution.iterations,
        kernel_rows=0.0,
        seconds=solution.seconds,
        ending=solution.ending,
        radius=radius,
    )
