"""Scores again in float64, where the gap depends on them.   In: a solution by float32 kernel values.   Out: the same,
its field exact in these rows; rho and violation by it.

    gap = sum over variables of  upper max(ask, 0) - a ask,    ask = y (c - score)

    a = 0 and ask < 0, or a = upper and ask > 0:   nothing, whatever the score is to the last digit
    a between the bounds, or ask near 0:           the score counts, and is computed again

Near is ten times the largest error found; errors grow with the length of a row, so the longest rows are always looked
at. All rows would be more than half the price of a fit (docs/decisions/0013).
"""

import time
from dataclasses import replace

import numpy as np

from hedgerow.svm.kernel import Kernel, diagonal, kernel_dot
from hedgerow.svm.kernel_input import KernelInput
from hedgerow.svm.problem import Problem
from hedgerow.svm.solution import ONE, Solution, intercepts
from hedgerow.types import Float, Mask

PROBES = 128  # of all rows, and of the longest
NEAR = 10.0  # times the largest error found


def exactly(
    problem: Problem, kernel: Kernel, rows: KernelInput, solution: Solution, threads: int
) -> Solution:
    """A solution that was stopped early is probed only: its gap is large, and its time is up."""
    begin = time.perf_counter()
    used = np.flatnonzero(solution.coef)
    if len(used) == 0:
        return solution
    support, coef = rows.take(used), solution.coef[used, None]
    field, exact = solution.field.copy(), np.zeros(rows.n_rows, np.bool_)
    rounding = solution.rounding

    def compute(which: Mask) -> None:
        nonlocal rounding
        now = np.flatnonzero(which & ~exact)
        if len(now) == 0:
            return
        found = kernel_dot(kernel, support, coef, rows.take(now), threads=threads)[:, 0]
        rounding = max(rounding, float(np.abs(found - field[now]).max()))
        field[now], exact[now] = found, True

    compute(_probes(kernel, rows))
    before = -1.0
    while rounding > before and solution.ending not in ("time_limit", "max_iter"):
        before = rounding
        compute(_doubtful(problem, solution, field, NEAR * rounding))
    slope = problem.c - (field if problem.row_of is None else field[problem.row_of])
    return replace(
        solution,
        rho=-float(intercepts(problem, problem.y * solution.alpha, slope, ONE)[0]),
        gradient=-problem.y * slope,
        field=field,
        violation=_violation(problem, solution.alpha, slope),
        seconds=solution.seconds + time.perf_counter() - begin,
        rounding=0.0 if exact.all() else rounding,
        exact=None if exact.all() else exact,
    )


def _probes(kernel: Kernel, rows: KernelInput) -> Mask:
    lengths = np.abs(diagonal(Kernel("linear"), rows))
    which = np.zeros(rows.n_rows, np.bool_)
    which[np.linspace(0, rows.n_rows - 1, PROBES).astype(np.int64)] = True
    which[np.argsort(lengths, kind="stable")[-PROBES:]] = True
    return which


def _doubtful(problem: Problem, solution: Solution, field: Float, near: float) -> Mask:
    """Rows whose score the gap depends on."""
    alpha = solution.alpha
    slope = problem.c - (field if problem.row_of is None else field[problem.row_of])
    rho = -intercepts(problem, problem.y * alpha, slope, ONE)[0]
    ask = problem.y * (slope + rho)
    settled = ((alpha == 0) & (ask < -near)) | ((alpha == problem.upper) & (ask > near))
    if problem.row_of is None:
        return np.asarray(~settled, np.bool_)
    which = np.zeros(len(field), np.bool_)
    which[problem.row_of[~settled]] = True
    return which


def _violation(problem: Problem, alpha: Float, slope: Float) -> float:
    """The largest difference of two slopes that could be evened out."""
    b = problem.y * alpha
    up, down = slope[b < problem.high], slope[b > problem.low]
    return max(float(up.max() - down.min()), 0.0) if len(up) and len(down) else 0.0
