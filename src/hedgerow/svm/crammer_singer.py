"""A linear SVM of all classes at once.   In: rows, class numbers, costs.   Out: coefficients, and a Certificate.

The problem stands in native/linear/crammer_singer.hpp. As in scikit-learn, the intercepts are the coefficients of a
column of their own, whose every cell is `intercept_scaling` (None: no intercepts).
"""

import time
from dataclasses import dataclass

import numpy as np

from hedgerow.core import native
from hedgerow.svm.certificate import Certificate
from hedgerow.svm.kernel_input import KernelInput, rows_of
from hedgerow.svm.linear import ENDINGS, LinearSolverOptions
from hedgerow.types import Float, Index


@dataclass(frozen=True)
class ClassesSolution:
    coef: Float  # classes x columns
    intercept: Float
    beta: Float  # rows x classes
    iterations: int
    progress: Float  # seconds, primal, dual
    certificate: Certificate


def learn_crammer_singer(
    rows: KernelInput,
    codes: Index,
    n_classes: int,
    cost: Float,
    intercept_scaling: float | None,
    options: LinearSolverOptions,
) -> ClassesSolution:
    begin = time.perf_counter()
    wide = _with_column(rows, intercept_scaling)
    flat, beta, iterations, ending, progress = native.linear_solve_classes(
        wide.native_args,
        np.ascontiguousarray(codes, np.int32),
        n_classes,
        cost,
        **options.native_args,
    )
    w, beta = flat.reshape(n_classes, -1), beta.reshape(-1, n_classes)
    certificate = _certificate(
        wide, codes, cost, w, beta, iterations, ENDINGS[ending], time.perf_counter() - begin
    )
    if intercept_scaling is None:
        return ClassesSolution(w, np.zeros(n_classes), beta, iterations, progress, certificate)
    return ClassesSolution(
        np.ascontiguousarray(w[:, :-1]),
        w[:, -1] * intercept_scaling,
        beta,
        iterations,
        progress,
        certificate,
    )


def _with_column(rows: KernelInput, intercept_scaling: float | None) -> KernelInput:
    if intercept_scaling is None:
        return rows
    constant = np.full((rows.n_rows, 1), intercept_scaling)
    if rows.dense is not None:
        return rows_of(np.hstack([rows.dense, constant]))
    from scipy.sparse import csr_matrix, hstack  # here: a model is read without it

    return rows_of(hstack([rows.sparse(), csr_matrix(constant)], format="csr"))


def _certificate(
    rows: KernelInput,
    codes: Index,
    cost: Float,
    w: Float,
    beta: Float,
    iterations: int,
    ending: str,
    seconds: float,
) -> Certificate:
    matrix = rows.dense if rows.dense is not None else rows.sparse()
    score = np.asarray(matrix @ w.T)
    each, own = np.arange(rows.n_rows), score[np.arange(rows.n_rows), codes]
    rival = score + 1.0
    rival[each, codes] = own
    half = 0.5 * float((w**2).sum())
    primal = half + float(cost @ (rival.max(axis=1) - own))
    proved = np.asarray(matrix.T @ beta)
    dual = float(beta[each, codes].sum()) - 0.5 * float((proved**2).sum())
    support, full = (beta != 0).any(axis=1), beta[each, codes] >= cost
    score[each, codes] = -np.inf
    upper = np.where(np.arange(w.shape[0]) == codes[:, None], cost[:, None], 0.0)
    movable = np.where(beta < upper, rival, np.inf).min(axis=1, initial=np.inf)
    wrong = np.where(cost > 0, rival.max(axis=1) - movable, 0.0)
    return Certificate(
        primal=primal,
        dual=dual,
        gap=primal - dual,
        violation=float(np.maximum(np.where(np.isfinite(wrong), wrong, 0.0), 0.0).max(initial=0.0)),
        norm=float(np.sqrt(2 * half)),
        n_rows=int((cost > 0).sum()),
        n_support=int(support.sum()),
        n_free=int((support & ~full).sum()),
        n_bounded=int((support & full).sum()),
        n_misclassified=int(((score.max(axis=1) >= own) & (cost > 0)).sum()),
        iterations=iterations,
        kernel_rows=0.0,
        seconds=seconds,
        ending=ending,
    )
